"""An ASGI application that takes a body and gives as many bytes as the query string says."""

from __future__ import annotations

from functools import cache

from starlette.types import ASGIApp, Receive, Scope, Send


def create_app() -> ASGIApp:
    """Return the application; bytes that were given once are kept."""
    return _exchange


async def _exchange(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] != "http":
        return
    await _taken(receive)
    given = _bytes(int(scope["query_string"] or 0))
    headers = [(b"content-length", str(len(given)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": given})


async def _taken(receive: Receive) -> list[bytes]:
    chunks = []
    more = True
    while more:
        message = await receive()
        chunks.append(message.get("body", b""))
        more = message.get("more_body", False)
    return chunks


@cache
def _bytes(count: int) -> bytes:
    return bytes(count)
