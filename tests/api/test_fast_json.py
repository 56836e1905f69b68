"""An answer does not tell which decoder read the numbers of its request."""

from __future__ import annotations

import json

import pytest
from fastapi.testclient import TestClient

from app.api.openapi.examples import examples_of
from normalizers.catalogue.catalogue import CATALOGUE
from normd.wire.codecs import json as codec
from tests.unit.normd.wire.codecs.fast_ways import WAYS, force

EXAMPLES = [
    pytest.param(operation, example["value"], id=f"{operation}-{name}")
    for operation in ("transform", "fuse")
    for name, example in examples_of(operation, CATALOGUE).items()
]
RUINED = {"x": [[1.5, 2.5], [3.5]], "scores": [[1.5, 2.5], ["a"]], "values": [True, 1.5]}


def answered(client: TestClient, operation: str, body: object) -> tuple[int, object]:
    sent = json.dumps(body).encode()
    answer = client.post(
        f"/v1/{operation}", content=sent, headers={"content-type": "application/json"}
    )
    return answer.status_code, {**answer.json(), "request_id": None}


@pytest.mark.parametrize(("operation", "body"), EXAMPLES)
def test_the_example_of_every_method(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, operation: str, body: dict[str, object]
) -> None:
    bodies = [body, *_with_integers(body), *_ruined(body)]
    with monkeypatch.context() as strict:
        strict.setattr(codec, "SHORTEST", 2**60)
        expected = [answered(client, operation, sent) for sent in bodies]
    for way in WAYS:
        with monkeypatch.context() as fast:
            force(fast, way)
            assert [answered(client, operation, sent) for sent in bodies] == expected


def _with_integers(body: dict[str, object]) -> list[dict[str, object]]:
    """Return the body with whole numbers for all numbers."""
    text = json.dumps(body)
    return [json.loads(text, parse_float=lambda token: round(float(token)))]


def _ruined(body: dict[str, object]) -> list[dict[str, object]]:
    given = body.get("input")
    names = [name for name in RUINED if isinstance(given, dict) and name in given]
    return [{**body, "input": {**given, name: RUINED[name]}} for name in names]  # type: ignore[dict-item]
