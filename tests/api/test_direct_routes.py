"""Routes of small requests are found first, and what is not quite theirs is answered as ever."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

RUNS = [{"ids": ["a", "b"], "scores": [2.0, 1.0]}]


@pytest.mark.parametrize("path", ["/v1/fuse", "/v1/transform", "/v1/normalizers/x/transform"])
def test_small_calls_by_another_method_are_told_which_there_is(
    client: TestClient, path: str
) -> None:
    answer = client.put(path, json={})
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"


@pytest.mark.parametrize("path", ["/v1/fuse/", "/v1/normalizers/x/transform/", "/v1/fuses"])
def test_small_calls_at_a_path_beside_theirs_find_nothing(client: TestClient, path: str) -> None:
    assert client.post(path, json={}).status_code == 404


def test_small_calls_refuse_what_they_refused(client: TestClient) -> None:
    answer = client.post("/v1/fuse?top=3", json={"method": "rrf", "runs": RUNS})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["path"] == "query.top"
    assert "x-request-id" in answer.headers


def test_small_calls_below_a_path_of_an_operator_are_answered(client: TestClient) -> None:
    below = TestClient(client.app, root_path="/normd")
    answer = below.post("/normd/v1/fuse", json={"method": "rrf", "runs": RUNS})
    assert answer.json()["output"]["ids"] == ["a", "b"]
