"""Numbers from nested lists and arrays: strict about types, raggedness and size."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from normalizers.arrays import Array
from normalizers.errors import DtypeError, InvalidInput, ShapeError

# Wide enough for windows with a quantile axis; deeper nesting is a mistake, not data.
MAX_AXES = 5
NUMBER_TYPES = frozenset({int, float, type(None)})


def position_text(position: Sequence[int]) -> str:
    """Return ``[3][1]`` for the position (3, 1)."""
    return "".join(f"[{int(index)}]" for index in position)


def number_array(value: object, path: str) -> Array:
    """Return `value` as an array of floats; None becomes NaN, integers become float64.

    Raises
    ------
    ShapeError
        Nested lists of unequal length, or mixed depth.
    DtypeError
        Booleans, strings, complex numbers or objects among the elements.
    """
    if isinstance(value, (list, tuple)):
        return _from_nested(value, path)
    array = _as_array(value, path)
    if array.dtype == object:
        return _from_nested(array.tolist(), path)
    return _as_floats(array, path)


def _as_array(value: object, path: str) -> Array:
    if value is None or isinstance(value, (bool, str, bytes, dict)):
        raise DtypeError(f"numbers are expected here, not {_kind_of(value)}", path=path)
    if isinstance(value, (int, float)):
        return np.asarray(_checked([value], (), path)[0], dtype=np.float64)
    try:
        return np.asarray(value)
    except (TypeError, ValueError) as error:
        raise DtypeError("this is not an array of numbers", path=path) from error


def _as_floats(array: Array, path: str) -> Array:
    kind = array.dtype.kind
    if kind == "f":
        precise = (
            array.astype(np.float64) if array.dtype.itemsize > np.dtype(float).itemsize else array
        )
        return precise.astype(precise.dtype.newbyteorder("="), copy=False)
    if kind in "iu":
        return array.astype(np.float64)
    if kind == "b":
        raise DtypeError("booleans are not numbers here; send 0 and 1", path=path)
    raise DtypeError(f"an array of dtype {array.dtype} holds no real numbers", path=path)


def _from_nested(value: Sequence[object], path: str) -> Array:
    if value and all(isinstance(item, np.ndarray) for item in value):
        value = [item.tolist() for item in value if isinstance(item, np.ndarray)]
    leaves, shape = _flattened(value, path)
    numbers = _checked(leaves, shape, path)
    try:
        return np.array(numbers, dtype=np.float64).reshape(shape)
    except OverflowError as error:
        raise InvalidInput("an integer here is too large for float64", path=path) from error


def _flattened(value: Sequence[object], path: str) -> tuple[list[object], tuple[int, ...]]:
    level: list[object] = list(value)
    shape: tuple[int, ...] = (len(value),)
    while level and isinstance(level[0], (list, tuple)):
        if len(shape) == MAX_AXES:
            raise ShapeError(f"more than {MAX_AXES} levels of nested lists", path=path)
        width = len(level[0])
        for index, part in enumerate(level):
            _check_part(part, width, index, shape, path)
        level = list(chain.from_iterable(level))  # type: ignore[arg-type]
        shape = (*shape, width)
    return level, shape


def _check_part(part: object, width: int, index: int, shape: tuple[int, ...], path: str) -> None:
    if isinstance(part, (list, tuple)) and len(part) == width:
        return
    place = path + position_text(np.unravel_index(index, shape))  # type: ignore[arg-type]
    if not isinstance(part, (list, tuple)):
        raise ShapeError("a list is expected here, like its neighbours", path=place)
    raise ShapeError(f"ragged: this row has {len(part)} entries, the first one {width}", path=place)


def _checked(leaves: list[object], shape: tuple[int, ...], path: str) -> list[object]:
    if set(map(type, leaves)) <= NUMBER_TYPES:
        return [np.nan if leaf is None else leaf for leaf in leaves] if None in leaves else leaves
    for index, leaf in enumerate(leaves):
        if isinstance(leaf, (bool, np.bool_)) or not _is_number(leaf):
            place = path + position_text(np.unravel_index(index, shape) if shape else ())  # type: ignore[arg-type]
            raise DtypeError(f"a number is expected here, not {_kind_of(leaf)}", path=place)
    return [np.nan if leaf is None else leaf for leaf in leaves]


def _is_number(leaf: object) -> bool:
    return leaf is None or isinstance(leaf, (int, float, np.integer, np.floating))


def _kind_of(value: object) -> str:
    names = {bool: "a boolean", np.bool_: "a boolean", str: "a string", dict: "an object",
             list: "a list", tuple: "a list", type(None): "null", bytes: "bytes"}  # fmt: skip
    return names.get(type(value), f"a {type(value).__name__}")
