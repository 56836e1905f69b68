"""Numbers as digits of a base, the way LLMTime cuts them, and back."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array


class Digits(NamedTuple):
    """Signs and digits of numbers.

    Parameters
    ----------
    negative : bool array of shape (n,)
    digits : int64 array of shape (n, integer + prec)
        Highest place first.
    """

    negative: Array
    digits: Array


def digits_of(values: Array, base: int, prec: int, places: int) -> Digits:
    """Return the digits of numbers: `places` before the point, `prec` behind it.

    Each digit is the truncated quotient of what the digits before it left, in float64: nothing is
    rounded, and 0.3 with one place may be 2, as in the source.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.digits import digits_of
    >>> digits_of(np.array([-12.5]), 10, 2, 3).digits.tolist()
    [[0, 1, 2, 5, 0]]
    """
    rest = np.abs(values)
    digits = np.zeros((len(values), places + prec), dtype=np.int64)
    for place in range(places + prec):
        unit = float(base) ** (places - 1 - place)
        digits[:, place] = np.trunc(rest / unit)
        rest = rest - digits[:, place] * unit
    return Digits(values < 0, digits)


def number_of(digits: list[int], base: int, prec: int, *, half: bool) -> float:
    """Return the number that digits stand for; `half` adds half of the last place.

    Examples
    --------
    >>> from normalizers.kernels.digits import number_of
    >>> number_of([3, 5, 2], 10, 2, half=False)
    3.52
    """
    whole = 0
    for digit in digits:
        whole = whole * base + digit
    unit: int = base**prec
    # One quotient of whole numbers: no error of each place adds up.
    return (2 * whole + 1) / (2 * unit) if half else whole / unit


def places_for(largest: float, base: int) -> int:
    """Return how many digits before the point numbers up to `largest` get."""
    return max(0, int(np.ceil(np.log(largest) / np.log(base))))
