"""JSON bodies with many ids: read by a fast decoder, where it says what the strict one says."""

from __future__ import annotations

import numpy as np
import orjson

from normalizers.validation.whole_numbers import FIRST_GAP
from normd.wire.codecs.arrays import MEMBERS
from normd.wire.codecs.document import DecodeLimits
from normd.wire.codecs.errors import Unparseable

RUNS = b'"runs"'
# Fields of runs that hold numbers and nothing else.
NUMBERS = frozenset({"scores", "offsets"})
NUMBER_TYPES = frozenset({int, float})
SCALARS = frozenset({str, bool, int, float, type(None)})
# A list of so many numbers is worth an array of its own.
LONG = 1000
# Integers of more than 64 bits become floats, which this is the smallest of.
LARGEST_INTEGER = 2.0**63
COLON, QUOTE, SPACES = ord(":"), ord('"'), list(b" \n\t\r")


class Undecided(Unparseable):
    """The fast way cannot tell what the body is; the strict decoder can."""


def parse_runs(body: bytes, bounds: DecodeLimits) -> dict[str, object]:
    """Return the object of a JSON text, with arrays in the place of long lists of scores.

    Raises
    ------
    Unparseable
        At the smallest doubt: a key that may stand twice, an integer of more than 64 bits, an
        array in base64; what it says is not what is wrong with `body`.
    """
    try:
        tree = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise Undecided("not JSON, or not for this decoder") from None
    if not isinstance(tree, dict):
        raise Undecided("no object")
    walk = _Walk(bounds.depth)
    walk.through_object(tree, 1)
    if walk.values > bounds.values or _keys(body) != walk.keys:
        raise Undecided("too many values, or a key that stands twice")
    return tree


def _keys(body: bytes) -> int:
    """Return how many keys a text has; more, if some colons stand in strings.

    A key ends with a quote and a colon. In a string a quote is escaped, so that it is counted too.
    """
    codes = np.frombuffer(body, dtype=np.uint8)
    before = codes[np.flatnonzero(codes == COLON) - 1]
    return len(before) if np.isin(before, SPACES).any() else int((before == QUOTE).sum())


class _Walk:
    """Counts keys and values, and looks for what the two decoders read differently.

    Parameters
    ----------
    depth : int
        Deepest nesting that is read.
    """

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.keys = 0
        self.values = 0

    def through_object(self, members: dict[str, object], level: int) -> None:
        if len(members.keys() & MEMBERS.keys()) > 1:
            raise Undecided("an array in base64")
        self.require_room(level)
        self.keys += len(members)
        for name, value in members.items():
            if name in NUMBERS and type(value) is list and len(value) >= LONG:
                members[name] = self.numbers(value, level + 1)
            else:
                self.through(value, level)

    def numbers(self, items: list[object], level: int) -> object:
        if set(map(type, items)) <= NUMBER_TYPES:
            array = np.fromiter(items, np.float64, len(items))
            if np.abs(array).max() < FIRST_GAP:
                self.require_room(level)
                self.values += len(items)
                return array
        self.through_list(items, level)
        return items

    def through_list(self, items: list[object], level: int) -> None:
        self.require_room(level)
        self.values += len(items)
        kinds = set(map(type, items))
        if kinds <= NUMBER_TYPES and kinds:
            self.through(float(max(map(abs, items))), level)  # type: ignore[arg-type]
        elif float in kinds or not kinds <= SCALARS:
            for item in items:
                self.through(item, level)

    def through(self, value: object, level: int) -> None:
        if type(value) is dict:
            self.through_object(value, level + 1)
        elif type(value) is list:
            self.through_list(value, level + 1)
        elif type(value) is float and abs(value) >= LARGEST_INTEGER:
            raise Undecided("what may be an integer of more than 64 bits")

    def require_room(self, level: int) -> None:
        if level > self.depth:
            raise Undecided("nested too deep")
