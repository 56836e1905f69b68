"""Softplus, and bounded search for a root."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from normalizers.data.arrays import Array

# Bisections after which a float64 interval holds no third number.
BISECTIONS = 1100


def softplus(values: Array) -> Array:
    """Return ``ln(1 + exp(values))`` without overflow."""
    return np.logaddexp(0.0, values)


def bounded_root(increasing: Callable[[Array], Array], lower: Array, upper: Array) -> Array:
    """Return for each entry where an increasing function of it passes 0, within the bounds.

    Parameters
    ----------
    increasing : callable
        From an array to an array of its shape, entry by entry, non-decreasing.
    lower, upper : array
        The bounds; a root beyond one of them gives that bound.

    Notes
    -----
    Bisection until no float64 lies between the bounds.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.likelihood import bounded_root
    >>> bounded_root(lambda x: x**3 - 8, np.array([-100.0]), np.array([100.0])).tolist()
    [2.0]
    """
    low, high = np.array(lower, dtype=np.float64), np.array(upper, dtype=np.float64)
    # Without a change of sign the interval closes at the bound that is nearer to the root.
    low = np.where(increasing(high) <= 0, high, low)
    high = np.where(increasing(low) >= 0, low, high)
    for _ in range(BISECTIONS):
        # Not (low + high) / 2, which may overflow.
        middle = low + (high - low) / 2
        if np.all((middle <= low) | (middle >= high)):
            break
        below = increasing(middle) < 0
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return high
