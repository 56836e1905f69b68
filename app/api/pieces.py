"""An answer sent from the memory it lies in, piece by piece."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from anyio.lowlevel import checkpoint
from starlette.background import BackgroundTask
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from normd.wire.codecs.document import Content

# Small enough that whatever handles a piece (a compression) holds the event loop but shortly.
PIECE_BYTES = 256 * 1024


def response(
    content: Content,
    *,
    status: int,
    media_type: str,
    headers: Mapping[str, str],
    background: BackgroundTask | None = None,
) -> Response:
    """Return an answer: at once when it is small, else in pieces that are never joined."""
    parts = (content,) if isinstance(content, bytes) else content
    size = sum(map(len, parts))
    if size > PIECE_BYTES:
        return _Pieces(parts, size, status, {**headers, "content-type": media_type}, background)
    return Response(
        b"".join(parts),
        status_code=status,
        media_type=media_type,
        headers=dict(headers),
        background=background,
    )


class _Pieces(Response):
    def __init__(
        self,
        parts: tuple[bytes | memoryview, ...],
        size: int,
        status: int,
        headers: Mapping[str, str],
        background: BackgroundTask | None,
    ) -> None:
        super().__init__(
            status_code=status,
            headers={**headers, "content-length": str(size)},
            background=background,
        )
        self._parts = parts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send(
            {
                "type": "http.response.start",
                "status": self.status_code,
                "headers": self.raw_headers,
            }
        )
        for piece in _pieces(self._parts):
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            await checkpoint()
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        if self.background is not None:
            await self.background()


def _pieces(parts: tuple[bytes | memoryview, ...]) -> Iterator[memoryview]:
    for part in parts:
        memory = memoryview(part)
        for start in range(0, len(memory), PIECE_BYTES):
            yield memory[start : start + PIECE_BYTES]
