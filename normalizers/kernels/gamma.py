"""The gamma distribution with location 0: maximum likelihood, distribution function and back."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from normalizers.data.arrays import Array

# Below it k is above 10,000, where ln k - digamma(k) = 1/(2k) + 1/(12 k^2) to the last bit.
SMALL_GAP = 5e-5
# Two steps reach the rounding of ln k - digamma(k), eps ln(k) / gap; where that stays above
# SETTLED, the rounds end it.
MOST_ROUNDS = 50
SETTLED = 1e-15  # relative step


def shape_of(gap: Array) -> Array:
    """Return the shape whose ``ln k - digamma(k)`` is `gap`, the root of maximum likelihood.

    Parameters
    ----------
    gap : array of any shape
        ``ln(mean) - mean(ln x)``, greater than 0.

    Returns
    -------
    array of the shape of `gap`

    References
    ----------
    Minka, "Estimating a gamma distribution", 2002, for start and step.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.special import digamma
    >>> from normalizers.kernels.gamma import shape_of
    >>> shape_of(np.log(2.5) - digamma(np.array([2.5]))).round(12).tolist()
    [2.5]
    """
    from scipy.special import digamma, polygamma

    # With u = 1/k: u/2 + u^2/12 = gap, its root written as a quotient so that nothing cancels.
    series = 12 * gap / (3 + np.sqrt(9 + 12 * gap))
    # Minka's start, within 1.5 % of the root.
    start = 12 * gap / (3 - gap + np.sqrt((gap - 3) ** 2 + 24 * gap))
    inverse = np.where(gap < SMALL_GAP, series, start)
    searched = gap >= SMALL_GAP
    for _ in range(MOST_ROUNDS):
        # Newton's step for u = 1/k, in which ln k - digamma(k) is nearly linear: d/du = -k^2 d/dk.
        k = 1 / inverse
        slope = k * k * (1 / k - polygamma(1, k))
        step = np.where(searched, (np.log(k) - digamma(k) - gap) / slope, 0.0)
        inverse = inverse + step
        searched = searched & (np.abs(step) > SETTLED * inverse)
        if not searched.any():
            break
    return np.asarray(1 / inverse)


def share_below(x: Array, shape: Array, scale: Array, *, upper: bool = False) -> Array:
    """Return the share of the distribution below each `x`, or above it; NaN stays NaN."""
    from scipy.special import gammainc, gammaincc

    tail: Callable[..., Array] = gammaincc if upper else gammainc
    return np.asarray(tail(shape, np.maximum(x, 0.0) / scale))


def quantile(share: Array, shape: Array, scale: Array, *, upper: bool = False) -> Array:
    """Return the x with this share of the distribution below it, or above it."""
    from scipy.special import gammainccinv, gammaincinv

    inverse: Callable[..., Array] = gammainccinv if upper else gammaincinv
    return np.asarray(inverse(shape, share) * scale)
