"""Numbers from nested lists and arrays: strict about types, raggedness and size."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import DtypeError, InvalidInput, ShapeError, position_text
from normalizers.validation.whole_numbers import LOST, held, lost_place, require_held_columns

# Wide enough for windows with a quantile axis; deeper nesting is a mistake, not data.
MAX_AXES = 5
NUMBER_TYPES = frozenset({int, float, type(None)})
PLAIN_NUMBERS = frozenset({int, float})
FLOATS = frozenset({float})
FLOAT64 = np.dtype(np.float64)
NO_NUMBERS = (bool, str, bytes, bytearray, memoryview, dict, set, frozenset)


def number_array(value: object, path: str) -> Array:
    """Return `value` as an array of floats; None and masked become NaN, integers float64.

    Raises
    ------
    ShapeError
        Nested lists of unequal length, or mixed depth.
    DtypeError
        Booleans, strings, complex numbers or objects among the elements.
    InvalidInput
        A number beyond float64, or an integer that float64 does not hold exactly.
    """
    if isinstance(value, (list, tuple)):
        return _from_nested(value, path)
    if type(value) is np.ndarray and value.dtype is FLOAT64:
        return value
    if isinstance(value, Ragged):
        raise _unequal(value, path)
    array = _as_array(value, path)
    if array.dtype == object:
        return _from_nested(_items(array, path), path)
    return _as_floats(array, path)


def _as_array(value: object, path: str) -> Array:
    if hasattr(value, "nnz") and hasattr(value, "toarray"):  # scipy.sparse, without its import
        raise DtypeError("sparse data are not read here; send toarray() of them", path=path)
    if value is None or isinstance(value, NO_NUMBERS):
        raise DtypeError(f"numbers are expected here, not {_kind_of(value)}", path=path)
    if isinstance(value, (int, float)):
        return _as_float64([value], (), path)
    if isinstance(value, np.ma.MaskedArray):
        return _filled(value, path)
    require_held_columns(value, path)
    try:
        return np.asarray(value)
    except (TypeError, ValueError) as error:
        raise DtypeError("this is not an array of numbers", path=path) from error


def _unequal(lists: Ragged, path: str) -> ShapeError:
    """Return the refusal of lists of unequal length where an array is expected."""
    lengths = lists.lengths
    if not len(lengths):
        return ShapeError("an array is expected here, not lists", path=path)
    row = int(np.argmax(lengths != lengths[0]))
    return _ragged_row(int(lengths[row]), int(lengths[0]), f"{path}[{row}]")


def _ragged_row(length: int, width: int, place: str) -> ShapeError:
    return ShapeError(f"ragged: this row has {length} entries, the first one {width}", path=place)


def _filled(array: np.ma.MaskedArray[tuple[int, ...], np.dtype[Any]], path: str) -> Array:
    """Return a masked array with NaN in the place of what is masked."""
    if array.dtype.kind in "fO":
        return np.asarray(array.filled(np.nan))
    if array.dtype.kind not in "iu":
        return np.asarray(array)
    return np.where(np.ma.getmaskarray(array), np.nan, held(array.filled(0), path))


def _items(array: Array, path: str) -> list[object]:
    """Return the nested lists of an object array; one of no axes is no array, but an object."""
    if not array.ndim:
        raise DtypeError(f"numbers are expected here, not {_kind_of(array.item())}", path=path)
    return list(array.tolist())


def _as_floats(array: Array, path: str) -> Array:
    kind = array.dtype.kind
    if kind == "f":
        wide = array.dtype.itemsize > np.dtype(float).itemsize
        precise = _narrowed(array, path) if wide else array
        return precise.astype(precise.dtype.newbyteorder("="), copy=False)
    if kind in "iu":
        return held(array, path)
    if kind == "b":
        raise DtypeError("booleans are not numbers here; send 0 and 1", path=path)
    raise DtypeError(f"an array of dtype {array.dtype} holds no real numbers", path=path)


def _narrowed(array: Array, path: str) -> Array:
    with np.errstate(over="ignore"):
        narrow = array.astype(np.float64)
    lost = np.isinf(narrow) & np.isfinite(array)
    if lost.any():
        raise _too_large(path + position_text(np.argwhere(lost)[0]))
    return narrow


def _from_nested(value: Sequence[object], path: str) -> Array:
    if type(value) is list:
        kinds = set(map(type, value))
        if kinds == FLOATS:
            return np.fromiter(value, np.float64, len(value))
        if kinds <= PLAIN_NUMBERS:
            return _as_float64(value, (len(value),), path)
    leaves, shape = _flattened(value, path)
    if set(map(type, leaves)) == FLOATS:
        return np.fromiter(leaves, np.float64, len(leaves)).reshape(shape)
    return _as_float64(_checked(leaves, shape, path), shape, path)


def _as_float64(numbers: list[object], shape: tuple[int, ...], path: str) -> Array:
    try:
        with np.errstate(over="raise"):
            floats = np.fromiter(numbers, np.float64, len(numbers))
    except (OverflowError, FloatingPointError):
        index = next(i for i, number in enumerate(numbers) if _is_too_large(number))
        raise _too_large(_place(path, index, shape)) from None
    lost = lost_place(numbers, floats)
    if lost is not None:
        raise InvalidInput(LOST, path=_place(path, lost, shape))
    return floats.reshape(shape)


def _is_too_large(number: object) -> bool:
    try:
        narrow = np.float64(number)  # type: ignore[arg-type]
    except (OverflowError, FloatingPointError):
        return True
    return bool(np.isinf(narrow) and np.isfinite(number))  # type: ignore[call-overload]


def _too_large(path: str) -> InvalidInput:
    return InvalidInput("the number here is too large for float64", path=path)


def _flattened(value: Sequence[object], path: str) -> tuple[list[object], tuple[int, ...]]:
    level = _unwrapped(value)
    shape: tuple[int, ...] = (len(value),)
    while level and isinstance(level[0], (list, tuple)):
        if len(shape) == MAX_AXES:
            raise ShapeError(f"more than {MAX_AXES} levels of nested lists", path=path)
        width = len(level[0])
        # Lists of one length, as nearly all are, need no look at each.
        if set(map(type, level)) != {list} or set(map(len, level)) != {width}:  # type: ignore[arg-type]
            for index, part in enumerate(level):
                _check_part(part, width, index, shape, path)
        level = _unwrapped(list(chain.from_iterable(level)))  # type: ignore[arg-type]
        shape = (*shape, width)
    return level, shape


def _unwrapped(items: Sequence[object]) -> list[object]:
    """Return the items with arrays as the nested lists they stand for."""
    if not any(issubclass(kind, np.ndarray) for kind in set(map(type, items))):
        return list(items)
    return [item.tolist() if isinstance(item, np.ndarray) else item for item in items]


def _check_part(part: object, width: int, index: int, shape: tuple[int, ...], path: str) -> None:
    if isinstance(part, (list, tuple)) and len(part) == width:
        return
    place = _place(path, index, shape)
    if not isinstance(part, (list, tuple)):
        raise ShapeError("a list is expected here, like its neighbours", path=place)
    raise _ragged_row(len(part), width, place)


def _checked(leaves: list[object], shape: tuple[int, ...], path: str) -> list[object]:
    kinds = set(map(type, leaves))
    if kinds <= NUMBER_TYPES:
        missing = type(None) in kinds
        return [np.nan if leaf is None else leaf for leaf in leaves] if missing else leaves
    for index, leaf in enumerate(leaves):
        if not _is_number(leaf):
            raise DtypeError(
                f"a number is expected here, not {_kind_of(leaf)}", path=_place(path, index, shape)
            )
    return [np.nan if _is_missing(leaf) else leaf for leaf in leaves]


def _place(path: str, index: int, shape: tuple[int, ...]) -> str:
    return path + position_text(np.unravel_index(index, shape) if shape else ())


def _is_number(leaf: object) -> bool:
    if isinstance(leaf, (bool, np.bool_)):
        return False
    return _is_missing(leaf) or isinstance(leaf, (int, float, np.integer, np.floating))


def _is_missing(leaf: object) -> bool:
    return leaf is None or leaf is np.ma.masked or type(leaf).__name__ == "NAType"


def _kind_of(value: object) -> str:
    names = {bool: "a boolean", np.bool_: "a boolean", str: "a string", dict: "an object",
             list: "a list", tuple: "a list", type(None): "null", bytes: "bytes"}  # fmt: skip
    return names.get(type(value), f"a {type(value).__name__}")
