"""The power of Box-Cox or Yeo-Johnson under which a column is most likely normal."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from normalizers.data.arrays import Array
from normalizers.kernels.power import box_cox, yeo_johnson

LOWEST, HIGHEST = -5.0, 5.0
# Powers that are tried before the best of them is refined.
TRIED = 201
GOLDEN = (np.sqrt(5.0) - 1) / 2
# Likelihoods that differ less than rounding stop the search near sqrt(eps) of the power.
NEAR = 1e-9


def box_cox_power(column: Array) -> float:
    """Return the power that maximizes the likelihood of a normal, within -5..5.

    Parameters
    ----------
    column : array of shape (n,)
        Positive, not all equal.

    Notes
    -----
    ``(lam - 1) sum ln x - n / 2 ln var(y)``. In units of the geometric mean the first term is 0,
    and powers stay within reach. Cost O(n) a power that is tried.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.power_fit import box_cox_power
    >>> float(round(box_cox_power(np.exp(np.linspace(-2, 2, 101))), 6)) + 0.0
    0.0
    """
    logs = np.log(column)
    relative = np.exp(logs - logs.mean())
    return _best(lambda lam: -_log_variance(box_cox(relative, lam)) / 2)


def yeo_johnson_power(column: Array) -> float:
    """Return the power that maximizes the likelihood of a normal, within -5..5.

    Parameters
    ----------
    column : array of shape (n,)
        Not all equal.
    """
    tilt = float(np.mean(np.copysign(np.log1p(np.abs(column)), column)))
    return _best(lambda lam: (lam - 1) * tilt - _log_variance(yeo_johnson(column, lam)) / 2)


def _log_variance(y: Array) -> float:
    deviations = np.abs(y - y.mean())
    largest = float(deviations.max())
    if not np.isfinite(largest):
        return np.inf
    # In units of the largest deviation no square leaves the range.
    return float(2 * np.log(largest) + np.log(np.mean((deviations / largest) ** 2)))


def _best(likelihood: Callable[[float], float]) -> float:
    """Return the power with the highest likelihood: the best of a grid, then golden sections."""
    grid = np.linspace(LOWEST, HIGHEST, TRIED)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        place = int(np.argmax([likelihood(float(lam)) for lam in grid]))
        low, high = float(grid[max(place - 1, 0)]), float(grid[min(place + 1, TRIED - 1)])
        while high - low > NEAR:
            left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
            if likelihood(left) >= likelihood(right):
                high = right
            else:
                low = left
    return (low + high) / 2
