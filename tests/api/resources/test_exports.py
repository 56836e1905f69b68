"""K19: a version written for another engine."""

from __future__ import annotations

import io

import numpy as np
from starlette.testclient import TestClient

from tests.api.problem import slug_of

NAMES = "/v1/normalizers"
ROWS = [[0.0, 1.0], [4.0, 0.0], [0.0, -1.0], [-4.0, 0.5]]


def test_k19_a_fit_is_written_for_another_engine(client: TestClient) -> None:
    created = {"name": "w", "method": "whitening", "fit": {"x": ROWS}}
    made = client.post(NAMES, json=created).json()
    answer = client.get(f"{NAMES}/w@1/export?format=npz")
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["content-disposition"] == 'attachment; filename="w-1.npz"'
    assert answer.headers["etag"] == f'"{made["hash"]}-npz"'
    assert np.load(io.BytesIO(answer.content))["W"].shape == (2, 2)
    again = {"If-None-Match": answer.headers["etag"]}
    assert client.get(f"{NAMES}/w@1/export?format=npz", headers=again).status_code == 304
    assert client.get(f"{NAMES}/w@1/export", headers=again).status_code == 200


def test_k19_an_unknown_form_is_refused_with_those_there_are(client: TestClient) -> None:
    created = {"name": "w2", "method": "whitening", "params": {"post": "l2"}, "fit": {"x": ROWS}}
    client.post(NAMES, json=created)
    refused = client.get(f"{NAMES}/w2/export?format=fais")
    assert slug_of(refused) == "unsupported-operation"
    assert "npz, onnx" in refused.json()["detail"]


def test_k19_a_method_says_its_exports(client: TestClient) -> None:
    assert client.get("/v1/methods/whitening").json()["exports"] == ["npz", "onnx", "faiss"]
    assert client.get("/v1/methods/unit_norm").json()["exports"] == []
