"""A continuous line with one break, fitted by weighted least squares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array

# Residual sums this near, as a share of the spread, are equal: the smaller break wins.
TIED = 1e-12


class BrokenLine(NamedTuple):
    """s = intercept + below min(N, at) + above max(N - at, 0).

    Parameters
    ----------
    at : float
        Where the line breaks.
    intercept, below, above : float
        Value at 0 and the two slopes.
    residual : float
        Weighted sum of squared residuals.
    upper : int
        The first of the sizes that are above the break.
    """

    at: float
    intercept: float
    below: float
    above: float
    residual: float
    upper: int

    def __call__(self, size: Array) -> Array:
        """Return the value at each size."""
        rest = np.maximum(size - self.at, 0.0)
        return self.intercept + self.below * np.minimum(size, self.at) + self.above * rest


def broken_line(size: Array, value: Array, weight: Array, least: int = 2) -> BrokenLine | None:
    """Return the line of least squares over all breaks; None where there are too few sizes.

    Parameters
    ----------
    size : array of shape (m,)
        Distinct, ascending.
    value, weight : arrays of shape (m,)
        Weighted mean at each size, and its weight, above 0.
    least : int
        Distinct sizes that both sides need.

    Notes
    -----
    Between two neighbouring sizes the residual is least where the lines of the two sides cross, or
    at one of the two: all of these are tried, so that no start value is needed. Cost O(m^2).

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.broken_line import broken_line
    >>> sizes = np.array([2.0, 4.0, 6.0, 8.0, 12.0, 16.0])
    >>> line = broken_line(sizes, np.minimum(1 + 2 * sizes, 22.0), np.ones(6))
    >>> round(line.at, 9), round(line.below, 9), round(line.above, 9)
    (10.5, 2.0, 0.0)
    """
    best: BrokenLine | None = None
    middle = np.average(value, weights=weight) if len(value) else 0.0
    spread = float(weight @ np.square(value - middle))
    for at, upper in _breaks(size, value, weight, least):
        line = _fitted(size, value, weight, at, upper)
        if (
            best is None
            or line.residual < best.residual - TIED * spread
            or (line.residual <= best.residual + TIED * spread and line.at < best.at)
        ):
            best = line
    return best


def straight_line(size: Array, value: Array, weight: Array) -> tuple[float, float]:
    """Return intercept and slope of the line of least squares; slope 0 at one size."""
    total = weight.sum()
    centre, middle = weight @ size / total, weight @ value / total
    away = size - centre
    squares = weight @ (away * away)
    slope = float(weight @ (away * (value - middle)) / squares) if squares > 0 else 0.0
    return float(middle - slope * centre), slope


def _breaks(size: Array, value: Array, weight: Array, least: int) -> Iterator[tuple[float, int]]:
    """Yield each break that is tried, and the first size above it."""
    for upper in range(least, len(size) - least + 1):
        low, high = float(size[upper - 1]), float(size[upper])
        yield low, upper
        one = straight_line(size[:upper], value[:upper], weight[:upper])
        other = straight_line(size[upper:], value[upper:], weight[upper:])
        if one[1] != other[1]:
            crossing = (other[0] - one[0]) / (one[1] - other[1])
            if low < crossing < high:
                yield crossing, upper
        yield high, upper


def _fitted(size: Array, value: Array, weight: Array, at: float, upper: int) -> BrokenLine:
    root = np.sqrt(weight)
    # In units of the largest size, about the break: the three columns are of one magnitude.
    unit = float(size[-1]) or 1.0
    below, above = np.minimum(size - at, 0.0) / unit, np.maximum(size - at, 0.0) / unit
    columns = np.column_stack([np.ones_like(size), below, above]) * root[:, None]
    found = np.linalg.lstsq(columns, value * root, rcond=None)[0]
    slopes = found[1:] / unit
    rest = value - (found[0] + slopes[0] * below * unit + slopes[1] * above * unit)
    intercept = float(found[0] - slopes[0] * at)
    return BrokenLine(
        at, intercept, float(slopes[0]), float(slopes[1]), float(weight @ (rest * rest)), upper
    )
