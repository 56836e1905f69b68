from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from app.middleware.body_limit import BodyLimit
from app.middleware.request_id import RequestId

LIMIT = 10


async def read_all(scope: Scope, receive: Receive, send: Send) -> None:
    body = await Request(scope, receive).body()
    await Response(str(len(body)))(scope, receive, send)


async def hide_errors(scope: Scope, receive: Receive, send: Send) -> None:
    try:
        await read_all(scope, receive, send)
    except ClientDisconnect:
        await Response("hidden", 400)(scope, receive, send)


async def refusal(scope: Scope, receive: Receive, send: Send) -> None:
    await Response("refused", 413)(scope, receive, send)


App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Exchange:
    """One request in chunks, what was read of it, and what came back."""

    def __init__(self, chunks: Iterable[bytes], headers: Iterable[tuple[bytes, bytes]] = ()):
        self.chunks = list(chunks)
        self.headers = list(headers)
        self.read = 0
        self.sent: list[Message] = []

    async def receive(self) -> Message:
        self.read += 1
        if self.read > len(self.chunks):
            return {"type": "http.disconnect"}
        more = self.read < len(self.chunks)
        return {"type": "http.request", "body": self.chunks[self.read - 1], "more_body": more}

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    def run(self, app: App) -> Exchange:
        scope: Scope = {
            "type": "http",
            "method": "POST",
            "path": "/",
            "query_string": b"",
            "headers": self.headers,
        }
        asyncio.run(app(scope, self.receive, self.send))  # type: ignore[arg-type]
        return self

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def answer_headers(self) -> dict[bytes, bytes]:
        return dict(self.sent[0]["headers"])


def test_a_body_of_the_limit_passes() -> None:
    exchange = Exchange([b"x" * LIMIT], [(b"content-length", b"10")]).run(
        BodyLimit(read_all, LIMIT, refusal)
    )
    assert exchange.status == 200
    assert exchange.sent[1]["body"] == b"10"


def test_an_announced_length_is_refused_unread() -> None:
    for length in (b"11", b"9" * 5000):
        exchange = Exchange([b"x" * 11], [(b"content-length", length)]).run(
            BodyLimit(read_all, LIMIT, refusal)
        )
        assert exchange.status == 413
        assert exchange.read == 0


@pytest.mark.parametrize("app", [read_all, hide_errors])
@pytest.mark.parametrize("headers", [[], [(b"content-length", b"1")], [(b"content-length", b"x")]])
def test_a_chunked_body_is_refused_at_the_chunk_that_passes_the_limit(
    app: App, headers: list[tuple[bytes, bytes]]
) -> None:
    exchange = Exchange([b"x"] * 50, headers).run(BodyLimit(app, LIMIT, refusal))
    assert exchange.status == 413
    assert exchange.read == LIMIT + 1
    assert len(exchange.sent) == 2
    assert exchange.sent[1]["body"] == b"refused"


def test_a_real_disconnect_is_not_hidden() -> None:
    with pytest.raises(ClientDisconnect):
        Exchange([]).run(BodyLimit(read_all, LIMIT, refusal))


@pytest.mark.parametrize("sent", [b"a" * 65, b"", b'a"b', b"a\r\nb", "\u2028".encode(), b"a b"])
def test_an_unusable_request_id_is_replaced(sent: bytes) -> None:
    exchange = Exchange([b""], [(b"x-request-id", sent)]).run(RequestId(read_all))
    answered = exchange.answer_headers[b"x-request-id"]
    assert len(answered) == 32
    assert sent not in answered or not sent


def test_a_request_id_is_made_and_differs() -> None:
    first, second = (
        Exchange([b""]).run(RequestId(read_all)).answer_headers[b"x-request-id"] for _ in range(2)
    )
    assert first != second
