"""Methods that import weights need no change of the service: a toy one, by one class."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.contract.answer import Answer, Options, answer
from normalizers.contract.example import Example
from normalizers.contract.fields import Fields, floats
from normalizers.contract.fitted import Fitted
from normalizers.data.batch import Batch
from normalizers.normalizer import Normalizer

NAMES = "/v1/normalizers"
WEIGHTS = {"gain": [2.0, 0.5]}
ROWS = {"x": [[1.0, 4.0]]}


class ToyGain(Normalizer):
    """Multiply every column by a gain that was trained elsewhere."""

    name = "toy_gain"
    family = "toy"
    kinds = ("learned",)
    weight_fields = Fields(gain=floats("d", help="one number a column"))
    takes = Fields(x=floats("m d", flat="row"))
    gives = Fields(y=floats("m d"))
    example = Example(input={"x": [[1.0, 2.0]]})

    def from_weights(self, batch: Batch) -> Fitted:
        """Return the gains."""
        gain = batch.array("gain")
        return Fitted({"gain": gain}, sizes={"d": len(gain)})

    def apply(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        """Return the rows times the gains."""
        return answer(given.array("x") * fitted["gain"], "y")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(data=tmp_path), CATALOGUE.with_methods(ToyGain))) as client:
        yield client


def test_one_shot(client: TestClient) -> None:
    body = {"method": "toy_gain", "weights": WEIGHTS, "input": ROWS}
    assert client.post("/v1/transform", json=body).json()["output"] == {"y": [[2.0, 2.0]]}


def test_stored_exported_and_imported(client: TestClient) -> None:
    made = client.post(NAMES, json={"name": "g", "method": "toy_gain", "weights": WEIGHTS})
    assert made.status_code == 201, made.text
    assert made.json()["from"] == "weights"
    file = client.get(f"{NAMES}/g/export").content
    media_type = {"Content-Type": "application/vnd.safetensors"}
    imported = client.post(f"{NAMES}/import?name=h", content=file, headers=media_type)
    assert imported.json()["hash"] == made.json()["hash"]
    answered = client.post(f"{NAMES}/h/transform", json={"input": ROWS}).json()
    assert answered["output"] == {"y": [[2.0, 2.0]]}


def test_new_weights_are_a_new_version(client: TestClient) -> None:
    client.post(NAMES, json={"name": "g", "method": "toy_gain", "weights": WEIGHTS})
    body = {"from": "weights", "weights": {"gain": [1.0, 1.0]}}
    assert client.post(f"{NAMES}/g/versions", json=body).json()["version"] == 2


@pytest.mark.parametrize(
    ("weights", "path"),
    [
        ({"gian": [1.0]}, "weights.gian"),
        ({"gain": [1.0, None]}, "weights.gain[1]"),
        ({}, "weights.gain"),
    ],
)
def test_weights_are_checked(client: TestClient, weights: object, path: str) -> None:
    body = {"name": "g", "method": "toy_gain", "weights": weights}
    answered = client.post(NAMES, json=body)
    assert answered.status_code == 422
    assert answered.json()["errors"][0]["path"] == path
    assert client.get(f"{NAMES}/g").status_code == 404


def test_it_needs_weights(client: TestClient) -> None:
    answered = client.post("/v1/transform", json={"method": "toy_gain", "input": ROWS})
    assert answered.status_code == 422
    assert "weights" in answered.json()["detail"]
