"""Reading the members of a posted statistic: names, types, shapes, counts, finiteness.

Members are untrusted. Each function returns a checked array, or raises with the path of the
first thing that is wrong; values are never repeated in a message.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from types import NoneType

import numpy as np

from normalizers.data.arrays import LARGEST_INTEGER, Array
from normalizers.errors import DtypeError, InvalidInput, NonFiniteError, ShapeError, position_text
from normalizers.messages import printable_name, unknown
from normalizers.statistics.base.statistic import Members

DEEPEST_NESTING = 4  # group, row, column and one to spare

Shape = tuple[int | None, ...]


def refuse_unknown(members: Members, known: Collection[str], path: str) -> None:
    """Refuse a member of another name, with a suggestion."""
    for name in members:
        if name not in known:
            raise InvalidInput(
                unknown("member", name, known),
                path=f"{path}.{printable_name(name)}",
            )


def require(members: Members, name: str, path: str) -> object:
    """Return a member that must be there."""
    if name not in members:
        raise InvalidInput(f"the member '{name}' is missing", path=path)
    return members[name]


def one_of(members: Members, names: Sequence[str], path: str) -> str:
    """Return the one name of `names` that was posted; none or several are refused."""
    posted = [name for name in names if name in members]
    if len(posted) != 1:
        choice = " or ".join(f"'{name}'" for name in names)
        raise InvalidInput(f"post exactly one of {choice}; found {len(posted)}", path=path)
    return posted[0]


def numbers(value: object, path: str) -> Array:
    """Return nested lists, an array or a number as float64; null becomes NaN.

    Raises
    ------
    DtypeError
        A boolean, a string or anything else that is not a number.
    ShapeError
        Lists of unequal length, or nested too deeply.
    """
    if isinstance(value, np.ndarray) and value.dtype != np.dtype(object):
        if value.dtype.kind not in "fiu":
            raise DtypeError("expected an array of numbers", path=path)
        return value.astype(np.float64)
    _require_numbers(value, path, DEEPEST_NESTING)
    try:
        return np.asarray(value, dtype=np.float64)
    except OverflowError:
        raise DtypeError("a number is too large for a float64", path=path) from None
    except ValueError:
        raise ShapeError("the lists are not of equal length", path=path) from None


def floats(members: Members, name: str, path: str, shape: Shape, *, missing: bool = False) -> Array:
    """Return a member of float64 numbers of exactly this shape; None is any length.

    Null and NaN are allowed where `missing`, infinities never.
    """
    place = f"{path}.{name}"
    array = numbers(require(members, name, path), place)
    require_shape(array, shape, place)
    require_finite(array, place, missing=missing)
    return array


def columns(
    members: Members, name: str, path: str, length: int | None = None, *, missing: bool = False
) -> Array:
    """Return a member with one number a column, shape (c,); a bare number is one column."""
    place = f"{path}.{name}"
    array = np.atleast_1d(numbers(require(members, name, path), place))
    require_shape(array, (length,), place)
    require_finite(array, place, missing=missing)
    return array


def counts(members: Members, name: str, path: str, shape: Shape) -> Array:
    """Return a member of non-negative whole numbers as int64 of exactly this shape."""
    place = f"{path}.{name}"
    array = numbers(require(members, name, path), place)
    require_shape(array, shape, place)
    return whole(array, place)


def column_counts(members: Members, name: str, path: str, length: int) -> Array:
    """Return one count a column, shape (c,); a posted scalar holds for every column."""
    place = f"{path}.{name}"
    array = numbers(require(members, name, path), place)
    if array.ndim == 0:
        array = np.full(length, array)
    require_shape(array, (length,), place)
    return whole(array, place)


def count(members: Members, name: str, path: str) -> int:
    """Return one non-negative whole number."""
    return int(counts(members, name, path, ()))


def number(members: Members, name: str, path: str) -> float:
    """Return one finite number."""
    return float(floats(members, name, path, ()))


def whole(array: Array, path: str) -> Array:
    """Return `array` as int64 counts."""
    require_finite(array, path, missing=False)
    refuse_where(array < 0, "a count is negative", path)
    refuse_where(array != np.floor(array), "a count is not a whole number", path)
    refuse_where(array > LARGEST_INTEGER, "a count is larger than 2**53", path)
    return array.astype(np.int64)


def texts(members: Members, name: str, path: str, levels: int = 2) -> Array:
    """Return a member of strings as an object array of shape (g,) or, with 2 levels, (g, j)."""
    place = f"{path}.{name}"
    value = require(members, name, path)
    rows = value.tolist() if isinstance(value, np.ndarray) else value
    if isinstance(value, np.ndarray) and _holds_texts(value):
        # What is an array of texts already, as from a file, is held once.
        return value
    if not isinstance(rows, (list, tuple)):
        raise DtypeError("expected a list of strings", path=place)
    nested = bool(rows) and all(isinstance(row, (list, tuple)) for row in rows)
    if nested and levels < 2:
        raise ShapeError("expected a list of strings, not of lists", path=place)
    if nested and len({len(row) for row in rows}) > 1:
        raise ShapeError("the lists are not of equal length", path=place)
    cells = [cell for row in rows for cell in row] if nested else rows
    flat = np.empty(len(cells), dtype=object)
    for index, cell in enumerate(cells):
        flat[index] = cell
    array: Array = flat.reshape(len(rows), len(rows[0])) if nested else flat
    for position, text in np.ndenumerate(array):
        if not isinstance(text, str):
            raise DtypeError("expected a string", path=place + position_text(position))
    return array


def _holds_texts(array: Array) -> bool:
    return array.dtype == object and set(map(type, array.reshape(-1).tolist())) <= {str}


def require_shape(array: Array, shape: Shape, path: str) -> None:
    """Refuse an array of another shape; None in `shape` is any length."""
    fits = len(shape) == array.ndim and all(
        expected is None or expected == length
        for expected, length in zip(shape, array.shape, strict=True)
    )
    if not fits:
        raise ShapeError(f"the shape is {_shown(array.shape)}, not {_shown(shape)}", path=path)


def require_finite(array: Array, path: str, *, missing: bool) -> None:
    """Refuse infinities, and missing values unless they are allowed."""
    wrong = np.isinf(array) if missing else ~np.isfinite(array)
    if wrong.any():
        positions = np.argwhere(wrong)
        place = path + position_text(positions[0])
        raise NonFiniteError(
            "a value is missing, not a number or infinite", path=place, positions=positions.tolist()
        )


def refuse_where(wrong: Array, message: str, path: str) -> None:
    """Raise `message` at the first place where `wrong` is true."""
    if np.any(wrong):
        first = np.argwhere(wrong)[0]
        raise InvalidInput(message, path=path + position_text(first))


def _require_numbers(value: object, path: str, depth: int) -> None:
    items = value.tolist() if isinstance(value, np.ndarray) else value
    if not isinstance(items, (list, tuple)):
        if not _is_number(type(items)):
            raise DtypeError("expected a number", path=path)
        return
    if depth == 0:
        raise ShapeError("the lists are nested too deeply", path=path)
    if not all(map(_is_number, set(map(type, items)))):
        for index, item in enumerate(items):
            _require_numbers(item, f"{path}[{index}]", depth - 1)


def _is_number(kind: type) -> bool:
    return kind is NoneType or (
        issubclass(kind, (int, float, np.integer, np.floating)) and not issubclass(kind, bool)
    )


def _shown(shape: Sequence[int | None]) -> str:
    lengths = ["any" if length is None else str(length) for length in shape]
    return f"({', '.join(lengths)}{',' if len(lengths) == 1 else ''})"
