"""A large body of known length, received where it stays: one copy, where there would be five."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable

from uvicorn._types import ASGIReceiveEvent
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

SMALLEST_BYTES = 1024 * 1024
# What is above stays in pieces: nobody holds so much by an announcement.
LARGEST_BYTES = 64 * 1024 * 1024
# One call of the system takes no more, so that others are served in between.
PIECE_BYTES = 1024 * 1024


class WholeBody(asyncio.BufferedProtocol):
    """The body of one request, which takes the place of the parser while it arrives.

    Memory is taken when the application asks for the body, not when its length is announced, and
    the application is given all of it at once.

    Parameters
    ----------
    connection : HttpToolsProtocol
        Whose request it is; the head has just been read.
    size : int
        Bytes of the body, as the head announces them.
    end : callable
        Is called behind the last byte, when the connection reads again.
    """

    def __init__(self, connection: HttpToolsProtocol, size: int, end: Callable[[], None]) -> None:
        self._connection = connection
        self._end = end
        self._cycle = connection.cycle
        self._size = size
        self._memory = io.BytesIO()
        self._room = memoryview(b"")
        self._filled = 0
        self._begun = False
        self._given = False

    @classmethod
    def announced(cls, connection: HttpToolsProtocol, end: Callable[[], None]) -> WholeBody | None:
        """Return the body that a head announces; None where the parser reads it as well."""
        headers = connection.cycle.scope["headers"]
        lengths = [value for name, value in headers if name == b"content-length"]
        coded = any(name == b"transfer-encoding" for name, _ in headers)
        if coded or len(lengths) != 1 or not lengths[0].isdigit():
            return None
        if connection.expect_100_continue or len(lengths[0]) > len(str(LARGEST_BYTES)):
            return None
        size = int(lengths[0])
        return cls(connection, size, end) if SMALLEST_BYTES <= size <= LARGEST_BYTES else None

    async def receive(self) -> ASGIReceiveEvent:
        """Return the whole body; after that, that the client has gone."""
        cycle = self._cycle
        if self._given or not self._begin():
            return await type(cycle).receive(cycle)
        while self._filled < self._size and not cycle.disconnected:
            await cycle.message_event.wait()
            cycle.message_event.clear()
        self._given = True
        self._room.release()
        body, self._memory = self._memory.getvalue(), io.BytesIO()
        if cycle.disconnected:
            return {"type": "http.disconnect"}
        # What comes now is for the next request, or says that the client has gone.
        self._connection.flow.resume_reading()
        return {"type": "http.request", "body": body, "more_body": False}

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return where the next bytes belong."""
        return self._room[self._filled : self._filled + PIECE_BYTES]

    def buffer_updated(self, nbytes: int) -> None:
        """Count what has arrived; behind the last byte the parser reads the next head."""
        self._filled += nbytes
        if self._filled == self._size:
            self._read_by(self._connection)
            self._end()

    def eof_received(self) -> None:
        """Let the connection end."""
        self._connection.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the connection."""
        self._connection.connection_lost(exc)

    def pause_writing(self) -> None:
        """Tell the connection."""
        self._connection.pause_writing()

    def resume_writing(self) -> None:
        """Tell the connection."""
        self._connection.resume_writing()

    def _begin(self) -> bool:
        """Read the rest in the place of the parser; False where there is none."""
        cycle = self._cycle
        if self._begun:
            return True
        if not cycle.more_body or cycle.disconnected or cycle.response_complete:
            return False
        self._begun = True
        received, cycle.body = cycle.body, bytearray()
        self._memory.seek(self._size - 1)
        self._memory.write(b"\0")
        self._room = self._memory.getbuffer()
        self._filled = len(received)
        self._room[: self._filled] = received
        self._read_by(self)
        return True

    def _read_by(self, protocol: asyncio.BaseProtocol) -> None:
        """Let another read on: a transport asks how when it begins to."""
        flow = self._connection.flow
        flow.pause_reading()
        self._connection.transport.set_protocol(protocol)
        flow.resume_reading()
