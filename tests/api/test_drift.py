"""``POST /v1/normalizers/{ref}/drift`` in every form of bodies, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from fastapi.testclient import TestClient
from safetensors.numpy import load

from app.api.openapi.examples import examples_of
from normalizers.catalogue.catalogue import CATALOGUE
from tests.api.problem import read_problem, slug_of
from tests.api.samples import (
    ARROW,
    HUBS,
    JSON,
    NAMES,
    NPY,
    PERCENTILE,
    SAFETENSORS,
    WHITENING,
    create,
    post,
    tensors,
)
from tests.api.streams import npy, read_streams, stream

DRIFT = f"{NAMES}/n/drift"
LIVE = [3.0, 20.0]


@pytest.fixture
def live(client: TestClient) -> TestClient:
    create(client, "n", PERCENTILE)
    return client


def test_a_live_sample_beside_a_fit(live: TestClient) -> None:
    response = live.post(DRIFT, json={"input": {"scores": LIVE}})
    assert response.status_code == 200, response.text
    answer = response.json()
    assert (answer["name"], answer["version"], answer["method"]) == ("n", 1, "percentile")
    assert (answer["n"], answer["n_fitted"], answer["missing"]) == (2, 6, 0)
    assert answer["range"]["out_of_range"] == 0.5
    assert 0 < answer["distribution"]["ks"] <= 1
    assert answer["moments"] is None
    assert set(answer["reasons"]) == {"moments"}
    assert response.headers["etag"] == f'"{answer["hash"]}"'


@pytest.mark.parametrize("form", ["base64", "tensors", "columns", "npy", "lists"])
def test_every_form_says_the_same(live: TestClient, form: str) -> None:
    expected = live.post(DRIFT, json={"input": {"scores": LIVE}}).json()
    encoded = {"dtype": "float64", "shape": [2], "base64": "AAAAAAAACEAAAAAAAAA0QA=="}
    bodies = {
        "base64": ({"input": {"scores": encoded}}, JSON),
        "tensors": (tensors({}, input__scores=np.array(LIVE)), SAFETENSORS),
        "columns": (stream({"scores": pa.array(LIVE)}), ARROW),
        "npy": (npy(LIVE), NPY),
        "lists": ({"input": {"scores": [LIVE[:1], LIVE[1:]]}}, JSON),
    }
    body, media_type = bodies[form]
    response = post(live, DRIFT, body, media_type=media_type, headers={"accept": JSON})
    assert response.status_code == 200, response.text
    assert response.json() == expected


def test_answers_as_tensors_and_columns(client: TestClient) -> None:
    create(client, "n", WHITENING)
    body = {"input": {"x": [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]}}
    expected = client.post(DRIFT, json=body).json()["moments"]["shift"]
    as_tensors = post(client, DRIFT, body, headers={"accept": SAFETENSORS})
    assert load(as_tensors.content)["moments.shift"].tolist() == expected
    _, (table, *_) = read_streams(post(client, DRIFT, body, headers={"accept": ARROW}).content)
    assert table["moments.shift"].to_pylist() == expected


@pytest.mark.parametrize("name", examples_of("drift", CATALOGUE))
def test_every_example_of_the_document_works(client: TestClient, name: str) -> None:
    created = client.post(NAMES, json=examples_of("create", CATALOGUE)[name]["value"])
    assert created.status_code == 201, created.text
    body = examples_of("drift", CATALOGUE)[name]["value"]
    response = client.post(f"{NAMES}/{name}/drift", json=body)
    assert response.status_code == 200, response.text


def test_there_is_no_such_name(client: TestClient) -> None:
    assert read_problem(client.post(DRIFT, json={"input": {"scores": LIVE}}))["status"] == 404


def test_an_open_name_has_nothing_to_compare_with(client: TestClient) -> None:
    body = {key: value for key, value in PERCENTILE.items() if key != "fit"}
    create(client, "n", body)
    assert read_problem(client.post(DRIFT, json={"input": {"scores": LIVE}}))["status"] == 409


@pytest.mark.parametrize(
    "body, path",
    [
        ({"input": {"scores": [1.0, None]}}, "input.scores[1]"),
        ({"input": {"scores": []}}, "input.scores"),
        ({"input": {"score": [1.0]}}, "input.score"),
        ({"input": {"scores": ["a"]}}, "input.scores"),
        ({"inputs": {}}, "inputs"),
        ({"input": {"scores": [1.0]}, "options": {"top_k": 1}}, "options.top_k"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_bad_input_is_told(live: TestClient, body: dict[str, object], path: str) -> None:
    problem = read_problem(live.post(DRIFT, json=body))
    assert problem["status"] == 422
    assert problem["errors"][0]["path"].startswith(path)  # type: ignore[index]


def test_statistics_that_know_no_single_values(client: TestClient) -> None:
    create(client, "n", HUBS)
    response = client.post(DRIFT, json={"input": {"sims": [[0.1, 0.2, 0.3]]}})
    assert slug_of(response) == "unsupported-operation"


def test_a_sample_without_rows_is_refused(client: TestClient) -> None:
    create(client, "n", WHITENING)
    response = client.post(f"{NAMES}/n/drift", json={"input": {"x": []}})
    assert response.status_code == 422
    assert response.json()["errors"][0]["path"] == "input.x"


CANARY = {"ids": ["a", "b", "c"], "input": {"scores": [3.0, 5.0, 9.0]}}


def _watched(client: TestClient) -> str:
    create(client, "w", {**PERCENTILE, "options": {"canary": CANARY}})
    return f"{NAMES}/w/drift"


def test_a_canary_that_is_as_it_was_blames_the_traffic(client: TestClient) -> None:
    place = _watched(client)
    body = {"input": {"scores": [90.0, 99.0]}, "canary": CANARY}
    found = client.post(place, json=body).json()
    assert found["canary"] == {
        "n": 3,
        "changed": 0,
        "largest": 0.0,
        "id": "a",
        "missing": [],
        "model_changed": False,
    }
    assert found["verdict"]["cause"] in ("traffic", "none")
    report = client.get(f"{NAMES}/w/report").json()["report"]
    assert report["canary"] == {"ids": ["a", "b", "c"], "input": [3.0, 5.0, 9.0]}


def test_a_canary_with_other_numbers_blames_the_model(client: TestClient) -> None:
    place = _watched(client)
    now = {"ids": ["c", "a"], "input": {"scores": [2.0, 3.0]}}
    found = client.post(place, json={"input": {"scores": LIVE}, "canary": now}).json()
    assert (found["canary"]["id"], found["canary"]["changed"]) == ("c", 1)
    assert found["canary"]["missing"] == ["b"]
    assert found["verdict"]["cause"] == "model"


def test_another_canary_is_another_request(client: TestClient) -> None:
    _watched(client)
    other = {**PERCENTILE, "options": {"canary": {**CANARY, "ids": ["x", "y", "z"]}}, "name": "w"}
    assert client.post(NAMES, json=other).status_code == 409


@pytest.mark.parametrize(
    ("canary", "path"),
    [
        ({}, "canary"),
        ({**CANARY, "more": 1}, "canary"),
        ({**CANARY, "ids": ["a"]}, "canary.ids"),
        ({**CANARY, "ids": ["a", "a", "b"]}, "canary.ids[1]"),
        ({**CANARY, "ids": ["x", "y", "z"]}, "canary.ids"),
        ({**CANARY, "input": {"score": [1.0]}}, "canary.input.score"),
        ({**CANARY, "input": {"scores": [1.0, None, 2.0]}}, "canary.input.scores[1]"),
    ],
)
def test_a_bad_canary_is_told(client: TestClient, canary: dict[str, object], path: str) -> None:
    place = _watched(client)
    response = client.post(place, json={"input": {"scores": LIVE}, "canary": canary})
    problem = read_problem(response)
    assert problem["errors"][0]["path"] == path


def test_a_fit_with_a_bad_canary_is_refused(client: TestClient) -> None:
    body = {"name": "w", **PERCENTILE, "options": {"canary": {**CANARY, "ids": ["a"]}}}
    problem = read_problem(client.post(NAMES, json=body))
    assert problem["errors"][0]["path"] == "options.canary.ids"


def test_a_change_in_a_column_of_small_numbers_is_seen(client: TestClient) -> None:
    rows = [[1e6, 0.1], [2e6, 0.2], [3e6, 0.4]]
    canary = {"ids": ["a", "b", "c"], "input": {"x": rows}}
    body = {"method": "standardization", "fit": {"x": rows}, "options": {"canary": canary}}
    create(client, "t", body)
    now = {**canary, "input": {"x": [[1e6, 0.3], *rows[1:]]}}
    found = client.post(f"{NAMES}/t/drift", json={"input": {"x": rows}, "canary": now}).json()
    assert (found["canary"]["id"], found["canary"]["changed"]) == ("a", 1)


def test_observations_keep_no_canary(client: TestClient) -> None:
    create(client, "open", {"method": "percentile", "params": {"scope": "fitted"}})
    body = {"fit": {"scores": [1.0, 2.0]}, "options": {"canary": CANARY}}
    keyed = {"Idempotency-Key": "first"}
    response = client.post(f"{NAMES}/open/observations", json=body, headers=keyed)
    problem = read_problem(response)
    assert problem["errors"][0]["path"] == "options.canary"


def test_the_document_tells_what_a_canary_is_sent_and_answered_as(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    place = _watched(client)
    found = client.post(place, json={"input": {"scores": LIVE}, "canary": CANARY}).json()
    operation = document["paths"]["/v1/normalizers/{ref}/drift"]["post"]
    sent = operation["requestBody"]["content"]["application/json"]["schema"]
    answered = operation["responses"]["200"]["content"]["application/json"]["schema"]
    body, answer = (_resolved(document, schema) for schema in (sent, answered))
    assert "canary" in body["properties"]
    assert found["canary"].keys() <= answer["properties"]["canary"]["properties"].keys()
    assert found["verdict"].keys() <= answer["properties"]["verdict"]["properties"].keys()


def _resolved(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").removeprefix("#/components/schemas/")
    return document["components"]["schemas"][name] if name else schema
