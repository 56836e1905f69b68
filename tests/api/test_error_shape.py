"""Every failing path answers the one problem shape, and never echoes what was sent."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import pytest
from fastapi.testclient import TestClient
from starlette.exceptions import HTTPException

from app.problems import CATALOGUE, TABLE, problem_of
from normalizers.errors import MissingDependency
from tests.api.conftest import Serve
from tests.api.problem import (
    MARKER,
    MOST_ERRORS,
    STATUSES,
    Answered,
    paths_of,
    read_problem,
    slug_of,
)
from tests.api.samples import (
    HUBS,
    JSON,
    NAMES,
    PERCENTILE,
    RUNS,
    SAFETENSORS,
    SCORES,
    WHITENING,
    create,
    post,
    tensors,
)

# A small body that every field limit below refuses is not above this.
SMALL_BODY = 4096


class Failure(NamedTuple):
    """A request that must fail, how, and where."""

    name: str
    slug: str
    ask: Callable[[TestClient], Answered]
    path: str | None = None
    settings: dict[str, object] = {}


def _one_shot(**body: object) -> Callable[[TestClient], Answered]:
    return lambda client: post(client, "/v1/transform", body)


def _inverse(**body: object) -> Callable[[TestClient], Answered]:
    return lambda client: post(client, "/v1/inverse", body)


def _fuse(**body: object) -> Callable[[TestClient], Answered]:
    return lambda client: post(client, "/v1/fuse", body)


def _get(path: str, **headers: str) -> Callable[[TestClient], Answered]:
    return lambda client: client.get(path, headers=headers)


def _with(
    body: dict[str, object], ask: Callable[[TestClient], Answered]
) -> Callable[[TestClient], Answered]:
    """Create the name ``n`` first."""

    def asked(client: TestClient) -> Answered:
        create(client, "n", body)
        return ask(client)

    return asked


def _post(path: str, body: object, **headers: str) -> Callable[[TestClient], Answered]:
    return lambda client: post(
        client, path, body, headers={name.replace("_", "-"): text for name, text in headers.items()}
    )


def _chunked(client: TestClient) -> Answered:
    def chunks() -> Iterator[bytes]:
        yield b'{"method": "min_max", "input": {"scores": ["'
        for _ in range(SMALL_BODY):
            yield MARKER.encode()

    return client.post("/v1/transform", content=chunks(), headers={"content-type": JSON})


def _repeated_key(client: TestClient) -> Answered:
    path = f"{NAMES}/n/observations"
    sent = {"idempotency-key": "k"}
    assert post(client, path, {"fit": {"scores": [1.0]}}, headers=sent).status_code == 200
    return post(client, path, {"fit": {"scores": [2.0]}}, headers=sent)


def _alias(**headers: str) -> Callable[[TestClient], Answered]:
    def ask(client: TestClient) -> Answered:
        path = f"{NAMES}/n/aliases/prod"
        assert client.put(path, json={"version": 1}).status_code == 201
        sent = {name.replace("_", "-"): text for name, text in headers.items()}
        return client.put(path, json={"version": 1}, headers=sent)

    return ask


def _damaged(client: TestClient) -> Answered:
    hash = str(client.get(f"{NAMES}/n").json()["hash"])
    file = client.app.state.context.settings.data / "versions" / hash[:2] / f"{hash}.safetensors"  # type: ignore[attr-defined]
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    return client.get(f"{NAMES}/n/export")


def _locked(client: TestClient) -> Answered:
    create(client, "n", PERCENTILE)
    registry = client.app.state.context.registry  # type: ignore[attr-defined]
    with registry._database.write():
        return client.delete(f"{NAMES}/n")


LARGE = {"max_body_bytes": SMALL_BODY}
TWO_LISTS = {"scores": [[1.0], [2.0]]}

FAILURES = [
    Failure("no JSON", "unparseable", _post("/v1/transform", f"{{{MARKER}".encode())),
    Failure(
        "NaN token",
        "unparseable",
        _post("/v1/transform", f'{{"method": "{MARKER}", "input": {{"x": [1, NaN]}}}}'.encode()),
        "input.x[1]",
    ),
    Failure("no path", "not-found", _get(f"/v1/{MARKER}")),
    Failure("no method shown", "not-found", _get("/v1/methods/nothing")),
    Failure("no problem type", "not-found", _get(f"/problems/{MARKER}")),
    Failure("no name", "not-found", _get(f"{NAMES}/nothing")),
    Failure("no version", "not-found", _with(PERCENTILE, _get(f"{NAMES}/n@7"))),
    Failure("no alias", "not-found", _with(PERCENTILE, _get(f"{NAMES}/n@prod"))),
    Failure("patch", "method-not-allowed", lambda client: client.patch(NAMES)),
    Failure("html", "not-acceptable", _get("/v1/methods", accept="text/html")),
    Failure(
        "html from work",
        "not-acceptable",
        _post("/v1/transform", {"method": MARKER}, accept="text/html"),
    ),
    Failure("taken", "conflict", _with(PERCENTILE, _post(NAMES, {"name": "n", **WHITENING}))),
    Failure("same key", "conflict", _with(PERCENTILE, _repeated_key)),
    Failure(
        "no version yet",
        "conflict",
        _with(
            {"method": "whitening"},
            _post(f"{NAMES}/n/transform", {"input": {"x": [[1.0, 2.0]], "ids": [MARKER]}}),
        ),
    ),
    Failure(
        "another beta",
        "incompatible-statistics",
        _with(
            HUBS,
            _post(
                f"{NAMES}/n/versions",
                {
                    "from": "merge",
                    "refs": ["n@1"],
                    "statistics": {
                        "log_sum_exp": {
                            "n": 2,
                            "beta": 5.0,
                            "item_lse": [0.1, 0.2, 0.3],
                            "item_ids": [MARKER, "b", "c"],
                        }
                    },
                },
            ),
        ),
    ),
    Failure("If-Match", "precondition-failed", _with(PERCENTILE, _alias(if_match=f'"{MARKER}"'))),
    Failure("If-None-Match", "precondition-failed", _with(PERCENTILE, _alias(if_none_match="*"))),
    Failure(
        "Content-Length", "too-large", _post("/v1/transform", [MARKER] * SMALL_BODY), None, LARGE
    ),
    Failure("chunked", "too-large", _chunked, None, LARGE),
    Failure(
        "values",
        "too-large",
        _one_shot(method=MARKER, input={"scores": SCORES}),
        "input.scores",
        {"max_values": 3},
    ),
    Failure(
        "lists",
        "too-large",
        _one_shot(method="min_max", input=TWO_LISTS),
        "input.scores",
        {"max_lists": 1},
    ),
    Failure(
        "rows",
        "too-large",
        _one_shot(**WHITENING, input={"x": [[1.0, 2.0, 3.0]]}),
        "fit.x",
        {"max_rows": 2},
    ),
    Failure(
        "ids",
        "too-large",
        _fuse(method="rrf", runs=[*RUNS, {"ids": [MARKER, "b", "c", "d"]}]),
        "runs[2].ids",
        {"max_ids": 3},
    ),
    Failure("no type", "unsupported-media-type", lambda c: post(c, NAMES, b"{}", media_type=None)),
    Failure(
        "text",
        "unsupported-media-type",
        lambda client: post(client, NAMES, MARKER.encode(), media_type="text/plain"),
    ),
    Failure(
        "import of JSON",
        "unsupported-media-type",
        lambda client: post(client, f"{NAMES}/import?name=n", MARKER.encode()),
    ),
    Failure(
        "import of nothing",
        "corrupt-version",
        lambda client: post(
            client, f"{NAMES}/import?name=n", MARKER.encode(), media_type=SAFETENSORS
        ),
    ),
    Failure(
        "text as a number",
        "dtype-error",
        _one_shot(method="min_max", input={"scores": [1.0, MARKER]}),
        "input.scores[1]",
    ),
    Failure(
        "no such data",
        "fit-error",
        _one_shot(
            method="whitening",
            params={"ddof": 0},
            statistics={
                "scatter": {"cov": [[1.0, 0.0], [0.0, 1.0]], "mean": [0.0, 0.0], "ddof": 1}
            },
            input={"x": [[1.0, 2.0]]},
        ),
    ),
    Failure(
        "unknown member",
        "invalid-input",
        _one_shot(method="min_max", inputs={"scores": [MARKER]}),
        "inputs",
    ),
    Failure("bad query", "invalid-input", _get(f"{NAMES}?limit={MARKER}"), "query.limit"),
    Failure("no query", "invalid-input", _post(f"{NAMES}/import", MARKER.encode()), "query.name"),
    Failure(
        "unknown parameter",
        "invalid-params",
        _one_shot(method="min_max", params={"bound": MARKER}, input={"scores": SCORES}),
        "params.bound",
    ),
    Failure(
        "parameter of another type",
        "invalid-params",
        _one_shot(method="min_max", params={"bounds": MARKER}, input={"scores": SCORES}),
        "params.bounds",
    ),
    Failure(
        "fusion parameter",
        "invalid-params",
        _fuse(method="rrf", k=MARKER, runs=RUNS),
        "k",
    ),
    Failure(
        "a missing score",
        "non-finite",
        _one_shot(method="min_max", input={"scores": [1.0, None]}),
        None,
    ),
    Failure(
        "one row",
        "not-enough-data",
        _one_shot(method="whitening", fit={"x": [[1.0, 2.0]]}, input={"x": [[1.0, 2.0]]}),
    ),
    Failure("no fit", "not-fitted", _one_shot(method="whitening", input={"x": [[1.0, 2.0]]})),
    Failure(
        "no rank",
        "rank-deficient",
        _one_shot(
            method="whitening",
            params={"rank_policy": "error", "eps_rel": 0.0, "shrinkage": "none"},
            fit={"x": [[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]},
            input={"x": [[1.0, 2.0]]},
        ),
    ),
    Failure(
        "lengths",
        "shape-error",
        _fuse(method="rrf", runs=[{"ids": ["a", MARKER], "scores": [1.0]}]),
        "runs[0].scores",
    ),
    Failure(
        "unknown method",
        "unknown-method",
        _one_shot(method="min_mx", input={"scores": [MARKER]}),
        "method",
    ),
    Failure(
        "no inverse",
        "unsupported-operation",
        _inverse(method="percentile", input={"values": [MARKER]}),
    ),
    Failure("flipped byte on disk", "damaged-version", _with(PERCENTILE, _damaged)),
    Failure("locked", "unavailable", _locked, None, {"busy_timeout_seconds": 0.01}),
]


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
    elsewhere = {"internal", "bad-request", "missing-dependency", "incompatible-state"}
    assert {failure.slug for failure in FAILURES} | elsewhere == STATUSES.keys()


def test_405_lists_every_method_the_path_allows(client: TestClient) -> None:
    for path, allowed in {
        "/v1/transform": {"POST"},
        NAMES: {"GET", "POST"},
        f"{NAMES}/n": {"GET", "DELETE"},
        f"{NAMES}/n/versions": {"GET", "POST"},
        f"{NAMES}/n/observations": {"GET", "POST", "DELETE"},
        f"{NAMES}/n/aliases/prod": {"PUT", "DELETE"},
    }.items():
        response = client.patch(path, content=MARKER)
        assert slug_of(response) == "method-not-allowed"
        assert set(response.headers["allow"].split(", ")) == allowed


def test_413_names_the_limit_and_the_setting(serve: Serve) -> None:
    client = serve(max_body_bytes=SMALL_BODY, max_lists=1)
    large = read_problem(post(client, "/v1/transform", [MARKER] * SMALL_BODY))
    assert (large["limit"], large["setting"]) == (SMALL_BODY, "NORMD_MAX_BODY_BYTES")
    chunked = read_problem(_chunked(client))
    assert {**chunked, "request_id": ""} == {**large, "request_id": ""}
    lists = read_problem(post(client, "/v1/transform", {"method": "min_max", "input": TWO_LISTS}))
    assert (lists["limit"], lists["setting"]) == (1, "NORMD_MAX_LISTS")
    titles = {item["type"]: item["title"] for item in client.get("/problems").json()["items"]}
    assert large["title"] == lists["title"] == titles["/problems/too-large"]


def test_412_tells_where_the_alias_points(client: TestClient) -> None:
    hash = create(client, "n", PERCENTILE)["hash"]
    assert read_problem(_alias(if_match='"other"')(client))["actual"] == hash


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
    monkeypatch.setattr("app.codecs.json.parse", broken)
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
