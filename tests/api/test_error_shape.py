"""Every failing path answers the one problem shape, and never echoes what was sent."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from fastapi.testclient import TestClient
from starlette.exceptions import HTTPException

from app.problems import CATALOGUE, TABLE, problem_of
from normalizers.errors import MissingDependency
from tests.api.conftest import Serve
from tests.api.failures import FAILURES, SMALL_BODY, TWO_LISTS, Failure, aliased, send_chunked
from tests.api.problem import MARKER, MOST_ERRORS, STATUSES, paths_of, read_problem, slug_of
from tests.api.samples import NAMES, PERCENTILE, SAFETENSORS, WHITENING, create, post, tensors


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.name)
def test_a_failing_request_answers_the_problem_shape(failure: Failure, serve: Serve) -> None:
    response = failure.ask(serve(**failure.settings))
    assert slug_of(response) == failure.slug
    if failure.path is not None:
        assert paths_of(response)[0] == failure.path
        assert failure.path in str(read_problem(response)["detail"])


def test_every_problem_type_is_documented_and_tested(client: TestClient) -> None:
    documented = {
        item["type"].removeprefix("/problems/"): item["status"]
        for item in client.get("/problems").json()["items"]
    }
    assert documented == STATUSES
    for slug in documented:
        shown = client.get(f"/problems/{slug}")
        assert shown.status_code == 200
        assert shown.json()["status"] == STATUSES[slug]
    # Those of keys are in test_keys.py.
    keys = {"unauthorized", "forbidden", "too-many-requests"}
    elsewhere = keys | {"internal", "bad-request", "missing-dependency", "incompatible-state"}
    assert {failure.slug for failure in FAILURES} | elsewhere == STATUSES.keys()


def test_405_lists_every_method_the_path_allows(client: TestClient) -> None:
    for path, allowed in {
        "/v1/transform": {"POST"},
        NAMES: {"GET", "HEAD", "POST"},
        f"{NAMES}/n": {"GET", "HEAD", "DELETE"},
        f"{NAMES}/n/versions": {"GET", "HEAD", "POST"},
        f"{NAMES}/n/observations": {"GET", "HEAD", "POST", "DELETE"},
        f"{NAMES}/n/aliases/prod": {"PUT", "DELETE"},
    }.items():
        response = client.patch(path, content=MARKER)
        assert slug_of(response) == "method-not-allowed"
        assert set(response.headers["allow"].split(", ")) == allowed


def test_413_names_the_limit_and_the_setting(serve: Serve) -> None:
    client = serve(max_body_bytes=SMALL_BODY, max_lists=1)
    large = read_problem(post(client, "/v1/transform", [MARKER] * SMALL_BODY))
    assert (large["limit"], large["setting"]) == (SMALL_BODY, "NORMD_MAX_BODY_BYTES")
    chunked = read_problem(send_chunked(client))
    assert {**chunked, "request_id": ""} == {**large, "request_id": ""}
    lists = read_problem(post(client, "/v1/transform", {"method": "min_max", "input": TWO_LISTS}))
    assert (lists["limit"], lists["setting"]) == (1, "NORMD_MAX_LISTS")
    titles = {item["type"]: item["title"] for item in client.get("/problems").json()["items"]}
    assert large["title"] == lists["title"] == titles["/problems/too-large"]


def test_412_tells_where_the_alias_points(client: TestClient) -> None:
    hash = create(client, "n", PERCENTILE)["hash"]
    assert read_problem(aliased(if_match='"other"')(client))["actual"] == hash


def test_non_finite_values_are_listed_by_position(client: TestClient) -> None:
    response = post(
        client, "/v1/transform", {"method": "min_max", "input": {"scores": [[1.0], [2.0, None]]}}
    )
    assert read_problem(response)["positions"] == [[1, 1]]


@pytest.mark.parametrize("body", [{"method": MARKER, "input": {}}, MARKER])
def test_500_carries_the_request_id_and_nothing_else(
    client: TestClient,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    body: object,
) -> None:
    def broken(*_: object, **__: object) -> object:
        raise RuntimeError(f"a secret {MARKER}")

    monkeypatch.setattr("app.api.work.read_body", broken)
    monkeypatch.setattr("normd.wire.codecs.json.parse", broken)
    with caplog.at_level(logging.CRITICAL, logger="normd"):
        response = post(client, "/v1/transform", body, headers={"x-request-id": "mine-1"})
    problem = read_problem(response)
    assert problem == {
        "type": "/problems/internal",
        "title": CATALOGUE["internal"].title,
        "status": 500,
        "detail": "something unexpected happened; the request id finds it in the logs",
        "errors": [],
        "request_id": "mine-1",
    }


def test_500_in_a_write_off_the_event_loop(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> object:
        raise KeyError(MARKER)

    monkeypatch.setattr("app.service.normalizers.new_version", broken)
    assert slug_of(post(client, NAMES, {"name": "n", **WHITENING})) == "internal"
    monkeypatch.undo()
    assert client.get(NAMES).json()["items"] == []


def test_an_error_of_the_framework_is_a_problem(client: TestClient) -> None:
    async def teapot() -> None:
        raise HTTPException(418, MARKER)

    client.app.add_api_route("/teapot", teapot)  # type: ignore[attr-defined]
    assert slug_of(client.get("/teapot")) == "bad-request"


def test_a_missing_package_is_a_problem() -> None:
    problem = problem_of(MissingDependency("install normd[gpu]"))
    assert problem is not None
    assert problem.type == CATALOGUE["missing-dependency"]
    assert problem_of(RuntimeError(MARKER)) is None


def test_each_class_has_one_type_and_each_type_one_status() -> None:
    by_slug = {kind.slug: kind for _, kind in TABLE}
    assert all(by_slug[kind.slug] == kind for _, kind in TABLE)


def test_report_2_many_faults_stay_few_and_small(client: TestClient) -> None:
    texts = [MARKER] * 100_000
    for body in (
        {"method": "min_max", "input": {"scores": texts}},
        {"method": "min_max", "input": {"scores": [texts]}},
        {"method": "min_max", "params": {"fixed": texts}, "input": {"scores": [1.0]}},
        {"method": "min_max", "params": {"bounds": texts}, "input": {}},
        {"method": "min_max", "params": {f"p{i}": 1 for i in range(1000)}, "input": {}},
        {"method": "min_max", "input": {f"p{i}": 1 for i in range(1000)}},
        {"method": "min_max", "options": {f"p{i}": 1 for i in range(1000)}, "input": {}},
    ):
        response = post(client, "/v1/transform", body)
        assert response.status_code == 422
        assert 1 <= len(paths_of(response)) <= MOST_ERRORS


def test_faults_beyond_the_first_are_told_apart(client: TestClient) -> None:
    body = {"method": 1, "params": [], "fit": "x", "input": MARKER, "options": 5}
    assert set(paths_of(post(client, "/v1/transform", body))) == set(body)
    tags = {"name": "n", "method": "min_max", "tags": [5] * 50}
    assert len(paths_of(post(client, NAMES, tags))) == MOST_ERRORS


def test_large_bodies_fail_in_the_same_shape_off_the_event_loop(serve: Serve) -> None:
    client = serve(offload_bytes=0)
    for body in ({"method": "min_max", "input": {"scores": [MARKER]}}, MARKER, [], None):
        assert post(client, "/v1/transform", body).status_code == 422
    assert slug_of(post(client, "/v1/transform", b"{")) == "unparseable"
    tensor = tensors({"method": "min_max"}, input__scores=np.array([True]))
    assert post(client, "/v1/transform", tensor, media_type=SAFETENSORS).status_code in (200, 422)


def test_report_15_a_request_id_is_kept_only_when_it_is_safe(client: TestClient) -> None:
    good = client.get("/v1/nothing", headers={"x-request-id": "abc-1.2_3"})
    assert read_problem(good)["request_id"] == "abc-1.2_3"
    for bad in ("x" * 10_000, 'a"b', "a b", "\u2028".encode(), "a\tb"):
        answered = client.get("/v1/nothing", headers={"x-request-id": bad})
        shown = str(read_problem(answered)["request_id"])
        assert len(shown) == 32
        assert int(shown, 16) >= 0


def test_r32_415_says_what_is_read(client: TestClient) -> None:
    create(client, "n", WHITENING)
    headers = {"content-type": "text/html"}
    told = client.post("/v1/transform", content=b"{}", headers=headers).headers
    assert set(told["accept"].split(", ")) >= {"application/json", SAFETENSORS}
    assert "accept-encoding" not in told
    ranked = client.post("/v1/fuse", content=b"{}", headers=headers).headers["accept"]
    assert {"text/plain", "multipart/form-data"} <= set(ranked.split(", "))
    one_array = {"content-type": "application/x-npy"}
    several = client.post("/v1/fuse", content=b"", headers=one_array).headers["accept"]
    assert "application/x-npy" not in several
    file = client.post(f"{NAMES}/import?name=m", content=b"", headers=headers).headers["accept"]
    assert file == f"{SAFETENSORS}, application/octet-stream"
    for coding in ("br", "gzip, zstd"):
        coded = {"content-type": "application/json", "content-encoding": coding}
        refused = client.post("/v1/transform", content=b"{}", headers=coded)
        assert slug_of(refused) == "unsupported-media-type"
        assert refused.headers["accept-encoding"] == "gzip, x-gzip, zstd"


def test_r32_allow_does_not_mix_the_routes_of_import_and_of_names(client: TestClient) -> None:
    assert client.put(f"{NAMES}/import").headers["allow"] == "POST"
    assert client.put(f"{NAMES}/imports").headers["allow"] == "DELETE, GET, HEAD"
