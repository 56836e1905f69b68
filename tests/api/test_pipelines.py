"""Pipelines over the service: references, third-party steps, open names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from normalizers.catalogue.catalogue import CATALOGUE
from tests.conformance.test_ninth_method import ColumnMaxAbs

ROWS = np.random.default_rng(7).normal(size=(40, 3)) * [1.0, 5.0, 0.2]
NAMES = "/v1/normalizers"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    catalogue = CATALOGUE.with_methods(ColumnMaxAbs)
    with TestClient(create_app(Settings(data=tmp_path), catalogue)) as client:
        yield client


def _created(client: TestClient, name: str, **body: object) -> dict[str, object]:
    answer = client.post(NAMES, json={"name": name, **body})
    assert answer.status_code == 201, answer.text
    made: dict[str, object] = answer.json()
    return made


@pytest.mark.parametrize("step", ["column_max_abs", {"method": "column_max_abs"}])
def test_a_step_may_be_a_method_of_the_catalogue_that_the_service_was_given(
    client: TestClient, step: object
) -> None:
    body = {"method": "pipeline", "params": {"steps": [step]}, "fit": {"x": ROWS.tolist()}}
    _created(client, "p", **body)
    answer = client.post(f"{NAMES}/p/transform", json={"input": {"x": ROWS.tolist()}})
    np.testing.assert_allclose(answer.json()["output"]["y"], ROWS / np.abs(ROWS).max(axis=0))


def test_a_misspelt_step_is_named_with_its_place(client: TestClient) -> None:
    params = {"steps": ["min_max", "column_max_bas"]}
    body = {"method": "pipeline", "params": params, "input": {"scores": [1.0]}}
    problem = client.post("/v1/transform", json=body).json()
    assert problem["errors"][0]["path"] == "params.steps[1]"
    assert "column_max_abs" in problem["detail"]


def test_an_open_pipeline_keeps_its_reference(client: TestClient) -> None:
    _created(client, "base", method="whitening", fit={"x": ROWS.tolist()})
    steps = [{"ref": "base@1"}, {"method": "whitening", "params": {"eps": 0.0}}]
    opened = _created(client, "p", method="pipeline", params={"steps": steps})
    assert opened["version"] is None
    for part in (ROWS[:25], ROWS[25:]):
        body = {"fit": {"x": part.tolist()}}
        assert client.post(f"{NAMES}/p/observations", json=body).status_code == 200
    made = client.post(f"{NAMES}/p/versions", json={"from": "observations"})
    assert made.status_code == 201, made.text
    whole = {"method": "pipeline", "params": {"steps": steps}, "fit": {"x": ROWS.tolist()}}
    expected = client.post("/v1/transform", json={**whole, "input": {"x": ROWS.tolist()}})
    answer = client.post(f"{NAMES}/p/transform", json={"input": {"x": ROWS.tolist()}})
    got, wanted = answer.json()["output"]["y"], expected.json()["output"]["y"]
    np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-9)


def test_an_open_pipeline_says_when_its_reference_is_gone(client: TestClient) -> None:
    _created(client, "base", method="whitening", fit={"x": ROWS.tolist()})
    _created(client, "p", method="pipeline", params={"steps": [{"ref": "base"}, "whitening"]})
    assert client.delete(f"{NAMES}/base").status_code == 204
    answer = client.post(f"{NAMES}/p/observations", json={"fit": {"x": ROWS.tolist()}})
    assert answer.status_code == 409
    assert "was deleted" in answer.json()["detail"]


def test_a_hash_is_no_way_to_write_a_step(client: TestClient) -> None:
    made = _created(client, "base", method="whitening", fit={"x": ROWS.tolist()})
    step = {"method": "whitening", "params": {}, "hash": made["hash"]}
    body = {"method": "pipeline", "params": {"steps": [step]}, "input": {"x": ROWS.tolist()}}
    assert client.post("/v1/transform", json=body).status_code == 422


def test_observations_beyond_the_limit_of_a_sample_are_refused_before_they_are_stored(
    client: TestClient,
) -> None:
    _created(client, "scores", method="normal_exponential", params={"sample_limit": 7})
    observations = f"{NAMES}/scores/observations"
    assert client.post(observations, json={"fit": {"scores": [1, 2, 3]}}).status_code == 200
    assert client.post(observations, json={"fit": {"scores": [2, 3, 4]}}).status_code == 200
    refused = client.post(observations, json={"fit": {"scores": [7, 8]}})
    assert refused.status_code == 422
    assert "sample_limit" in refused.json()["detail"]
    kept = client.get(observations).json()["statistics"]["sample"]
    assert kept["scores"] == [1.0, 2.0, 2.0, 3.0, 3.0, 4.0]


def test_r44_a_pipeline_has_at_most_some_tens_of_steps(client: TestClient) -> None:
    for steps, told in ((["min_max"] * 2900, "2900"), ([{"ref": "absent"}] * 33, "33")):
        body = {"method": "pipeline", "params": {"steps": steps}, "input": {"scores": [1, 2, 3]}}
        response = client.post("/v1/transform", json=body)
        assert response.status_code == 422
        assert response.json()["detail"].endswith(f"at most 32 steps; these are {told}")
        assert response.json()["errors"][0]["path"] == "params.steps"
        body = {"name": "p", **body}
        del body["input"]
        stored = client.post(NAMES, json=body)
        assert stored.status_code == 422
    body = {
        "method": "pipeline",
        "params": {"steps": ["min_max"] * 32},
        "input": {"scores": [1, 2, 3]},
    }
    assert client.post("/v1/transform", json=body).json()["output"]["values"] == [0.0, 0.5, 1.0]
