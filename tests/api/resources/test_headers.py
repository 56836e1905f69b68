"""Headers that say which version answered."""

from __future__ import annotations

from fastapi.testclient import TestClient

from tests.api.resources.statistics import SOME
from tests.api.samples import NAMES, ROWS, SAFETENSORS, create, tensors


def test_everything_about_a_version_says_which(client: TestClient) -> None:
    made = create(client, "n", SOME)
    asked = [
        client.get(f"{NAMES}/n"),
        client.get(f"{NAMES}/n@1/statistics"),
        client.get(f"{NAMES}/n@1/fitted"),
        client.get(f"{NAMES}/n@1/report"),
        client.get(f"{NAMES}/n@1/export"),
        client.post(f"{NAMES}/n/transform", json={"input": {"x": ROWS}}),
        client.post(f"{NAMES}/n/inverse", json={"input": {"y": ROWS}}),
        client.post(
            f"{NAMES}/n/transform",
            content=tensors({}, input__x=ROWS),
            headers={"content-type": SAFETENSORS},
        ),
    ]
    for response in asked:
        assert response.status_code == 200, response.text
        asked_form = response.request.headers.get("content-type") == SAFETENSORS
        form = "-safetensors" if asked_form else ""
        assert response.headers["etag"] == f'"{made["hash"]}{form}"'
        assert response.headers["normd-hash"] == made["hash"]
        assert response.headers["normd-name"] == "n"
        assert response.headers["normd-version"] == "1"


def test_a_failure_says_no_version(client: TestClient) -> None:
    create(client, "n", SOME)
    response = client.post(f"{NAMES}/n/transform", json={"input": {"x": [[1.0]]}})
    assert response.status_code == 422
    assert "etag" not in response.headers
