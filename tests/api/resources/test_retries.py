"""Retries with an Idempotency-Key: the same body in the same form is one write, in any process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient
from safetensors.numpy import save

from app.main import create_app
from app.service.requests.digest import request_digest
from app.settings import Settings
from tests.api.encoding import as_base64
from tests.api.problem import slug_of
from tests.api.samples import JSON, MIN_MAX, NAMES, SAFETENSORS, create

MANY = [float(number) / 7 for number in range(200)]
KEY = {"Idempotency-Key": "k"}
OPEN = {"method": "min_max", "params": {"scope": "fitted", "nan_policy": "omit"}}
FORMS: dict[str, object] = {
    "small JSON": MANY[:5],
    "large JSON": MANY,
    "ragged JSON": [MANY, MANY[:3]],
    "missing scores": [None, *MANY],
    "base64": as_base64(MANY),
    "safetensors": np.array(MANY),
}


def _sent(scores: object, **members: object) -> dict[str, Any]:
    """Return a body with these scores, and its headers."""
    if isinstance(scores, np.ndarray):
        content = save({"fit.scores": scores}, metadata={"json": json.dumps(members)})
        return {"content": content, "headers": {**KEY, "Content-Type": SAFETENSORS, "Accept": JSON}}
    content = json.dumps({**members, "fit": {"scores": scores}}).encode()
    return {"content": content, "headers": {**KEY, "Content-Type": JSON}}


@pytest.mark.parametrize("form", FORMS)
def test_r36_a_retry_gives_the_same_version_in_every_form_and_process(
    tmp_path: Path, form: str
) -> None:
    sent = _sent(FORMS[form], **{"from": "fit"})
    other = _sent([*MANY, 4.5], **{"from": "fit"})
    answers = []
    for _ in range(2):
        with TestClient(create_app(Settings(data=tmp_path))) as client:
            client.post(NAMES, json={"name": "n", **OPEN})
            path = f"{NAMES}/n/versions"
            answers += [client.post(path, **sent) for _ in range(3)]
            assert slug_of(client.post(path, **other)) == "conflict"
    assert [answer.status_code for answer in answers] == [201, *[200] * 5]
    assert {answer.json()["version"] for answer in answers} == {1}


@pytest.mark.parametrize("form", FORMS)
def test_r36_a_retry_of_an_observation_counts_once(client: TestClient, form: str) -> None:
    create(client, "n", OPEN)
    path = f"{NAMES}/n/observations"
    counted = [client.post(path, **_sent(FORMS[form])) for _ in range(4)]
    assert [answer.json()["counted"] for answer in counted] == [True, False, False, False]


def test_r36_a_retry_of_a_merge_is_the_same_version(client: TestClient) -> None:
    create(client, "n", MIN_MAX)
    body = {"from": "merge", "refs": ["n@1", "n@1"]}
    answers = [client.post(f"{NAMES}/n/versions", json=body, headers=KEY) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 200, 200]
    other = client.post(f"{NAMES}/n/versions", json={**body, "refs": ["n@1"]}, headers=KEY)
    assert slug_of(other) == "conflict"


def test_r36_a_create_is_recognised_when_it_is_large(client: TestClient) -> None:
    body = {"name": "n", **MIN_MAX, "fit": {"scores": MANY}}
    assert [client.post(NAMES, json=body).status_code for _ in range(3)] == [201, 200, 200]


def test_r36_a_digest_depends_on_no_seed_of_hashes() -> None:
    program = (
        "import numpy as np; from app.service.requests.digest import request_digest; "
        "from normalizers.data.json_numbers import ParsedNumbers; "
        "parsed = ParsedNumbers(np.array([1.0]), memoryview(b'')); "
        "print(request_digest({'a': parsed, 'b': 'x'}, None))"
    )
    for seed in ("1", "2"):
        told = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        )
        assert told.stdout.strip() == request_digest({"a": [1.0], "b": "x"}, None)


def test_r36_a_digest_of_what_has_no_value_is_refused() -> None:
    with pytest.raises(TypeError):
        request_digest({"a": object()})
