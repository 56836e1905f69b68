"""Integers that float64 holds as they are; others lie beyond 2^53, where it has gaps."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.frames import integer_columns
from normalizers.errors import InvalidInput, position_text

FIRST_GAP = 2.0**53
DIGITS = 53
NARROW_BYTES = 4
LOST = (
    "float64 does not hold the integer here exactly; subtract an offset first, or send floats if "
    "the nearest one will do"
)


def is_held(number: int) -> bool:
    """Return whether float64 holds the integer, or writes what it holds in these digits.

    The second is how JavaScript writes floats up to 1e21: 2^60 as 1152921504606847000.

    Examples
    --------
    >>> from normalizers.validation.whole_numbers import is_held
    >>> is_held(2**60), is_held(2**53 + 1), is_held(1152921504606847000)
    (True, False, True)
    """
    try:
        nearest = float(number)
    except OverflowError:
        return False
    return int(nearest) == number or Decimal(repr(nearest)) == number


def lost_place(numbers: Sequence[object], floats: Array) -> int | None:
    """Return where the first integer stands that its float is not, or None.

    Parameters
    ----------
    numbers : sequence of int or float
        As they were given.
    floats : array of float64
        What became of them.
    """
    for place in np.flatnonzero(np.abs(floats) >= FIRST_GAP).tolist():
        number = numbers[place]
        if isinstance(number, (int, np.integer)) and not is_held(int(number)):
            return place
    return None


def held(array: Array, path: str) -> Array:
    """Return an array of integers as float64.

    Raises
    ------
    InvalidInput
        One is not exactly a float64; names its place.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.validation.whole_numbers import held
    >>> held(np.array([1, 2**60]), "x").tolist()
    [1.0, 1.152921504606847e+18]
    """
    place = lost_position(array)
    if place is not None:
        raise InvalidInput(LOST, path=path + position_text(place))
    return array.astype(np.float64)


def lost_position(array: Array) -> tuple[int, ...] | None:
    """Return where the first integer of an array stands that float64 does not hold, or None.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.validation.whole_numbers import lost_position
    >>> lost_position(np.array([[1, 2], [3, 2**53 + 1]]))
    (1, 1)
    """
    floats = array.astype(np.float64)
    if array.dtype.itemsize <= NARROW_BYTES or np.max(np.abs(floats), initial=0.0) < FIRST_GAP:
        return None
    # A float of so many bits is a multiple of 2^gap; negative ones end in the same zeros.
    gap = np.maximum(np.frexp(floats)[1] - DIGITS, 0).astype(array.dtype)
    lost = array & ((array.dtype.type(1) << gap) - array.dtype.type(1)) != 0
    return tuple(np.argwhere(lost)[0].tolist()) if lost.any() else None


def require_held_columns(frame: object, path: str) -> None:
    """Refuse a data frame that joins integers with floats where floats do not hold them.

    The frame itself would round them before anyone could look.

    Raises
    ------
    InvalidInput
        Names the row and the column.
    """
    for column, integers in integer_columns(frame):
        place = lost_position(integers)
        if place is not None:
            raise InvalidInput(LOST, path=path + position_text((*place, column)))
