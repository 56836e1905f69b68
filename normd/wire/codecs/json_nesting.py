"""What a JSON text holds and how deep it is nested, told from its brackets before it is parsed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from normd.wire.codecs.document import DecodeLimits
from normd.wire.codecs.errors import TooLarge, Unparseable

STRUCTURE = b'[]{}"'
NOT_STRUCTURE = bytes(code for code in range(256) if code not in STRUCTURE)
# What is looked at at once: small enough to stay in the cache.
CHUNK_BYTES = 256 * 1024
# The two brackets that open differ in one bit.
OPENING, CASE = ord("["), 0xDF
# The time and memory that decoding one takes, in numbers.
VALUES_A_LIST, VALUES_AN_OBJECT = 4, 16
# Every request has a few lists and objects, however few values it may hold.
FREE_CONTAINERS = 1024
VALUES_SETTING = "NORMD_MAX_VALUES"

# What each structural byte adds to the depth.
STEPS = np.zeros(256, dtype=np.int8)
STEPS[list(b"[{")] = 1
STEPS[list(b"]}")] = -1


def check_depth(body: bytes, depth: int) -> None:
    """Refuse a JSON text nested deeper than `depth`, without recursion.

    Raises
    ------
    Unparseable
        At the first piece of the text that goes deeper.
    """
    if body.count(b"[") + body.count(b"{") <= depth:
        return
    level = 0
    for brackets in _brackets(body):
        levels = level + np.cumsum(STEPS[np.frombuffer(brackets, dtype=np.uint8)], dtype=np.int64)
        if levels.max(initial=0) > depth:
            raise Unparseable(f"nested too deep; at most {depth} levels are read")
        level = int(levels[-1]) if len(levels) else level


def check_containers(body: bytes, bounds: DecodeLimits) -> None:
    """Refuse a JSON text of more lists and objects than one request may hold values.

    Raises
    ------
    TooLarge
        A list counts as four values and an object as sixteen, the first few as none.
    """
    allowed = FREE_CONTAINERS + bounds.values
    if VALUES_AN_OBJECT * len(body) <= allowed or VALUES_AN_OBJECT * _opened(body) <= allowed:
        return
    weight = 0
    for brackets in _brackets(body):
        weight += VALUES_A_LIST * brackets.count(b"[")
        weight += VALUES_AN_OBJECT * brackets.count(b"{")
        if weight > allowed:
            raise TooLarge(
                "too many lists and objects in one request",
                limit=bounds.values,
                setting=VALUES_SETTING,
            )


def _opened(body: bytes) -> int:
    """Return the number of brackets that open, in strings too."""
    codes = np.frombuffer(body, dtype=np.uint8)
    chunks = (codes[start : start + CHUNK_BYTES] for start in range(0, len(codes), CHUNK_BYTES))
    return sum(int(np.count_nonzero((chunk & CASE) == OPENING)) for chunk in chunks)


def _brackets(body: bytes) -> Iterator[bytes]:
    """Yield the brackets of `body` that stand outside strings, piece by piece.

    Pairs of backslashes go first, so that what is left before a quote escapes it; one that is
    left at the end of a piece escapes the first byte of the next.
    """
    within, escaped = 0, 0
    for start in range(0, len(body), CHUNK_BYTES):
        piece = body[start + escaped : start + CHUNK_BYTES]
        escaped = 0
        if b"\\" in piece:
            piece = piece.replace(b"\\\\", b"").replace(b'\\"', b"")
            escaped = int(piece.endswith(b"\\"))
        parts = piece.translate(None, NOT_STRUCTURE).split(b'"')
        yield b"".join(parts[within::2])
        within = (within + len(parts) - 1) % 2
