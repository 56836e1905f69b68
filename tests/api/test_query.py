"""Query parameters, slashes, memory: what is not understood is refused."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient

from app.api import work
from app.main import create_app
from app.settings import Settings

SCORES = {"scores": [1.0, 2.0]}
NAMES = "/v1/normalizers"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(data=tmp_path, max_dims=3))) as client:
        yield client


def test_a_misspelt_query_parameter_stores_nothing(client: TestClient) -> None:
    body = {"name": "n", "method": "min_max"}
    problem = client.post(f"{NAMES}?dryrun=true", json=body)
    assert problem.status_code == 422
    assert "did you mean 'dry_run'" in problem.json()["detail"]
    assert problem.json()["errors"][0]["path"] == "query.dryrun"
    assert client.get(f"{NAMES}/n").status_code == 404


def test_a_query_parameter_stands_once(client: TestClient) -> None:
    answer = client.post(f"{NAMES}?dry_run=true&dry_run=false", json={"name": "n"})
    assert answer.json()["errors"][0] == {"path": "query.dry_run", "message": "send it once"}


@pytest.mark.parametrize("path", ["/v1/methods?x=1", "/v1/limits?x=1", f"{NAMES}?page=2"])
def test_queries_that_no_route_has_are_refused(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 422


def test_a_slash_too_many_is_no_path(client: TestClient) -> None:
    answer = client.get("/v1/methods/", follow_redirects=False)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["/v1/transform", NAMES])
def test_the_dims_of_a_fit_are_limited(client: TestClient, path: str) -> None:
    rows = np.eye(4).tolist()
    body = {"method": "whitening", "fit": {"x": rows}}
    answer = client.post(
        path, json={**body, **({"name": "w"} if path == NAMES else {"input": {"x": rows}})}
    )
    assert answer.status_code == 413
    assert answer.json()["setting"] == "NORMD_MAX_DIMS"
    assert answer.json()["errors"][0]["path"] == "fit.x"


def test_a_request_that_takes_too_much_memory_is_too_large(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhausted(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(work.service, "transform", exhausted)
    answer = client.post("/v1/transform", json={"method": "min_max", "input": SCORES})
    assert answer.status_code == 413
    assert "memory" in answer.json()["detail"]


@pytest.mark.parametrize(("members", "leaves"), [({}, False), ({"fit": SCORES}, True)])
def test_fits_leave_the_event_loop(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, members: dict[str, object], leaves: bool
) -> None:
    threads: list[threading.Thread] = []
    once = work.service.transform

    def watched(*args: object, **kwargs: object) -> object:
        threads.append(threading.current_thread())
        return once(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(work.service, "transform", watched)
    body = {"method": "min_max", "input": SCORES, **members}
    assert client.post("/v1/transform", json=body).status_code == 200
    assert ("AnyIO worker" in threads[0].name) is leaves


def test_the_dims_of_posted_statistics_are_limited(client: TestClient) -> None:
    scatter = {"n": 9, "mean": [0.0] * 4, "scatter": np.eye(4).tolist()}
    body = {"method": "whitening", "statistics": {"scatter": scatter}, "input": {"x": []}}
    answer = client.post("/v1/transform", json=body)
    assert answer.status_code == 413
    assert answer.json()["errors"][0]["path"] == "statistics.scatter.scatter"


@pytest.mark.parametrize("shape", [[2], [0]])
def test_an_array_is_no_object_of_parameters(client: TestClient, shape: list[int]) -> None:
    array = {"dtype": "bool", "shape": shape, "base64": "AAE=" if shape == [2] else ""}
    steps = [{"method": "min_max", "params": array}]
    body = {"method": "pipeline", "params": {"steps": steps}, "input": SCORES}
    assert client.post("/v1/transform", json=body).status_code == 422


@pytest.mark.parametrize("option", ["top_k", "offset", "depth", "start_step"])
def test_options_are_numbers_that_arrays_can_count(client: TestClient, option: str) -> None:
    body = {"method": "min_max", "input": SCORES, "options": {option: 2**63}}
    answer = client.post("/v1/transform", json=body)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["path"] == f"options.{option}"


def test_an_overflow_is_refused_also_before_rows_are_scaled(client: TestClient) -> None:
    params = {"post": "l2", "eps": 0.0, "shrinkage": "none"}
    fit = {"x": [[0.1, 0], [0, 0.1], [0.1, 0.2]]}
    given = {"x": [[1e308, 1e308]]}
    body = {"method": "whitening", "params": params, "fit": fit, "input": given}
    assert client.post("/v1/transform", json=body).status_code == 422


def test_the_size_of_an_answer_is_limited(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, max_values=100)
    fit = {"x": np.random.default_rng(1).normal(size=(12, 6)).tolist()}
    params = {"n_components": 1}
    body = {"method": "whitening", "params": params, "fit": fit, "input": {"y": [[0.5]] * 20}}
    with TestClient(create_app(settings)) as client:
        answer = client.post("/v1/inverse", json=body)
        assert answer.status_code == 413
        assert answer.json()["errors"][0]["path"] == "input.y"
        fewer = {**body, "input": {"y": [[0.5]] * 10}}
        assert client.post("/v1/inverse", json=fewer).status_code == 200


def test_k2_a_method_is_shown_as_it_works_with_parameters(client: TestClient) -> None:
    shown = client.get("/v1/methods/moment_matching", params={"params": '{"content": "request"}'})
    assert shown.json()["capabilities"]["batch_invariant"] is False
    assert shown.json()["params"]["ddof"] == 1
    for wrong in ('{"content": "x"}', "[1]", "{", '{"nothing": 1}'):
        answer = client.get("/v1/methods/moment_matching", params={"params": wrong})
        assert answer.status_code in (400, 422), answer.text
