"""See every request and its answer go by."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.observability.exchange import UNKNOWN_ROUTE, UNKNOWN_VERB, VERBS, Exchange

Observer = Callable[[Exchange], None]
TIMING = b"server-timing"
TRACEPARENT = b"traceparent"
# Headers of an answer that say what answered.
TOLD = {b"normd-name": "name", b"normd-version": "version", b"normd-hash": "hash"}


class Watch:
    """ASGI middleware that tells observers of every request when its answer has left.

    Every answer has a ``Server-Timing`` header: how long it took until its first byte.

    Parameters
    ----------
    app : ASGI application
        What is called.
    observers : sequence of callables
        Each takes an `Exchange`.
    """

    def __init__(self, app: ASGIApp, observers: Sequence[Observer]) -> None:
        self.app = app
        self.observers = observers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = time.perf_counter()
        verb = scope["method"]
        exchange = Exchange(verb if verb in VERBS else UNKNOWN_VERB)

        async def counted_receive() -> Message:
            message = await receive()
            exchange.received += len(message.get("body", b""))
            return message

        async def counted_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                exchange.status = message["status"]
                message = {**message, "headers": _read(message.get("headers", ()), exchange, begun)}
            else:
                exchange.sent += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, counted_receive, counted_send)
        finally:
            exchange.seconds = time.perf_counter() - begun
            self._tell(exchange, scope)

    def _tell(self, exchange: Exchange, scope: Scope) -> None:
        state = scope.get("state", {})
        exchange.request_id = str(state.get("request_id", ""))
        exchange.key = str(state.get("key", ""))
        exchange.path = scope["path"]
        exchange.before = state.get("before", ())
        exchange.after = str(state.get("after", exchange.hash))
        exchange.traceparent = _traceparent(scope)
        exchange.route = getattr(scope.get("route"), "path", UNKNOWN_ROUTE)
        for observer in self.observers:
            observer(exchange)


def _traceparent(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == TRACEPARENT:
            return str(value.decode("latin-1"))
    return ""


def _read(
    headers: Iterable[tuple[bytes, bytes]], exchange: Exchange, begun: float
) -> list[tuple[bytes, bytes]]:
    """Return the headers with the time until now; note what they say of the answer."""
    found = list(headers)
    for name, value in found:
        member = TOLD.get(name.lower())
        if member is not None:
            setattr(exchange, member, value.decode("latin-1"))
    took = (time.perf_counter() - begun) * 1000
    return [*found, (TIMING, f"app;dur={took:.3f}".encode())]
