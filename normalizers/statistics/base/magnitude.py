"""The range of values whose second moments can be stored, and what rounding does to them."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput, NonFiniteError

SMALLEST = 1e-140  # the square of a deviation near it is still a normal float64
LARGEST = 1e140  # sums of many squares near it are still finite
MACHINE_EPSILON = float(np.finfo(np.float64).eps)
ROUNDING_FACTOR = 16.0  # a mean is within a few units in the last place
STORABLE = "stored second moments take values between 1e-140 and 1e140 in size"
NOT_THOSE_ROWS = "not the rows that were added"


def unstorable(x: Array) -> Array:
    """Return which values are too large or too small in size to be squared."""
    size = np.abs(x)
    return np.asarray((size > LARGEST) | ((size < SMALLEST) & (size > 0)))


def require_storable(x: Array, first_row: int = 0) -> None:
    """Refuse rows with a value too large or too small in size to be squared; zero is fine.

    Missing values pass.
    """
    wrong = unstorable(x)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise InvalidInput(
            f"{STORABLE}, or zero; row {first_row + int(row)}, column {int(column)} lies outside"
        )


def require_finite_rows(block: Array, first_row: int = 0) -> None:
    """Refuse rows with a missing or infinite value."""
    wrong = ~np.isfinite(block)
    if wrong.any():
        positions = np.argwhere(wrong) + np.array([first_row, 0])
        row, column = positions[0]
        raise NonFiniteError(
            f"a scatter takes finite rows; row {row}, column {column} is missing or infinite",
            positions=positions.tolist(),
        )


def rounding_bound(n: Array | float, mean: Array) -> Array:
    """Return the largest ``m2`` that rounding gives ``n`` equal values, or of that weight."""
    # n deviations of up to 4 units in the last place each: n (4 eps mean)^2.
    error = MACHINE_EPSILON * np.abs(mean)
    with np.errstate(over="ignore"):
        return np.asarray(ROUNDING_FACTOR * n * error * error)
