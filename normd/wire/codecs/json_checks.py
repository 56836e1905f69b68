"""One walk over what the JSON decoder gave: bounds, numbers out of range, arrays in base64."""

from __future__ import annotations

import sys
from itertools import chain

from normalizers.data.json_numbers import ParsedNumbers
from normalizers.errors import InvalidInput
from normd.wire.codecs.arrays import decode_array, is_encoded, slots
from normd.wire.codecs.document import DecodeLimits
from normd.wire.codecs.errors import TooLarge, Unparseable
from normd.wire.codecs.json_nesting import VALUES_SETTING
from normd.wire.codecs.paths import Keys, place, tensor_name

LARGEST = sys.float_info.max
NUMBERS = {int, float}
SCALARS = {int, float, str, bool, type(None)}
# Nothing to look at, unless strings may hold halves of pairs.
HARMLESS = {str, bool, type(None)}
WORDS = {
    list: "a list",
    str: "a string",
    bool: "a boolean",
    type(None): "null",
    int: "a number",
    float: "a number",
}


class Inspection:
    """A walk over one decoded text; `visit` returns it with its arrays decoded.

    Lists of nothing but usable scalars, at any depth, are recognised without a step of Python an
    element; the rest is walked with the place at hand.

    Parameters
    ----------
    bounds : Bounds
        Most values.
    surrogates : bool
        Whether the text may hold lone surrogates, so that every string must be looked at.
    """

    def __init__(self, bounds: DecodeLimits, *, surrogates: bool) -> None:
        self.bounds = bounds
        self.surrogates = surrogates
        self.values = 0
        self.encoded: set[str] = set()

    def visit(self, node: object, keys: Keys = ()) -> object:
        """Return `node` as it is to be used; changes it in place."""
        if isinstance(node, dict):
            return self._object(node, keys)
        if isinstance(node, list):
            return self._list(node, keys)
        if isinstance(node, ParsedNumbers):
            self.count(node.array.size, keys)
            return node
        if isinstance(node, str):
            if self.surrogates:
                _check_text(node, keys)
        elif type(node) in NUMBERS:
            _check_number(node, keys)
        elif node is not None and not isinstance(node, bool):
            raise Unparseable(
                "NaN and infinities are not JSON; a missing number is null", path=place(keys)
            )
        return node

    def _object(self, node: dict[str, object], keys: Keys) -> object:
        if is_encoded(node):
            array = decode_array(node, keys)
            self.count(slots(array.shape), keys)
            self.encoded.add(tensor_name(keys))
            return array
        for key, child in node.items():
            if self.surrogates:
                _check_text(key, keys)
            if type(child) is list:
                node[key] = self._list(child, (*keys, key))
            elif self.surrogates or type(child) not in HARMLESS:
                node[key] = self.visit(child, (*keys, key))
        return node

    def _list(self, items: list[object], keys: Keys) -> object:
        if self._all_usable(items, keys):
            return items
        for index, child in enumerate(items):
            if isinstance(child, dict):
                items[index] = self._object(child, (*keys, index))
            else:
                items[index] = self.visit(child, (*keys, index))
        self.count(len([True for child in items if type(child) in SCALARS]), keys)
        return items

    def _all_usable(self, items: list[object], keys: Keys) -> bool:
        level: list[object] = items
        kinds = set(map(type, level))
        while kinds == {list}:
            level = list(chain.from_iterable(level))  # type: ignore[arg-type]
            kinds = set(map(type, level))
        if not kinds <= SCALARS or (self.surrogates and str in kinds):
            return False
        if not _numbers_in_range(level, kinds):
            return False
        self.count(len(level), keys)
        return True

    def count(self, values: int, keys: Keys) -> None:
        """Add `values` to those seen so far, and refuse too many."""
        self.values += values
        if self.values > self.bounds.values:
            raise TooLarge(
                "too many values in one request",
                limit=self.bounds.values,
                setting=VALUES_SETTING,
                path=place(keys),
            )


def _check_text(text: str, keys: Keys) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise Unparseable(
            "a string holds half of a surrogate pair, which is no character", path=place(keys)
        ) from None


def _numbers_in_range(level: list[object], kinds: set[type]) -> bool:
    if not kinds & NUMBERS:
        return True
    numbers = level if kinds <= NUMBERS else [value for value in level if type(value) in NUMBERS]
    return min(numbers) >= -LARGEST and max(numbers) <= LARGEST  # type: ignore[type-var,operator]


def _check_number(number: object, keys: Keys) -> None:
    try:
        in_range = abs(float(number)) <= LARGEST  # type: ignore[arg-type]
    except OverflowError:
        in_range = False
    if not in_range:
        raise InvalidInput(
            f"a number is beyond the range of float64, {LARGEST:.4g}", path=place(keys)
        )


def json_word(value: object) -> str:
    """Return the word for the kind of a value that is no object."""
    return WORDS.get(type(value), "an array")
