"""A service below a path of its host: a proxy hands on requests for one prefix."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class RootPath:
    """ASGI middleware that takes the prefix off paths, whether the proxy did or not.

    The `Location` of an answer carries it once. The type of a problem is a name and stays.

    Parameters
    ----------
    app : ASGI application
        What is called; it knows nothing of the prefix.
    prefix : str
        ``/norm``.
    """

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self.app = app
        self.prefix = prefix
        self._written = prefix.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_linked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*map(self._linked, message.get("headers", ()))]
                message = {**message, "headers": headers}
            await send(message)

        await self.app(self._below(scope), receive, send_linked)

    def _below(self, scope: Scope) -> Scope:
        path: str = scope["path"]
        if path != self.prefix and not path.startswith(self.prefix + "/"):
            return scope
        raw = scope.get("raw_path")
        return {
            **scope,
            "path": path.removeprefix(self.prefix) or "/",
            "raw_path": raw.removeprefix(self._written) or b"/" if raw else raw,
        }

    def _linked(self, header: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
        name, value = header
        here = name.lower() == b"location" and value.startswith(b"/")
        return (name, self._written + value) if here else header
