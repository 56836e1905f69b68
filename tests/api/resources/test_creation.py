"""The first version of a name, an opened name, and the same request again."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from tests.api.encoding import as_base64
from tests.api.problem import read_problem, slug_of
from tests.api.resources.statistics import SOME, statistics_of
from tests.api.samples import (
    JSON,
    MORE_ROWS,
    NAMES,
    ROWS,
    SAFETENSORS,
    SCORES,
    create,
    look,
    post,
    stored,
    tensors,
)


def test_a_fit_makes_version_1(client: TestClient) -> None:
    response = client.post(
        NAMES, json={"name": "n", **SOME, "description": "of\nme", "tags": ["a", "b"]}
    )
    assert response.status_code == 201
    manifest = response.json()
    assert manifest == look(client, "/n")
    assert (manifest["name"], manifest["version"], manifest["n"]) == ("n", 1, len(ROWS))
    assert manifest["params"] == SOME["params"]
    assert manifest["resolved"].items() > {"variant": "zca", "ddof": 1}.items()
    assert (manifest["description"], manifest["tags"]) == ("of\nme", ["a", "b"])
    assert manifest["from"] == "fit"
    assert manifest["report"]["n"] == len(ROWS)
    assert response.headers["etag"] == f'"{manifest["hash"]}"'
    assert response.headers["location"] == f"{NAMES}/n"


def test_a_method_without_fit_gets_a_version_from_its_parameters(client: TestClient) -> None:
    made = create(client, "n", {"method": "min_max", "params": {"bounds": "observed"}})
    assert (made["version"], made["n"], made["from"]) == (1, 0, "params")
    answer = client.post(f"{NAMES}/n/transform", json={"input": {"scores": [1.0, 3.0]}}).json()
    assert answer["output"]["values"] == [0.0, 1.0]
    assert answer["effective_params"]["scope"] == "query"


def test_a_fitted_method_without_data_opens_the_name(client: TestClient) -> None:
    made = create(client, "n", {"method": "whitening"})
    assert (made["version"], made["hash"]) == (None, None)
    assert look(client, "/n")["version"] is None
    response = client.post(f"{NAMES}/n/transform", json={"input": {"x": ROWS}})
    assert slug_of(response) == "conflict"
    assert f"{NAMES}/n/versions" in str(read_problem(response)["detail"])
    for path in ("statistics", "fitted", "report", "export"):
        assert slug_of(client.get(f"{NAMES}/n/{path}")) == "conflict"
    assert look(client, "/n/versions") == {"items": [], "next": None}


def test_the_same_request_in_any_form_is_the_same_version(client: TestClient) -> None:
    first = create(client, "n", SOME)
    body = {"name": "n", **SOME}
    again = [
        client.post(NAMES, json=body),
        client.post(NAMES, json={**body, "fit": {"x": as_base64(ROWS)}}),
        client.post(NAMES, json={**body, "params": {"variant": "zca", "eps_rel": 1}}),
        client.post(NAMES, json={**body, "params": {**SOME["params"], "eps": None}}),  # type: ignore[dict-item]
        client.post(NAMES, json={**body, "method": "ZCA", "params": {"eps_rel": 1.0}}),
        client.post(NAMES, json={**body, "description": "other words"}),
        post(
            client,
            NAMES,
            tensors({"name": "n", **SOME, "fit": {}}, fit__x=ROWS),
            media_type=SAFETENSORS,
            headers={"accept": JSON},
        ),
    ]
    for response in again:
        assert response.status_code == 200, response.content
        assert response.json()["hash"] == first["hash"]  # type: ignore[attr-defined]
    assert len(look(client, "/n/versions")["items"]) == 1  # type: ignore[arg-type]


def test_the_same_opening_is_200(client: TestClient) -> None:
    create(client, "n", {"method": "whitening"})
    again = client.post(NAMES, json={"name": "n", "method": "whitening", "params": {}})
    assert again.status_code == 200


def test_another_request_is_409_and_points_to_versions(client: TestClient) -> None:
    create(client, "n", SOME)
    before = stored(client)
    for change in (
        {"fit": {"x": MORE_ROWS}},
        {"params": {"eps_rel": 2.0}},
        {"method": "min_max", "params": {}, "fit": {"scores": SCORES}},
        {"fit": None},
    ):
        response = client.post(NAMES, json={"name": "n", **SOME, **change})
        assert slug_of(response) == "conflict"
        assert f"{NAMES}/n/versions" in str(read_problem(response)["detail"])
    assert stored(client) == before


def test_statistics_make_the_version_that_the_data_make(client: TestClient) -> None:
    fitted = create(client, "n", SOME)
    statistics = statistics_of(client, "/n/statistics")
    made = create(client, "m", {**SOME, "fit": None, "statistics": statistics})
    assert made["hash"] == fitted["hash"]
    assert made["from"] == "statistics"


@pytest.mark.parametrize("flag", ["true", "1", "yes"])
def test_a_dry_run_reports_and_stores_nothing(client: TestClient, flag: str) -> None:
    before = stored(client)
    trial = client.post(f"{NAMES}?dry_run={flag}", json={"name": "n", **SOME})
    assert trial.status_code == 200
    assert trial.json()["dry_run"] is True
    assert trial.json()["version"] is None
    assert stored(client) == before
    made = create(client, "n", SOME)
    assert trial.json()["report"] == made["report"]
    assert trial.json()["resolved"] == made["resolved"]


def test_a_dry_run_of_an_opening(client: TestClient) -> None:
    trial = client.post(f"{NAMES}?dry_run=true", json={"name": "n", "method": "whitening"})
    assert trial.status_code == 200
    assert client.get(NAMES).json()["items"] == []
