"""Count, mean and second moment of the values that each step of a series looks back on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array

LARGEST_UNSCALED = 1e100  # sums of its squares are finite
SMALLEST_UNSCALED = 1e-100  # squares of rounding errors of it are normal floats
SCALING = 600  # binary places that bring the ends of float64 within those bounds


class StepMoments(NamedTuple):
    """Statistics of the values that each step looks back on, each of shape (s, t).

    Parameters
    ----------
    n : int64 array
        Observed values.
    mean : array
        Their mean, 0 where there is none.
    m2 : array
        Sum of squared deviations in units of ``2 ** (2 exponent)``; exactly 0 for a constant.
    exponent : integer array
        600 where the values reach beyond 1e100 in size, -600 where all are below 1e-100, else 0.
    constant : bool array
        Where there are values, and all are equal.
    """

    n: Array
    mean: Array
    m2: Array
    exponent: Array
    constant: Array

    def std(self, ddof: int = 0, floor: int | None = None) -> Array:
        """Return ``sqrt(m2 / max(n - ddof, floor))``; NaN where that divisor is not above 0."""
        divisor = self.n - ddof if floor is None else np.maximum(self.n - ddof, floor)
        enough = (divisor > 0) & (self.n > 0)
        if enough.all() and not self.exponent.any():
            return np.asarray(np.sqrt(self.m2 / divisor))
        with np.errstate(over="ignore"):
            deviation = np.ldexp(np.sqrt(self.m2 / np.where(enough, divisor, 1)), self.exponent)
        return np.where(enough, deviation, np.nan)


def unit_exponents(largest: Array) -> Array:
    """Return the exponent of the unit in which squares of values of these largest sizes add up.

    It follows from the size alone, so that it is the same however a series is cut.
    """
    exponent = np.where(largest > LARGEST_UNSCALED, SCALING, 0)
    return np.where((largest < SMALLEST_UNSCALED) & (largest > 0), -SCALING, exponent)


def units_of(exponent: Array) -> list[int]:
    """Return the exponents that occur besides 0."""
    return [unit for unit in (-SCALING, SCALING) if np.any(exponent == unit)]
