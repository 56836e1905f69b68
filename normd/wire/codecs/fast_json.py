"""JSON bodies with many numbers: the lists of numbers apart from all that is around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from normalizers.data.json_numbers import ParsedNumbers
from normd.wire.codecs.arrays import MEMBERS
from normd.wire.codecs.document import DecodeLimits
from normd.wire.codecs.errors import Unparseable
from normd.wire.codecs.json_nesting import check_containers
from normd.wire.codecs.number_spans import PLACEHOLDER, Span, find_spans, without
from normd.wire.codecs.number_text import is_wide, read_numbers
from normd.wire.codecs.strict_json import parse

# Members of a body whose own members are fields: admission reads them, and nothing else does.
OF_FIELDS = ("fit", "input", "weights")
FIELD_DEPTH = 2


class Undecided(Unparseable):
    """The fast way cannot tell what the body is; the strict decoder can."""


def parse_fast(body: bytes, bounds: DecodeLimits) -> object:
    """Return the value of a JSON text, with `ParsedNumbers` in the place of long lists.

    The strict decoder reads all the rest, with a token in the place of each list that another
    decoder reads; only fields are left to other decoders.

    Parameters
    ----------
    body : bytes
        The text.
    bounds : Bounds
        Deepest nesting that is read, and how many lists and objects.

    Raises
    ------
    Unparseable
        At the smallest doubt; what it says is not what is wrong with `body`.
    TooLarge
        For more lists and objects than allowed; rows that are long are never too many.
    """
    spans = find_spans(body)
    tree = _parsed(body, spans, bounds)
    fields = [span for *_, span in _fields(tree)]
    narrow = [span for span in fields if not is_wide(body, span.start, span.stop)]
    check_containers(b"".join(body[span.start : span.stop] for span in narrow), bounds)
    read = {span: _written(body, span, bounds.depth) for span in fields}
    kept = [span for span in spans if read.get(span)]
    if len(kept) < len(spans):
        tree = _parsed(body, kept, bounds)
    for members, name, span in list(_fields(tree)):
        members[name] = read[span]
    return tree


def _parsed(body: bytes, spans: Sequence[Span], bounds: DecodeLimits) -> object:
    """Return `body` as a tree, with the spans themselves where they stand."""
    text = without(body, spans)
    if text is None or not spans:
        raise Undecided("there are no numbers to be read apart")
    check_containers(text, bounds)
    remaining = iter(spans)

    def next_span(token: str) -> object:
        span = next(remaining, None)
        if token != PLACEHOLDER or span is None:
            raise Undecided("a token that JSON does not have")
        return span

    tree = parse(text, bounds.depth, next_span)
    if next(remaining, None) is not None:
        raise Undecided("what looks like numbers stands in a string")
    return tree


def _fields(tree: object) -> Iterator[tuple[dict[str, object], str, Span]]:
    """Yield the spans that are fields: the mapping, the name in it, the span.

    A member of an array in base64 is none.
    """
    sources = [tree.get(member) for member in OF_FIELDS] if isinstance(tree, dict) else []
    for members in sources:
        if isinstance(members, dict):
            for name, value in members.items():
                if isinstance(value, Span) and name not in MEMBERS:
                    yield members, name, value


def _written(body: bytes, span: Span, depth: int) -> ParsedNumbers | None:
    array = read_numbers(body, span.start, span.stop)
    if array is None or FIELD_DEPTH + array.ndim > depth:
        return None
    return ParsedNumbers(array, memoryview(body)[span.start : span.stop])
