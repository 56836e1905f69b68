"""Long stretches of a JSON text that look like nested lists of numbers, found without a parser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

# From about 700 bytes on another decoder is the faster one, for one list or many short rows.
SHORTEST = 1024
# No list of numbers reaches across one of them; an opening brace stands right before one.
QUOTE, CLOSING = b'"', b"}"
PLACEHOLDER = "NaN"


@dataclass(frozen=True)
class Span:
    """Bytes of a body, from a ``[`` to the ``]`` that seems to close it."""

    start: int
    stop: int


def find_spans(body: bytes) -> list[Span]:
    """Return the long spans of `body` between brackets, with no string and no object in them.

    What looks like a span may stand in a string, or be no JSON at all: whoever cuts it out has
    to see that the rest still reads as if one value stood there.
    """
    return [span for start, stop in _stretches(body) if (span := _span(body, start, stop))]


def without(body: bytes, spans: Iterable[Span]) -> bytes | None:
    """Return `body` with a token in the place of each span that JSON has no use for.

    None when the token stands elsewhere in `body` too.
    """
    pieces, last = [], 0
    for span in spans:
        pieces.append(body[last : span.start])
        last = span.stop
    pieces.append(body[last:])
    token = PLACEHOLDER.encode()
    return None if any(token in piece for piece in pieces) else token.join(pieces)


def _stretches(body: bytes) -> Iterator[tuple[int, int]]:
    """Yield the long stretches without quotes and closing braces.

    No stretch is missed by looking for the last mark of a window that is shorter than any.
    """
    start = 0
    while start + SHORTEST <= len(body):
        last = _last_mark(body, start, start + SHORTEST)
        if last >= 0:
            start = last + 1
            continue
        stop = _next_mark(body, start + SHORTEST)
        yield start, stop
        start = stop + 1


def _last_mark(body: bytes, start: int, stop: int) -> int:
    return max(body.rfind(QUOTE, start, stop), body.rfind(CLOSING, start, stop))


def _next_mark(body: bytes, start: int) -> int:
    stop = len(body)
    for mark in (QUOTE, CLOSING):
        found = body.find(mark, start, stop)
        stop = found if found >= 0 else stop
    return stop


def _span(body: bytes, start: int, stop: int) -> Span | None:
    first = body.find(b"[", start, stop)
    if first < 0:
        return None
    last = body.rfind(b"]", first, stop)
    return Span(first, last + 1) if last - first >= SHORTEST else None
