"""Compressed request bodies, decoded as they arrive."""

from __future__ import annotations

from dataclasses import dataclass

from anyio.lowlevel import checkpoint
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.middleware.decoders import DECODERS, Decoder
from normd.wire.codecs.errors import TooLarge, UnsupportedMediaType

HEADER = b"content-encoding"
# Headers that tell of the body as it was sent.
OF_THE_CODING = (HEADER, b"content-length")
# A short body of zeros is no attack: the ratio counts beyond so many decoded bytes.
FREE_BYTES = 1024 * 1024
KNOWN = "gzip or zstd"


@dataclass(frozen=True)
class Limits:
    """How much a body may decode to: in bytes, and in bytes for each one sent."""

    decoded_bytes: int
    decoded_setting: str
    ratio: int
    ratio_setting: str


class Decompression:
    """ASGI middleware that decodes bodies of one coding, gzip or zstd.

    Errors are raised where the application reads the body, so that it answers them as its own.

    Parameters
    ----------
    app : ASGI application
        What is called; it sees neither the coding nor the length of what was sent.
    limits : Limits
        How much a body may decode to.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app = app
        self.limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        codings = _codings(scope) if scope["type"] == "http" else []
        if not codings:
            await self.app(scope, receive, send)
            return
        headers = [pair for pair in scope["headers"] if pair[0].lower() not in OF_THE_CODING]
        body = _Decoded(receive, codings, self.limits)
        await self.app({**scope, "headers": headers}, body.receive, send)


class _Decoded:
    """One body that is decoded as it arrives."""

    def __init__(self, receive: Receive, codings: list[str], limits: Limits) -> None:
        self._receive = receive
        self._codings = codings
        self._limits = limits
        self._decoder: Decoder | None = None
        self._sent = 0
        self._decoded = 0

    async def receive(self) -> Message:
        if self._decoder is None:
            self._decoder = DECODERS[_readable(self._codings)](self._count)
        message = await self._receive()
        if message["type"] != "http.request":
            return message
        chunk = message.get("body", b"")
        self._sent += len(chunk)
        decoded = self._decoder.feed(chunk)
        if not message.get("more_body", False):
            self._decoder.finish()
        await checkpoint()
        return {**message, "body": decoded}

    def _count(self, size: int) -> None:
        self._decoded += size
        limits = self._limits
        if self._decoded > limits.decoded_bytes:
            raise TooLarge(
                "the body is too large when it is decoded",
                limit=limits.decoded_bytes,
                setting=limits.decoded_setting,
            )
        if self._decoded > FREE_BYTES + limits.ratio * self._sent:
            raise TooLarge(
                "the body decodes to too many bytes for each one sent",
                limit=limits.ratio,
                setting=limits.ratio_setting,
            )


def _codings(scope: Scope) -> list[str]:
    sent = [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == HEADER]
    if not sent:
        return []
    named = [coding.strip().lower() for value in sent for coding in value.split(",")]
    return [coding for coding in named if coding not in ("", "identity")]


def _readable(codings: list[str]) -> str:
    if len(codings) > 1:
        raise UnsupportedMediaType(
            f"one compression is read, not several; send {KNOWN}", codings=DECODERS
        )
    if codings[0] not in DECODERS:
        raise UnsupportedMediaType(
            f"this Content-Encoding is not read here; send {KNOWN}", codings=DECODERS
        )
    return codings[0]
