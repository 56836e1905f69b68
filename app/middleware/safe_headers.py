"""Headers that tell browsers to do with an answer no more than they were asked to."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Pages say in a policy of their own what they load; an answer of the API loads nothing.
HEADERS = (
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
)
# Half a year: whoever came by TLS once comes by it again.
BY_TLS = (b"strict-transport-security", b"max-age=15768000")


class SafeHeaders:
    """ASGI middleware that adds headers of security to every answer that has none of its own.

    Parameters
    ----------
    app : ASGI application
        What is called.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        safe = (*HEADERS, BY_TLS) if scope.get("scheme") == "https" else HEADERS

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = list(message.get("headers", ()))
                names = {name.lower() for name, _ in given}
                given += [header for header in safe if header[0] not in names]
                message = {**message, "headers": given}
            await send(message)

        await self.app(scope, receive, send_safely)
