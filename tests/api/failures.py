"""Requests that must fail: at least one for every type of problem."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from fastapi.testclient import TestClient

from tests.api.problem import MARKER, Answered
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


def send_chunked(client: TestClient) -> Answered:
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


def aliased(**headers: str) -> Callable[[TestClient], Answered]:
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
    Failure("If-Match", "precondition-failed", _with(PERCENTILE, aliased(if_match=f'"{MARKER}"'))),
    Failure("If-None-Match", "precondition-failed", _with(PERCENTILE, aliased(if_none_match="*"))),
    Failure(
        "Content-Length", "too-large", _post("/v1/transform", [MARKER] * SMALL_BODY), None, LARGE
    ),
    Failure("chunked", "too-large", send_chunked, None, LARGE),
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
