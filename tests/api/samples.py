"""Small bodies and requests that the tests of the API share."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
from fastapi.testclient import TestClient
from safetensors.numpy import save

from app.registry.schema import metadata
from tests.api.problem import Answered

NAMES = "/v1/normalizers"
JSON = "application/json"
SAFETENSORS = "application/vnd.safetensors"
ARROW = "application/vnd.apache.arrow.stream"
NPY = "application/x-npy"

ROWS = [[0.1, 1.0, 0.2], [0.9, 0.3, 0.1], [0.4, 0.5, 0.8], [0.2, 0.1, 0.4], [0.7, 0.6, 0.0]]
MORE_ROWS = [[0.3, 0.2, 0.9], [0.8, 0.1, 0.5], [0.6, 0.9, 0.3], [0.0, 0.4, 0.7], [0.5, 0.8, 0.6]]
SCORES = [0.4, 3.2, 8.0, 8.0, 9.3, 12.7]
BANK = [[0.9, 0.2, 0.1], [0.8, 0.4, 0.3], [0.1, 0.7, 0.6]]
MORE_BANK = [[0.5, 0.6, 0.2], [0.3, 0.9, 0.4]]
ITEMS = ["a", "b", "c"]

WHITENING = {"method": "whitening", "params": {"eps_rel": 1.0}, "fit": {"x": ROWS}}
PERCENTILE = {"method": "percentile", "params": {"scope": "fitted"}, "fit": {"scores": SCORES}}
MIN_MAX = {"method": "min_max", "params": {"scope": "fitted"}, "fit": {"scores": SCORES}}
HUBS = {
    "method": "inverted_softmax",
    "params": {"beta": 20.0},
    "fit": {"bank_sims": BANK, "gallery_ids": ITEMS},
}
RUNS = [
    {"name": "bm25", "ids": ["a", "b"], "scores": [12.1, 7.0]},
    {"name": "dense", "ids": ["c", "a"], "scores": [0.83, 0.62]},
]


def post(
    client: TestClient,
    path: str,
    body: object,
    *,
    media_type: str | None = JSON,
    headers: Mapping[str, str] | None = None,
) -> Answered:
    """Send a body as JSON, or bytes as they are."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    sent = {**({"content-type": media_type} if media_type else {}), **(headers or {})}
    return client.post(path, content=content, headers=sent)


def create(client: TestClient, name: str, body: Mapping[str, object]) -> dict[str, object]:
    """Create a name and return its manifest."""
    response = client.post(NAMES, json={"name": name, **body})
    assert response.status_code == 201, response.text
    answer: dict[str, object] = response.json()
    return answer


def add(client: TestClient, name: str, body: Mapping[str, object]) -> dict[str, object]:
    """Add a version and return it."""
    response = client.post(f"{NAMES}/{name}/versions", json=body)
    assert response.status_code == 201, response.text
    answer: dict[str, object] = response.json()
    return answer


def look(client: TestClient, path: str) -> dict[str, object]:
    """Return what a GET under the names answers."""
    response = client.get(f"{NAMES}{path}")
    assert response.status_code == 200, response.text
    answer: dict[str, object] = response.json()
    return answer


def tensors(body: Mapping[str, object], **arrays: object) -> bytes:
    """Return a safetensors body; ``__`` in a name stands for a dot."""
    named = {name.replace("__", "."): np.asarray(array) for name, array in arrays.items()}
    return save(named, metadata={"json": json.dumps(body)})


def stored(client: TestClient) -> object:
    """Return everything the registry holds, rows and files, to compare before and after."""
    context = client.app.state.context  # type: ignore[attr-defined]
    with context.registry._database.read() as connection:
        rows = {
            table.name: sorted(map(repr, connection.execute(table.select()).all()))
            for table in metadata.sorted_tables
        }
    return rows, sorted((context.settings.data / "versions").rglob("*.*"))
