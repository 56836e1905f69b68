"""Scores with qualities through REST, the client in every form, and the document."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from app.settings import Settings
from normd.client import Client
from normd.client.forms import FormName
from tests.api.problem import read_problem

BODY: dict[str, Any] = {
    "measures": ["pearson", "kendall", "pair_accuracy"],
    "scores": [0.9, None, -0.8, 1.1, 0.2, -1.0],
    "qualities": [95, 80, 60, 97, 82, 55],
    "groups": ["de", "de", "de", "ja", "ja", "ja"],
    "clusters": ["a", "b", "c", "a", "b", "c"],
    "baseline": {"scores": [0.86, 0.8, 0.7, 0.93, 0.89, 0.91]},
}


def test_scores_beside_qualities_and_a_baseline(client: TestClient) -> None:
    answer: dict[str, Any] = client.post("/v1/evaluate", json=BODY).json()
    linear, ranks, pairs = answer["results"]
    assert (ranks["value"], pairs["value"]) == (1.0, 1.0)
    assert 0.9 < linear["value"] < 1.0
    assert ranks["details"]["groups"] == ["de", "ja"]
    assert pairs["baseline"]["difference"] > 0
    assert answer["counts"] == {"rows": 5, "missing": 1, "clusters": 3, "groups": 2}


def test_words_of_peers_are_told_ours(client: TestClient) -> None:
    for peer, ours in (("human", "qualities"), ("metric_scores", "scores")):
        problem = read_problem(client.post("/v1/evaluate", json={**BODY, peer: [1.0]}))
        assert f"did you mean '{ours}'" in str(problem["detail"])


def test_what_is_undefined_is_null_with_a_reason(client: TestClient) -> None:
    body = {**BODY, "scores": [1, 1, 1, 1, 1, 1]}
    for result in client.post("/v1/evaluate", json=body).json()["results"][:2]:
        assert result["value"] is None
        assert "all equal" in result["reason"]


def test_the_document_tells_the_members(client: TestClient) -> None:
    operation = client.get("/openapi.json").json()["paths"]["/v1/evaluate"]["post"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    assert "more is better" in schema["properties"]["qualities"]["description"]
    assert " or: " in schema["properties"]["scores"]["description"]
    assert schema["properties"]["ties"]["description"].startswith("equal scores")


@pytest.mark.parametrize("form", [None, "json", "safetensors", "arrow"])
def test_the_client_says_what_the_library_says(
    client: TestClient, tmp_path, form: FormName
) -> None:
    expected: dict[str, Any] = client.post("/v1/evaluate", json=BODY).json()
    sent = {**BODY, "scores": np.array(BODY["scores"], dtype=np.float64)}
    with Client.local(Settings(data=tmp_path / "other")) as other:
        found: Any = other.evaluate(sent.pop("measures"), **sent, form=form)
    for one, shown in zip(found["results"], expected["results"], strict=True):
        assert one["value"] == pytest.approx(shown["value"], rel=1e-12)
        assert one["baseline"]["interval"] == shown["baseline"]["interval"]
