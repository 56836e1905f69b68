"""A keep-alive connection that costs a client as little as it can."""

from __future__ import annotations

import socket
from types import TracebackType
from typing import Self

from benchmarks.figure import Unmeasurable

HOST = "127.0.0.1"
PATIENCE_SECONDS = 120.0
HEAD_BYTES = 65536
END_OF_HEAD = b"\r\n\r\n"
LENGTH = b"content-length:"
SHOWN_BYTES = 500


def request(
    path: str, body: bytes, media_type: str, accept: str | None = None, key: str = ""
) -> bytes:
    """Return the bytes of a POST, whose answer has its form unless another one is named."""
    sent = f"Authorization: Bearer {key}\r\n" if key else ""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: {media_type}\r\n"
        f"Accept: {accept or media_type}\r\n{sent}Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


class Connection:
    """One connection to a server on this machine, to be used as a context."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection((HOST, port), timeout=PATIENCE_SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._socket.close()

    def ask(self, message: bytes) -> memoryview:
        """Send the bytes of a request and return the body of its answer.

        Raises
        ------
        Unmeasurable
            The answer is an error.
        """
        self._socket.sendall(message)
        head, begun = self._head()
        body = self._rest(begun, _length(head))
        if not head.split(b" ", 2)[1].startswith(b"2"):
            raise Unmeasurable(f"the server answered {bytes(body[:SHOWN_BYTES])!r}")
        return body

    def _head(self) -> tuple[bytes, bytes]:
        received = b""
        while END_OF_HEAD not in received:
            received += self._received(self._socket.recv(HEAD_BYTES))
        head, _, begun = received.partition(END_OF_HEAD)
        return head, begun

    def _rest(self, begun: bytes, length: int) -> memoryview:
        body = memoryview(bytearray(length))
        body[: len(begun)] = begun
        filled = len(begun)
        while filled < length:
            count = self._socket.recv_into(body[filled:])
            if not count:
                raise Unmeasurable("the server closed the connection")
            filled += count
        return body

    def _received(self, chunk: bytes) -> bytes:
        if not chunk:
            raise Unmeasurable("the server closed the connection")
        return chunk


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        if line.lower().startswith(LENGTH):
            return int(line[len(LENGTH) :])
    raise Unmeasurable("the server answered without a content-length")
