"""Shares of which the inverse of a distribution function is finite."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput

# The quantiles of these are finite; those of 0 and 1 are not.
SMALLEST = float(np.finfo(np.float64).smallest_normal)
LARGEST = 1.0 - float(np.finfo(np.float64).epsneg)


def inner_shares(values: Array) -> tuple[Array, Array]:
    """Return shares strictly between 0 and 1, and which of them lay at an end.

    Raises
    ------
    InvalidInput
        A value outside 0..1.
    """
    if ((values < 0) | (values > 1)).any():
        raise InvalidInput("these values are shares, 0 to 1", path="input.values")
    return np.clip(values, SMALLEST, LARGEST), (values < SMALLEST) | (values > LARGEST)
