"""How long the caller of a request waits for its answer, as it says itself."""

from __future__ import annotations

import re
import time
from contextvars import ContextVar
from typing import Protocol

from starlette.types import ASGIApp, Receive, Scope, Send

HEADER = b"x-request-timeout-ms"
MILLISECONDS = re.compile(rb"[1-9][0-9]{0,8}")

_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


def remaining_seconds() -> float | None:
    """Return how long the caller of this request still waits; None where it does not say."""
    deadline = _deadline.get()
    return None if deadline is None else deadline - time.monotonic()


class Unreadable(Protocol):
    """What answers a request whose time is no number."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""


class Deadline:
    """ASGI middleware that reads ``X-Request-Timeout-Ms``: work that nobody waits for is dropped.

    Parameters
    ----------
    app : ASGI application
        What is called.
    refusal : Unreadable
        What answers where the header is no number of milliseconds.
    """

    def __init__(self, app: ASGIApp, refusal: Unreadable) -> None:
        self.app = app
        self.refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        sent = _sent(scope) if scope["type"] == "http" else None
        if sent is None:
            await self.app(scope, receive, send)
            return
        if not MILLISECONDS.fullmatch(sent):
            await self.refusal(scope, receive, send)
            return
        token = _deadline.set(time.monotonic() + int(sent) / 1000)
        try:
            await self.app(scope, receive, send)
        finally:
            _deadline.reset(token)


def _sent(scope: Scope) -> bytes | None:
    for name, value in scope["headers"]:
        if name == HEADER:
            return bytes(value)
    return None
