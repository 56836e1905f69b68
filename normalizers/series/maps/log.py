"""Natural logarithms of series."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example, Fitted, param, unwrap
from normalizers.data.arrays import Array
from normalizers.series.base.pointwise import SeriesMap


class Log(SeriesMap):
    """Take natural logarithms: ``y = ln(x + offset)``.

    Notes
    -----
    Values of ``x + offset`` that are not above 0 are outside the domain. ``bias_adjust:
    lognormal`` gives the exact mean where y is normal, ``exp(w + s^2 / 2) - offset``.

    References
    ----------
    Hyndman and Athanasopoulos, "Forecasting: Principles and Practice", on transformations and
    their bias.

    Examples
    --------
    >>> from normalizers import Log
    >>> Log(offset=1.0).transform([0.0, 1.0, 9.0]).round(4).tolist()
    [0.0, 0.6931, 2.3026]
    >>> Log(bias_adjust="lognormal").inverse_transform([1.0], std=[0.5]).round(5).tolist()
    [3.08022]
    """

    name = "log"
    example = Example(input={"x": [1.0, 2.5, 10.0]})

    offset: float | None = param(
        default=None, default_value=0.0, affects="answer", help="what is added before"
    )

    @property
    def is_logarithm(self) -> bool:
        """It is."""
        return True

    def forward(self, x: Array, fitted: Fitted) -> Array:
        """Return the logarithms."""
        shifted = x + unwrap(self.offset)
        return np.log(np.where(shifted > 0, shifted, np.nan))

    def backward(self, y: Array, fitted: Fitted) -> Array:
        """Return the values of logarithms."""
        return np.exp(y) - unwrap(self.offset)

    def curvature(self, y: Array, fitted: Fitted) -> Array:
        """Return the exponential, its own derivative."""
        return np.exp(y)

    def mean(self, y: Array, variance: Array, medians: Array, fitted: Fitted) -> Array:
        """Return the mean of a lognormal, or the median and what the curvature adds."""
        if self.bias_adjust == "lognormal":
            return np.exp(y + variance / 2) - unwrap(self.offset)
        return super().mean(y, variance, medians, fitted)

    def parts(self, fitted: Fitted) -> dict[str, object]:
        """Return the offset."""
        return {"map": self.name, "offset": self.offset}
