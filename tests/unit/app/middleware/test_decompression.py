from __future__ import annotations

import gzip
import os

import pytest
import zstandard

from app.middleware.decoders import DECODERS, MOST_MEMBERS, PIECE_BYTES
from normd.wire.codecs.errors import TooLarge, Unparseable

COMPRESS = {"gzip": gzip.compress, "zstd": zstandard.ZstdCompressor().compress}
BODIES = {
    "empty": b"",
    "short": b"abc",
    "noise": os.urandom(PIECE_BYTES + 7),
    "zeros": b"\0" * (4 * PIECE_BYTES),
    "exactly one piece": b"ab" * (PIECE_BYTES // 2),
}


def decoded(coding: str, body: bytes, size: int, limit: int = 10**9) -> bytes:
    counted = 0

    def count(piece: int) -> None:
        nonlocal counted
        counted += piece
        if counted > limit:
            raise TooLarge("too large", limit=limit, setting="NORMD_MAX_BODY_BYTES")

    decoder = DECODERS[coding](count)
    pieces = [decoder.feed(body[start : start + size]) for start in range(0, len(body), size)]
    decoder.finish()
    return b"".join(pieces)


@pytest.mark.parametrize("coding", COMPRESS)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_any_chunks_give_the_body(coding: str, body: bytes) -> None:
    packed = COMPRESS[coding](body)
    for size in (97, 65_536, len(packed)):
        assert decoded(coding, packed, size) == body


@pytest.mark.parametrize("coding", COMPRESS)
def test_streams_one_after_the_other_are_one_body(coding: str) -> None:
    packed = COMPRESS[coding](b"a" * 1000) + COMPRESS[coding](b"b")
    for size in (1, len(packed)):
        assert decoded(coding, packed, size) == b"a" * 1000 + b"b"


@pytest.mark.parametrize("coding", COMPRESS)
@pytest.mark.parametrize("body", [BODIES["short"], BODIES["noise"], BODIES["zeros"]])
def test_what_is_cut_or_damaged_is_refused(coding: str, body: bytes) -> None:
    packed = COMPRESS[coding](body)
    for wrong in (
        packed[:-1],
        packed[: len(packed) // 2],
        packed + b"junk",
        b"junk" + packed,
        *(packed + packed[:size] for size in range(1, 12)),
        packed[:5],
        packed[:6],
    ):
        for size in (5, len(wrong)) if len(wrong) < 1000 else (65_536, len(wrong)):
            with pytest.raises(Unparseable, match=coding):
                decoded(coding, wrong, size)


@pytest.mark.parametrize("coding", COMPRESS)
def test_decoding_stops_at_the_limit(coding: str) -> None:
    packed = COMPRESS[coding](b"\0" * 100_000_000)
    held: list[int] = []
    decoder = DECODERS[coding](lambda piece: held.append(piece) if sum(held) < 10**6 else 1 / 0)
    with pytest.raises(ZeroDivisionError):
        decoder.feed(packed)
    assert max(held) <= PIECE_BYTES
    assert sum(held) < 10**6 + PIECE_BYTES


def test_a_window_beyond_that_of_the_web_is_refused() -> None:
    params = zstandard.ZstdCompressionParameters(window_log=27, write_content_size=False)
    compressor = zstandard.ZstdCompressor(compression_params=params).compressobj()
    packed = compressor.compress(os.urandom(1000)) + compressor.flush()
    with pytest.raises(Unparseable):
        decoded("zstd", packed, len(packed))


def test_a_wide_window_is_named() -> None:
    wide = zstandard.ZstdCompressionParameters(window_log=24)
    stream = zstandard.ZstdCompressor(compression_params=wide).compressobj()
    body = stream.compress(b"a" * 1000) + stream.flush()
    with pytest.raises(Unparseable, match="window above 8 MiB"):
        decoded("zstd", body, len(body))


def test_members_without_end_are_refused() -> None:
    empty = gzip.compress(b"")
    assert decoded("gzip", empty * MOST_MEMBERS, 65_536) == b""
    with pytest.raises(Unparseable, match="more than 10000 members"):
        decoded("gzip", empty * (MOST_MEMBERS + 1), 65_536)
