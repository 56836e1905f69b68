"""A new evidence and a new measure are two files: no route, body, client or document names them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.settings import Settings
from normalizers.evaluation import evaluate
from normd.client import Client
from tests.api.conftest import Serve
from tests.api.problem import read_problem
from tests.unit.evaluation.toy import toy_evidence

BODY = {"measures": ["best_field"], "yields": [3.0, 5.0, 4.0], "bootstrap": {"samples": 50}}


@pytest.fixture(autouse=True)
def harvest(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    folder = tmp_path / "toy"
    folder.mkdir()
    with toy_evidence(monkeypatch, folder):
        yield


def test_a_toy_evidence_goes_through_rest(serve: Serve) -> None:
    answer: dict[str, Any] = serve().post("/v1/evaluate", json=BODY).json()
    (result,) = answer["results"]
    assert (result["value"], result["n"]) == (5.0, 3)
    assert result["details"] == {"yields": [3.0, 5.0, 4.0]}
    assert result["interval"] == {"lower": 3.0, "upper": 5.0}
    assert answer["counts"] == {"fields": 3}


def test_a_toy_evidence_stands_beside_a_baseline(serve: Serve) -> None:
    body = {**BODY, "baseline": {"yields": [1.0, 1.0, 1.0]}}
    (result,) = serve().post("/v1/evaluate", json=body).json()["results"]
    assert (result["baseline"]["value"], result["baseline"]["difference"]) == (1.0, 4.0)


@pytest.mark.parametrize(
    "body, path, told",
    [
        ({"yeilds": [1.0]}, "yeilds", "did you mean 'yields'"),
        ({"scores": [1.0]}, "scores", "not both"),
        ({"measures": ["auc"]}, "yields", "auc needs scores: send scores and labels, not yields"),
        ({"baseline": {"soils": ["a"]}}, "baseline.soils", "soils are those of the yields"),
        ({"yields": [[1.0], [2.0]]}, "yields", "1 are expected: (n,)"),
        ({"yields": None, "soils": ["loam"]}, "yields", "bushels of each field"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_a_toy_evidence_refuses(
    serve: Serve, body: dict[str, object], path: str, told: str
) -> None:
    problem = read_problem(serve().post("/v1/evaluate", json={**BODY, **body}))
    assert problem["status"] == 422
    assert problem["errors"][0]["path"] == path  # type: ignore[index]
    assert told in f"{problem['detail']}"


def test_the_document_has_the_members_of_a_toy_evidence(serve: Serve) -> None:
    document = serve().get("/openapi.json").json()
    operation = document["paths"]["/v1/evaluate"]["post"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    assert schema["properties"]["yields"]["description"] == "bushels of each field"
    assert {"not": {"required": ["runs", "yields"]}} in schema["allOf"]


def test_the_client_and_the_library_take_a_toy_evidence(tmp_path: Path) -> None:
    assert evaluate(["best_field"], yields=[1.0, 2.0])["best_field"] == 2.0
    with Client.local(Settings(data=tmp_path / "data")) as client:
        for form in (None, "safetensors", "arrow"):
            found: Any = client.evaluate(["best_field"], yields=np.array([1.0, 2.0]), form=form)
            assert found["results"][0]["value"] == 2.0
            assert found["results"][0]["details"]["yields"].tolist() == [1.0, 2.0]
