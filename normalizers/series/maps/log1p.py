"""Logarithms of one more than the values of series."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example, Fitted
from normalizers.data.arrays import Array
from normalizers.series.base.pointwise import SeriesMap


class Log1p(SeriesMap):
    """Take logarithms of counts: ``y = ln(1 + x)``, exact for small x.

    Notes
    -----
    Values that are not above -1 are outside the domain. The way back is ``exp(y) - 1``, never
    ``exp(y)``. ``bias_adjust: lognormal`` gives the exact mean where y is normal.

    References
    ----------
    NumPy, ``log1p`` and ``expm1``.

    Examples
    --------
    >>> from normalizers import Log1p
    >>> method = Log1p()
    >>> y = method.transform([0.1, 0.2, 0.5, 0.9])
    >>> method.inverse_transform(y).round(12).tolist()
    [0.1, 0.2, 0.5, 0.9]
    """

    name = "log1p"
    example = Example(input={"x": [0.0, 3.0, 120.0]})

    @property
    def is_logarithm(self) -> bool:
        """It is."""
        return True

    def forward(self, x: Array, fitted: Fitted) -> Array:
        """Return the logarithms."""
        return np.log1p(np.where(x > -1, x, np.nan))

    def backward(self, y: Array, fitted: Fitted) -> Array:
        """Return the values of logarithms."""
        return np.expm1(y)

    def curvature(self, y: Array, fitted: Fitted) -> Array:
        """Return the exponential."""
        return np.exp(y)

    def mean(self, y: Array, variance: Array, medians: Array, fitted: Fitted) -> Array:
        """Return the mean of a lognormal, or the median and what the curvature adds."""
        if self.bias_adjust == "lognormal":
            return np.expm1(y + variance / 2)
        return super().mean(y, variance, medians, fitted)
