"""Refusals as the library's own errors, and what is no normd service at all."""

from __future__ import annotations

import pickle

import numpy as np
import orjson
import pytest
from starlette.responses import Response

from app.problems import TABLE
from normalizers import errors as library
from normalizers.errors import NormalizerError
from normd.client import Client
from normd.client import errors as client_errors
from normd.client.errors import (
    ClientError,
    Conflict,
    NotFound,
    NotSupported,
    PreconditionFailed,
    Refused,
    TooLarge,
    Unavailable,
    UnexpectedServer,
    refused,
)
from tests.unit.normd.client.answering import answering

LIBRARY = [(known, kind) for known, kind in TABLE if issubclass(known, NormalizerError)]
OTHERS = [(known, kind) for known, kind in TABLE if not issubclass(known, NormalizerError)]


@pytest.mark.parametrize("known, kind", LIBRARY)
def test_every_error_of_the_library_comes_back_as_itself(known, kind) -> None:
    problem = {
        "type": kind.uri,
        "title": kind.title,
        "status": kind.status,
        "detail": "input.x[3]: no",
        "errors": [{"path": "input.x[3]", "message": "no"}],
        "request_id": "abc",
        "positions": [[3]],
        "rank": 2,
        "remedy": "add rows",
    }
    error = refused(problem, kind.status, "http://a/v1")
    assert isinstance(error, known)
    assert isinstance(error, Refused)
    assert isinstance(error, ClientError)
    assert (error.status, error.request_id, error.url) == (kind.status, "abc", "http://a/v1")
    assert (str(error), error.path, error.faults[0].message) == (
        "input.x[3]: no",
        "input.x[3]",
        "no",
    )
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), vars(again)) == (type(error), vars(error))


@pytest.mark.parametrize("known, kind", OTHERS)
def test_every_other_problem_has_a_class(known, kind) -> None:
    error = refused({"type": kind.uri, "detail": "no"}, kind.status, "")
    assert type(error) is not Refused
    assert not isinstance(error, NormalizerError)


def test_the_most_special_class_is_taken() -> None:
    assert client_errors.ShapeError is type(refused({"type": "/problems/shape-error"}, 422, ""))
    with pytest.raises(AttributeError):
        client_errors.Nothing


def test_members_of_problems_are_attributes(client: Client) -> None:
    with pytest.raises(library.NonFiniteError) as caught:
        client.transform("min_max", [1.0, None])
    assert caught.value.positions == [(0, 1)] or caught.value.positions == [(1,)]
    client.fit("a", "percentile", [1.0, 2.0])
    client.alias("a", "prod", 1)
    with pytest.raises(PreconditionFailed) as moved:
        client.alias("a", "prod", 1, if_match="0" * 64)
    assert moved.value.actual == client.show("a")["hash"]


def test_a_deficient_rank_tells_rank_and_remedy(client: Client) -> None:
    rows = np.ones((4, 3))
    rows[:, 0] = [1.0, 2.0, 3.0, 4.0]
    params = {"rank_policy": "error", "eps": 0.0, "shrinkage": "none"}
    with pytest.raises(library.RankDeficient) as caught:
        client.fit("a", "whitening", rows, params=params)
    assert caught.value.rank == 1
    assert caught.value.remedy


def test_conflicts_and_missing_names(client: Client) -> None:
    client.fit("a", "percentile", [1.0, 2.0])
    with pytest.raises(Conflict, match="versions"):
        client.fit("a", "percentile", [1.0, 3.0])
    with pytest.raises(NotFound):
        client.report("b")
    with pytest.raises(NotFound) as caught:
        client.transform("percentil", [1.0])
    assert "'percentile'" in caught.value.__notes__[0]
    with pytest.raises(library.UnknownName, match="min_max"):
        client.transform("min_mx", [1.0], params={})


def test_a_stored_name_takes_no_parameters(client: Client) -> None:
    client.fit("a", "percentile", [1.0, 2.0])
    with pytest.raises(library.InvalidInput, match="its own"):
        client.transform("a", [1.0], params={"kind": "mean"}, stored=True)


@pytest.mark.parametrize(
    "status, media_type, content",
    [
        (404, "text/html", b"<h1>Not Found</h1>"),
        (404, "application/json", b'{"detail":"Not Found"}'),
        (200, "text/html", b"<h1>Welcome</h1>"),
        (200, "application/json", b"[1, 2]"),
        (200, "application/json", b"{"),
        (500, "text/plain", b"oops"),
        (302, "text/html", b""),
        (400, "application/problem+json", b"<"),
    ],
)
def test_what_is_no_normd_is_said_to_be_none(status: int, media_type: str, content: bytes) -> None:
    def handle(request, _):  # type: ignore[no-untyped-def]
        return Response(content, status, None, media_type)

    with answering(handle) as server, Client(server.url) as client:
        with pytest.raises(UnexpectedServer) as caught:
            client.show("a")
        assert server.url in str(caught.value)
        with pytest.raises(UnexpectedServer):
            client.ready()


def test_a_gateway_that_reaches_nothing_is_unavailable() -> None:
    def handle(request, _):  # type: ignore[no-untyped-def]
        return Response(b"bad gateway", 502, None, "text/html")

    with answering(handle) as server, Client(server.url, retries=0) as client:
        with pytest.raises(Unavailable, match="502"):
            client.show("a")
        assert client.ready() is False


def test_an_answer_without_its_members_is_no_normd() -> None:
    def handle(request, _):  # type: ignore[no-untyped-def]
        return Response(b"{}", 200, None, "application/json")

    with answering(handle) as server, Client(server.url) as client:
        for call in (
            client.methods,
            client.limits,
            lambda: client.report("a"),
            lambda: list(client.names()),
        ):
            with pytest.raises(UnexpectedServer, match=server.url):
                call()


PATHS = {
    "/v1/methods": {"get": {}},
    "/v1/normalizers/{name}": {"get": {}},
    "/v1/transform": {"post": {}},
}
MIN_MAX = {
    "name": "min_max",
    "aliases": {},
    "affects": {},
    "takes": {"scores": {"kind": "lists", "shape": "~(N)"}},
    "gives": {"values": {"kind": "lists", "shape": "~(N)"}},
    "capabilities": {"batch_invariant": True},
}
ANSWER = {
    "method": "min_max",
    "effective_params": {},
    "output": {"values": [0.0, 1.0]},
    "flags": {},
    "warnings": [],
}


def _old(request, _):  # type: ignore[no-untyped-def]
    """Answer as a release would that reads JSON alone and cannot export."""
    if request.url.path == "/openapi.json":
        return Response(orjson.dumps({"paths": PATHS}), 200, None, "application/json")
    if request.url.path == "/v1/methods/min_max":
        return Response(orjson.dumps(MIN_MAX), 200, None, "application/json")
    if request.url.path == "/v1/methods":
        return Response(orjson.dumps({"items": [MIN_MAX]}), 200, None, "application/json")
    if request.url.path == "/v1/transform":
        if request.headers["content-type"] == "application/json":
            return Response(orjson.dumps(ANSWER), 200, None, "application/json")
        return _problem("unsupported-media-type", 415)
    return _problem("not-found", 404)


def _problem(slug: str, status: int) -> Response:
    problem = {"type": f"/problems/{slug}", "status": status, "detail": "no"}
    return Response(orjson.dumps(problem), status, None, "application/problem+json")


def test_an_old_service_is_asked_in_json() -> None:
    scores = np.arange(1000.0)
    with answering(_old) as server, Client(server.url, compress="gzip") as client:
        assert client.transform("min_max", scores).tolist() == [0.0, 1.0]
        asked = len(server.asked)
        client.transform("min_max", scores)
        assert len(server.asked) == asked + 1
        assert client.session.unread == {"gzip", "npy", "safetensors"}


def test_a_form_that_was_asked_for_is_not_given_up() -> None:
    with answering(_old) as server, Client(server.url) as client:
        assert client.transform("min_max", [1.0, 2.0]).tolist() == [0.0, 1.0]
        with pytest.raises(NotSupported, match="safetensors"):
            client.transform("min_max", np.array([1.0, 2.0]), form="safetensors")


def test_a_route_that_an_old_service_lacks_is_named() -> None:
    with answering(_old) as server, Client(server.url) as client:
        with pytest.raises(NotSupported, match=r"GET /v1/normalizers/\{ref\}/export"):
            client.export("a")
        with pytest.raises(NotFound):
            client.show("a")


def test_a_body_above_the_limit_is_refused_before_it_is_sent(limited) -> None:
    client = limited(max_body_bytes=2_000_000)
    rows = np.zeros((40, 10_000))
    with pytest.raises(TooLarge) as caught:
        client.transform("whitening", np.zeros(400_000), fit={"x": rows})
    assert (caught.value.limit, caught.value.setting) == (2_000_000, "NORMD_MAX_BODY_BYTES")
