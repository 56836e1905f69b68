"""What is sent again, with which key, and when."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import anyio
import httpx
import orjson
import pytest
from starlette.responses import Response

from app.settings import Settings
from normd.client import AsyncClient, Client
from normd.client.calls import Call
from normd.client.errors import Refused, Unavailable, Unreachable
from normd.client.retries import RetryPolicy
from tests.unit.normd.client.answering import answering, free_url

LONGEST = 0.05
DESCRIBED = {"name": "percentile", "aliases": {}, "affects": {}, "fits": {"scores": {}}}


def _json(value: object, status: int = 200, **headers: str) -> Response:
    return Response(orjson.dumps(value), status, headers, "application/json")


def _busy(status: int = 503, **headers: str) -> Response:
    problem = {"type": "/problems/unavailable", "status": status, "detail": "not now"}
    return Response(orjson.dumps(problem), status, headers, "application/problem+json")


def _after(times: int, busy: Response):  # type: ignore[no-untyped-def]
    """Answer methods at once, writes only after `times` refusals."""
    refusals = iter([busy] * times)

    def handle(request, _):  # type: ignore[no-untyped-def]
        if request.method == "GET":
            return _json({**DESCRIBED, "method": DESCRIBED})
        return next(
            refusals, _json({"name": "a", "method": "percentile", "version": 1, "counted": True})
        )

    return handle


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_write_is_repeated_with_its_one_key(status: int) -> None:
    busy = _busy(status, **{"retry-after": "60"})
    with answering(_after(2, busy)) as server, Client(server.url, longest_wait=LONGEST) as client:
        assert client.create("a", "percentile", fit=[1.0])["version"] == 1
        writes = [
            key for (verb, *_), key in zip(server.asked, server.keys, strict=True) if verb == "POST"
        ]
        bodies = {body for verb, _, _, body in server.asked if verb == "POST"}
    assert len(writes) == 3
    assert len(set(writes)) == 1
    assert writes[0] is not None
    assert len(bodies) == 1


def test_each_call_has_a_key_of_its_own() -> None:
    with answering(_after(0, _busy())) as server, Client(server.url) as client:
        client.observe("a", [1.0])
        client.observe("a", [1.0])
        client.observe("a", [1.0], key="mine")
        keys = [key for key in server.keys if key is not None]
    assert len(set(keys)) == 3
    assert keys[-1] == "mine"


def test_the_awaiting_client_repeats_too() -> None:
    async def run(url: str) -> None:
        async with AsyncClient(url, longest_wait=LONGEST) as client:
            made = await client.create("a", "percentile", fit=[1.0])
            assert made["version"] == 1

    with answering(_after(2, _busy(**{"retry-after": "60"}))) as server:
        anyio.run(run, server.url)
        keys = [key for key in server.keys if key is not None]
    assert len(keys) == 3
    assert len(set(keys)) == 1


def test_retries_end() -> None:
    busy = _busy(**{"retry-after": "60"})
    with answering(_after(9, busy)) as server:
        client = Client(server.url, retries=2, longest_wait=LONGEST)
        with client, pytest.raises(Unavailable, match="not now") as caught:
            client.create("a", "percentile", fit=[1.0])
        assert caught.value.status == 503
        assert len([verb for verb, *_ in server.asked if verb == "POST"]) == 3


def test_what_cannot_be_repeated_is_sent_once() -> None:
    def handle(request, _):  # type: ignore[no-untyped-def]
        return _busy()

    with answering(handle) as server, Client(server.url, longest_wait=LONGEST) as client:
        for call in (
            lambda: client.delete("a"),
            lambda: client.alias("a", "prod", 1, if_match="0" * 64),
            lambda: client.delete_alias("a", "prod"),
        ):
            with pytest.raises(Refused):
                call()
        assert len(server.asked) == 3


def test_a_refusal_is_not_repeated() -> None:
    def handle(request, _):  # type: ignore[no-untyped-def]
        problem = {"type": "/problems/conflict", "status": 409, "detail": "taken"}
        return Response(orjson.dumps(problem), 409, None, "application/problem+json")

    with answering(handle) as server, Client(server.url) as client:
        with pytest.raises(Refused, match="taken"):
            client.report("a")
        assert len(server.asked) == 1


@pytest.mark.parametrize("named", ["seconds", "date", "nonsense"])
def test_retry_after_is_kept(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    later = datetime.now(UTC) + timedelta(seconds=7)
    text = {"seconds": "7", "date": format_datetime(later, usegmt=True), "nonsense": "soon"}[named]
    responses = iter([httpx.Response(503, headers={"retry-after": text}), httpx.Response(200)])
    reply = RetryPolicy(3, 30.0).send(Call("GET", "/"), lambda: _with_request(next(responses)))
    assert reply.status == 200
    (waited,) = slept
    if named == "nonsense":
        assert waited < 1
    else:
        assert 5 < waited <= 7


def test_retry_after_is_capped(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    responses = iter([httpx.Response(429, headers={"retry-after": "3600"}), httpx.Response(200)])
    RetryPolicy(3, 30.0).send(Call("GET", "/"), lambda: _with_request(next(responses)))
    assert slept == [30.0]


def test_a_connection_that_broke_is_repeated_only_where_that_is_safe(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)
    attempts: list[int] = []

    def broken() -> httpx.Response:
        attempts.append(1)
        raise httpx.RemoteProtocolError("it hung up")

    with pytest.raises(Unreachable, match="look before you repeat it"):
        RetryPolicy(3, 1.0).send(Call("DELETE", "/", repeatable=False), broken)
    assert len(attempts) == 1
    with pytest.raises(Unreachable, match="it hung up"):
        RetryPolicy(3, 1.0).send(Call("GET", "/"), broken)
    assert len(attempts) == 5


def test_a_dead_server_is_named_with_a_remedy() -> None:
    url = free_url()
    with Client(url, retries=1) as client, pytest.raises(Unreachable) as caught:
        client.show("a")
    assert url in str(caught.value)
    assert "2 attempts" in str(caught.value)
    assert "normd serve" in str(caught.value)


def test_a_slow_server_is_not_asked_twice() -> None:
    def handle(request, _):  # type: ignore[no-untyped-def]
        time.sleep(0.5)
        return _json({})

    with answering(handle) as server:
        with Client(server.url, timeout=0.1) as client, pytest.raises(Unreachable, match="in time"):
            client.show("a")
        assert len(server.asked) == 1


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "ftp://127.0.0.1"])
def test_a_url_without_a_scheme_is_named(url: str) -> None:
    with Client(url) as client, pytest.raises(Unreachable, match="http://host:port"):
        client.show("a")


def _with_request(response: httpx.Response) -> httpx.Response:
    response.request = httpx.Request("GET", "http://test/")
    return response


def test_one_method_is_asked_for_by_its_name_and_only_once() -> None:
    with answering(_after(0, _busy())) as server, Client(server.url) as client:
        client.create("a", "percentile", fit=[1.0])
        client.create("b", "percentile", fit=[1.0])
        asked = [path for verb, path, *_ in server.asked if verb == "GET"]
    assert asked == ["/v1/methods/percentile"]


def test_a_local_client_asks_nobody_for_a_method(tmp_path: Path) -> None:
    asked: list[Call] = []
    with Client.local(Settings(data=tmp_path / "data")) as client:
        perform = client.perform
        client.perform = lambda call: (asked.append(call), perform(call))[1]  # type: ignore[method-assign]
        client.fit("a", "percentile", [1.0, 2.0, 3.0])
        client.transform("a", [1.0])
    assert {call.route for call in asked}.isdisjoint({"/v1/methods", "/v1/methods/{method}"})
