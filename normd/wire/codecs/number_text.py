"""The JSON text of nested lists of numbers, read straight into an array."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import TypeAlias

import msgspec
import numpy as np

from normalizers.data.arrays import Array
from normalizers.validation.whole_numbers import FIRST_GAP

ReadRow: TypeAlias = Callable[[memoryview], Array]

WHITESPACE = b" \t\n\r"
LEADING = re.compile(rb"\[[\[ \t\n\r]*")
# May be none of the floats, which only its digits tell: 2^53 has 16.
LONG_INTEGER = re.compile(rb"(?<![0-9.eE+-])-?[0-9]{16,}(?![0-9.eE])")
# From here on a row is worth a decoder's call of its own: its numbers stay in the cache.
WIDE_BYTES = 1024
# What one call of a decoder reads at most, as long as elements are shorter: it holds the lock of
# the interpreter, and its numbers stay in the cache.
PIECE_BYTES = 256 * 1024
# More rows than these are not all that long.
MOST_ROWS = 1024 * 1024
FLOATS = msgspec.json.Decoder(list[float])
# By the number of axes; the fields take no more.
NESTED: dict[int, msgspec.json.Decoder[list[object]]] = {
    axes: msgspec.json.Decoder(kind)
    for axes, kind in enumerate(
        (
            list[float],
            list[list[float]],
            list[list[list[float]]],
            list[list[list[list[float]]]],
            list[list[list[list[list[float]]]]],
        ),
        start=1,
    )
}


class NoRectangle(ValueError):
    """The text is no rectangle of numbers: another decoder has to say what it is."""


def read_numbers(text: bytes, start: int, stop: int) -> Array | None:
    """Return nested lists of numbers of one length as float64, None for anything else.

    Every number is rounded correctly, as the standard decoder and NumPy do; ``-0`` is an integer
    and loses its sign, ``-0.0`` keeps it.

    Parameters
    ----------
    text : bytes
        The text that holds the lists.
    start, stop : int
        Where the lists stand, from their first bracket to behind their last.

    Examples
    --------
    >>> from normd.wire.codecs.number_text import read_numbers
    >>> text = b"[[1, 2.5], [-0.0, 1e-3]]"
    >>> read_numbers(text, 0, len(text)).tolist()
    [[1.0, 2.5], [-0.0, 0.001]]
    >>> read_numbers(b"[1, null]", 0, 9) is None
    True
    """
    try:
        numbers = _read(text, start, stop)
    except (ValueError, TypeError, RuntimeError, msgspec.MsgspecError):
        return None
    large = np.max(np.abs(numbers), initial=0.0) >= FIRST_GAP
    return None if large and LONG_INTEGER.search(text, start, stop) else numbers


def is_wide(text: bytes, start: int, stop: int) -> bool:
    """Return whether the lists seem to be one list of numbers, or of rows that are long."""
    axes, closing = _axes(text, start, stop), text.find(b"]", start, stop) + 1
    return axes == 1 or (axes == 2 and closing - start >= WIDE_BYTES)


def _read(text: bytes, start: int, stop: int) -> Array:
    axes = _axes(text, start, stop)
    closing = text.find(b"]", start, stop) + 1
    if axes == 1 and closing == stop:
        return _row(text, start, stop, row_reader())
    if is_wide(text, start, stop) and axes == 2:
        return _rows(text, start, stop)
    if axes not in NESTED:
        raise NoRectangle
    if stop - start <= PIECE_BYTES:
        return _nested(memoryview(text)[start:stop], axes)
    pieces = list(_piece_places(text, start + 1, stop - 1, b"]" * (axes - 1)))
    return np.concatenate([_nested(b"[%b]" % text[begin:end], axes) for begin, end in pieces])


def _nested(text: bytes | memoryview, axes: int) -> Array:
    return np.array(NESTED[axes].decode(text), dtype=np.float64)


def _row(text: bytes, start: int, stop: int, read: ReadRow) -> Array:
    """Return one flat list, a long one piece by piece."""
    if stop - start <= PIECE_BYTES:
        return read(memoryview(text)[start:stop])
    pieces = list(_piece_places(text, start + 1, stop - 1, b""))
    return np.concatenate([read(memoryview(b"[%b]" % text[begin:end])) for begin, end in pieces])


def _piece_places(text: bytes, start: int, stop: int, closing: bytes) -> Iterator[tuple[int, int]]:
    """Yield where pieces of the elements between two brackets stand, each cut at a comma.

    An element ends with `closing`; numbers, with nothing. Between two decoders' calls the lock of
    the interpreter can be had by other threads. A comma without an element is left beside an
    empty piece or in one, both of which are refused.
    """
    begin = start
    while stop - begin > PIECE_BYTES:
        end = text.find(closing + b",", begin + PIECE_BYTES, stop)
        if end < 0:
            break
        end += len(closing)
        yield begin, end
        begin = end + 1
    if not text[begin:stop].strip(WHITESPACE):
        raise NoRectangle
    yield begin, stop


def _axes(text: bytes, start: int, stop: int) -> int:
    opening = LEADING.match(text, start, stop)
    return opening[0].count(b"[") if opening else 0


def _rows(text: bytes, start: int, stop: int) -> Array:
    places = list(_row_places(text, start, stop))
    read = row_reader()
    first = _row(text, *places[0], read)
    rows = np.empty((len(places), len(first)))
    for index, (begin, end) in enumerate(places):
        row = _row(text, begin, end, read)
        if len(row) != len(first):
            raise NoRectangle
        rows[index] = row
    return rows


def _row_places(text: bytes, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield where the rows of a list of rows stand; between them must be one comma.

    A row ends at the first bracket that closes: one that opens before it makes it no list.
    """
    between, end, rows = b"", start + 1, 0
    while (begin := text.find(b"[", end, stop)) >= 0:
        if text[end:begin].strip(WHITESPACE) != between:
            raise NoRectangle
        between, end = b",", text.find(b"]", begin, stop) + 1
        if not end:
            raise NoRectangle
        rows += 1
        if rows > MOST_ROWS:
            raise NoRectangle
        yield begin, end
    if text[end:stop].strip(WHITESPACE) != b"]":
        raise NoRectangle


def row_reader() -> ReadRow:
    """Return what reads one flat list: simdjson where it is installed, or else msgspec."""
    simdjson = _simdjson()
    if simdjson is None:
        return _read_row
    parser = simdjson.Parser()

    def read(text: memoryview) -> Array:
        try:
            return np.frombuffer(parser.parse(text).as_buffer(of_type="d"), dtype=np.float64)
        except (ValueError, TypeError, RuntimeError):  # it knows no integers beyond 64 bits
            return _read_row(text)

    return read


@cache
def _simdjson() -> ModuleType | None:
    try:
        import simdjson
    except ImportError:
        return None
    return simdjson


def _read_row(text: memoryview) -> Array:
    """Return a flat list of numbers; `pack` is the shortest way from Python floats to memory."""
    numbers = FLOATS.decode(text)
    return np.frombuffer(struct.pack(f"{len(numbers)}d", *numbers), dtype=np.float64)
