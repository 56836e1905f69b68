"""Compressed bytes in, decoded bytes out, chunk by chunk and never more than allowed."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Protocol

import zstandard

from normd.wire.codecs.errors import Unparseable

# Tells zlib that the stream has a gzip header and trailer.
GZIP_WINDOW = 16 + zlib.MAX_WBITS
# The largest window that a sender of zstd over HTTP may use (RFC 9659).
ZSTD_WINDOW_BYTES = 8 * 1024 * 1024
# What the decompressor says of a frame whose window is larger.
WINDOW_ERROR = "too much memory"
# A file of blocks has one for every 64 KiB; millions of empty ones would be work for nothing.
MOST_MEMBERS = 10_000
# What is decoded at once, before it is counted.
PIECE_BYTES = 256 * 1024

Count = Callable[[int], None]


class Decoder(Protocol):
    """One body being decoded; `count` is told of every piece and refuses one too many."""

    def feed(self, chunk: bytes) -> bytes:
        """Return what a chunk decodes to."""

    def finish(self) -> None:
        """Refuse a body that ends within a stream."""


class GzipDecoder:
    """Members of gzip, one after the other."""

    def __init__(self, count: Count) -> None:
        self.count = count
        self._member = zlib.decompressobj(GZIP_WINDOW)
        self._begun = False
        self._members = 1

    def feed(self, chunk: bytes) -> bytes:
        """Return what a chunk decodes to."""
        self._begun = self._begun or bool(chunk)
        pieces: list[bytes] = []
        while chunk or self._holds_more(pieces):
            if self._member.eof:
                self._member = self._next()
            pieces.append(self._decoded(chunk))
            self.count(len(pieces[-1]))
            chunk = self._member.unconsumed_tail or self._member.unused_data
        return b"".join(pieces)

    def finish(self) -> None:
        """Refuse a body that ends within a member."""
        if self._begun and not self._member.eof:
            raise _cut("gzip")

    def _next(self) -> zlib._Decompress:
        self._members += 1
        if self._members > MOST_MEMBERS:
            raise Unparseable(f"the gzip body has more than {MOST_MEMBERS} members; send it as one")
        return zlib.decompressobj(GZIP_WINDOW)

    def _holds_more(self, pieces: list[bytes]) -> bool:
        """Return whether the member may hold output for which it needs no further input."""
        return bool(pieces) and len(pieces[-1]) == PIECE_BYTES and not self._member.eof

    def _decoded(self, chunk: bytes) -> bytes:
        try:
            return self._member.decompress(chunk, PIECE_BYTES)
        except zlib.error:
            raise _corrupt("gzip") from None


class ZstdDecoder:
    """Frames of Zstandard, one after the other."""

    def __init__(self, count: Count) -> None:
        self.count = count
        self._pieces: list[bytes] = []
        decompressor = zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW_BYTES)
        self._stream = decompressor.stream_writer(self, write_size=PIECE_BYTES)  # type: ignore[arg-type]

    def write(self, piece: bytes) -> int:
        """Take a piece from the decompressor; raising here stops it."""
        self.count(len(piece))
        self._pieces.append(piece)
        return len(piece)

    def feed(self, chunk: bytes) -> bytes:
        """Return what a chunk decodes to."""
        try:
            self._stream.write(chunk)
        except zstandard.ZstdError as error:
            if WINDOW_ERROR in str(error):
                raise Unparseable(
                    "the zstd body needs a window above 8 MiB, the largest over HTTP (RFC 9659); "
                    "compress it by a level up to 19, without --long and --ultra"
                ) from None
            raise _corrupt("zstd") from None
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)

    def finish(self) -> None:
        """Refuse a body that ends within a frame.

        The decompressor does not tell. A frame behind a whole one is decoded, and behind a part
        of one it is not, if it comes byte by byte: one that comes at once is taken for a new
        start even behind half a header.
        """
        self.count = _ignored
        try:
            whole = b"".join(self.feed(bytes([byte])) for byte in PROBE) == PROBED
        except Unparseable:
            whole = False
        if not whole:
            raise _cut("zstd")


PROBED = b"whole"
PROBE = zstandard.ZstdCompressor().compress(PROBED)
DECODERS: Mapping[str, Callable[[Count], Decoder]] = {
    "gzip": GzipDecoder,
    "x-gzip": GzipDecoder,
    "zstd": ZstdDecoder,
}


def _ignored(_: int) -> None:
    return None


def _corrupt(coding: str) -> Unparseable:
    return Unparseable(f"the body is not what its Content-Encoding says: not {coding}, or damaged")


def _cut(coding: str) -> Unparseable:
    return Unparseable(f"the body is cut short: its {coding} stream has no end")
