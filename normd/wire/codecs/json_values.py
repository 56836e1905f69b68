"""An answer's tree as values that the JSON encoder writes exactly."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import isinf
from typing import cast

import numpy as np
import orjson

from normalizers.data.arrays import Array, as_stored
from normalizers.data.ragged import Ragged
from normalizers.errors import NonFiniteError
from normd.wire.codecs.arrays import encode_array, is_numeric, refuse_infinities
from normd.wire.codecs.paths import Keys, place, tensor_name

# The encoder writes integers of 64 bits; longer ones are handed to it as text.
SMALLEST_INTEGER = -(2**63)
LARGEST_INTEGER = 2**64 - 1
# Numbers that are written at once.
BLOCK_VALUES = 32 * 1024
FLOAT64 = np.dtype(np.float64)
# What the encoder writes as it stands, whatever its value.
PLAIN_KINDS = frozenset({str, bool, type(None)})
SCALAR_KINDS = PLAIN_KINDS | {int, float}


def plain(node: object, encoded: frozenset[str] = frozenset(), keys: Keys = ()) -> object:
    """Return `node` as dicts, lists, scalars and contiguous arrays.

    Parameters
    ----------
    node : object
        Nested mappings, sequences, arrays, `Ragged` lists and scalars.
    encoded : frozenset of str
        Paths of the arrays to write as base64.
    keys : tuple
        Where `node` stands.

    Raises
    ------
    NonFiniteError
        For an infinity; NaN becomes null.
    """
    kind = type(node)
    if kind is np.ndarray:
        return _array(cast(Array, node), encoded, keys)
    if kind in PLAIN_KINDS:
        return node
    # Asking for the type itself is many times cheaper than for what it is a kind of.
    if kind is dict or isinstance(node, Mapping):
        node = cast("Mapping[object, object]", node)
        if _all_plain(node.values()) and set(map(type, node)) <= {str}:
            return dict(node)
        return {
            str(key): child
            if type(child) in PLAIN_KINDS
            else plain(child, encoded, (*keys, str(key)))
            for key, child in node.items()
        }
    if isinstance(node, np.ndarray):
        return _array(node, encoded, keys)
    if isinstance(node, Ragged):
        return [plain(part, encoded, (*keys, index)) for index, part in enumerate(node)]
    if isinstance(node, Sequence) and not isinstance(node, str | bytes):
        return _sequence(node, encoded, keys)
    return _scalar(node, keys)


def dumps(value: object) -> bytes:
    """Return a plain value as JSON text."""
    return orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY)


def _array(array: Array, encoded: frozenset[str], keys: Keys) -> object:
    if not is_numeric(array):
        return plain(array.tolist(), encoded, keys)
    refuse_infinities(array, keys)
    if encoded and tensor_name(keys) in encoded:
        return encode_array(array)
    if not array.ndim:
        return array[()]
    return as_stored(array) if array.size <= BLOCK_VALUES else _in_blocks(as_stored(array))


def _in_blocks(array: Array) -> orjson.Fragment:
    """Return the text of a large array, written block by block.

    The encoder holds the interpreter's lock: between two blocks other threads can have it.
    """
    rows = max(1, BLOCK_VALUES * len(array) // array.size)
    blocks = [dumps(array[start : start + rows])[1:-1] for start in range(0, len(array), rows)]
    return orjson.Fragment(b"[%b]" % b",".join(blocks))


def _sequence(items: Sequence[object], encoded: frozenset[str], keys: Keys) -> object:
    if _all_plain(items) or (not encoded and _all_finite(items)):
        return items
    return _each(items, encoded, keys)


def _each(items: Sequence[object], encoded: frozenset[str], keys: Keys) -> list[object]:
    return [plain(child, encoded, (*keys, index)) for index, child in enumerate(items)]


def _all_plain(items: Collection[object]) -> bool:
    """Return whether `items` can be written as they stand, without a step of Python an element."""
    kinds = set(map(type, items))
    if not kinds <= SCALAR_KINDS:
        return False
    if int in kinds:
        integers = items if len(kinds) == 1 else [item for item in items if type(item) is int]
        if min(integers) < SMALLEST_INTEGER or max(integers) > LARGEST_INTEGER:  # type: ignore[type-var,operator]
            return False
    if float in kinds:
        floats = items if len(kinds) == 1 else [item for item in items if type(item) is float]
        return not any(map(isinf, floats))  # type: ignore[arg-type]
    return True


def _all_finite(items: Sequence[object]) -> bool:
    """Return whether `items` are lists of float64 as the encoder writes them."""
    if set(map(type, items)) != {np.ndarray}:
        return False
    arrays = cast(Sequence[Array], items)
    if any(array.dtype is not FLOAT64 or array.ndim != 1 for array in arrays):
        return False
    whole = all(array.flags.c_contiguous for array in arrays)
    return whole and not np.isinf(np.concatenate(arrays)).any()


def _scalar(value: object, keys: Keys) -> object:
    if isinstance(value, np.generic):
        return _array(np.asarray(value), frozenset(), keys)
    if isinstance(value, float):
        if isinf(value):
            raise NonFiniteError(
                "the answer holds an infinity, which no body can carry", path=place(keys)
            )
        return value
    if isinstance(value, int) and not SMALLEST_INTEGER <= value <= LARGEST_INTEGER:
        return orjson.Fragment(str(value))
    return value
