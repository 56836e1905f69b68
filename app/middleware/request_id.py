"""One id a request, in its scope, its answer and its log lines."""

from __future__ import annotations

import re
from uuid import uuid4

from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = b"x-request-id"
USABLE = re.compile(rb"[A-Za-z0-9._-]{1,64}")


class RequestId:
    """ASGI middleware that keeps a usable ``X-Request-ID`` and replaces any other.

    The id stands in ``scope["state"]["request_id"]`` and in the header of the answer. An id that
    was replaced is never echoed.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = _request_id(scope)
        scope.setdefault("state", {})["request_id"] = request_id.decode()

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": _with_id(message.get("headers", ()), request_id)}
            await send(message)

        await self.app(scope, receive, send_with_id)


def _request_id(scope: Scope) -> bytes:
    sent = [value for name, value in scope["headers"] if name.lower() == HEADER]
    if len(sent) == 1 and USABLE.fullmatch(sent[0]):
        return bytes(sent[0])
    return uuid4().hex.encode()


def _with_id(
    headers: list[tuple[bytes, bytes]] | tuple[()], request_id: bytes
) -> list[tuple[bytes, bytes]]:
    others = [(name, value) for name, value in headers if name.lower() != HEADER]
    return [*others, (HEADER, request_id)]
