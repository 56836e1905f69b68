"""Refuse bodies above the limit, whether their length is announced or not."""

from __future__ import annotations

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.middleware.announced import announced_length


class BodyLimit:
    """ASGI middleware that answers 413 as soon as a body is known to be above `limit` bytes.

    An announced length is refused before a byte is read; a chunked body at the chunk that passes
    the limit. What the application sends after that is dropped, and it sees a disconnect.

    Parameters
    ----------
    app : ASGI application
        What is called for bodies within the limit.
    limit : int
        Largest body, in bytes.
    refusal : ASGI application
        What answers in its place for bodies above the limit.
    """

    def __init__(self, app: ASGIApp, limit: int, refusal: ASGIApp) -> None:
        self.app = app
        self.limit = limit
        self.refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif announced_length(scope) > self.limit:
            await self.refusal(scope, receive, send)
        else:
            await _Counted(self, scope, receive, send).run()


class _Counted:
    """One request whose bytes are counted as they arrive."""

    def __init__(self, middleware: BodyLimit, scope: Scope, receive: Receive, send: Send) -> None:
        self.middleware = middleware
        self.scope = scope
        self._receive = receive
        self._send = send
        self.received = 0
        self.started = False
        self.refused = False

    async def run(self) -> None:
        try:
            await self.middleware.app(self.scope, self.receive, self.send)
        except ClientDisconnect:
            if not self.refused:
                raise

    async def receive(self) -> Message:
        if self.refused:
            return {"type": "http.disconnect"}
        message = await self._receive()
        self.received += len(message.get("body", b""))
        if self.received <= self.middleware.limit:
            return message
        self.refused = True
        if not self.started:
            await self.middleware.refusal(self.scope, self._receive, self._send)
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if self.refused and not self.started:
            return
        self.started = True
        await self._send(message)
