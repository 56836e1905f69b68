"""A scatter as it is posted: what it means, and whether there are rows that have it."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import IncompatibleStatistics, InvalidInput
from normalizers.statistics.base.magnitude import (
    LARGEST,
    NOT_THOSE_ROWS,
    STORABLE,
    rounding_bound,
)
from normalizers.statistics.base.matrices import INDEFINITE_TOLERANCE, is_semidefinite


def freedom_of(n: int, ddof: int, path: str) -> int:
    """Return what a covariance was divided by."""
    if n > ddof:
        return n - ddof
    raise InvalidInput("n is not above 'ddof', so 'cov' is undefined", path=f"{path}.n")


def require_possible_scatter(n: int, mean: Array, scatter: Array, mass: float, path: str) -> None:
    """Refuse sums that no rows have; `mass` is their number, or their weight."""
    largest = np.max(np.abs(scatter), initial=0.0)
    if n == 0 and (np.any(mean != 0) or largest > 0):
        raise InvalidInput("n is 0, so 'mean' and 'scatter' are 0", path=f"{path}.n")
    if n == 1 and largest > np.max(rounding_bound(mass, mean), initial=0.0):
        raise InvalidInput("one row has no scatter", path=f"{path}.n")
    if largest > max(mass, 1) * LARGEST * LARGEST:
        raise InvalidInput(STORABLE, path=f"{path}.scatter")


def require_possible_remainder(n: int, before: Array, left: Array, rounding: float) -> None:
    """Refuse what is left of a scatter where rows were taken away that it did not hold.

    Subtracting leaves the rounding of both sums, relative to the largest entry, and of the mean.
    """
    tolerance = INDEFINITE_TOLERANCE * np.max(np.abs(before), initial=0.0) + rounding
    if n > 1:
        possible = is_semidefinite(left, tolerance)
    else:
        # One row, or none, has no scatter: what is left is rounding or of other rows.
        possible = bool(np.max(np.abs(left), initial=0.0) <= tolerance)
    if not possible:
        raise IncompatibleStatistics(f"{NOT_THOSE_ROWS}: the remaining scatter would be impossible")
