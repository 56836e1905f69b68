"""Log-odds of series between two bounds."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example, Fitted, param
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.kernels.logspace import sigmoid
from normalizers.series.base.pointwise import SeriesMap


class Logit(SeriesMap):
    """Take log-odds within bounds: ``y = ln((x - a) / (b - x))`` for bounds a and b.

    Notes
    -----
    Values at or beyond a bound are outside the domain. The way back,
    ``x = a + (b - a) / (1 + exp(-y))``, never leaves the bounds.

    References
    ----------
    Hyndman and Athanasopoulos, "Forecasting: Principles and Practice", on forecasts within limits.

    Examples
    --------
    >>> from normalizers import Logit
    >>> Logit(upper=100.0).transform([50.0, 90.0, 100.0]).round(4).tolist()
    [0.0, 2.1972, nan]
    """

    name = "logit"
    example = Example(params={"upper": 100.0}, input={"x": [1.0, 50.0, 97.5]})

    lower: float | None = param(
        default=None, default_value=0.0, affects="answer", help="lower bound of the values"
    )
    upper: float | None = param(
        default=None, default_value=1.0, affects="answer", help="upper bound of the values"
    )

    def check(self, path: str) -> None:
        """Refuse bounds with nothing between them."""
        lower, upper = self._ends
        if not lower < upper:
            raise InvalidParams(
                f"the lower bound, {lower}, is not below the upper one, {upper}",
                path=f"{path}.{'upper' if self.lower is None else 'lower'}",
            )

    @property
    def _ends(self) -> tuple[float, float]:
        return self.lower or 0.0, 1.0 if self.upper is None else self.upper

    def forward(self, x: Array, fitted: Fitted) -> Array:
        """Return the log-odds."""
        lower, upper = self._ends
        inside = np.where((x > lower) & (x < upper), x, np.nan)
        # A difference of logarithms: neither ratio leaves the range of a float64.
        return np.log(inside - lower) - np.log(upper - inside)

    def backward(self, y: Array, fitted: Fitted) -> Array:
        """Return the values between the bounds."""
        lower, upper = self._ends
        share = sigmoid(y)
        return np.asarray(lower * (1 - share) + upper * share)

    def curvature(self, y: Array, fitted: Fitted) -> Array:
        """Return that of the logistic function, in units of the bounds."""
        lower, upper = self._ends
        share = sigmoid(y)
        return np.asarray((upper - lower) * share * (1 - share) * (1 - 2 * share))

    def parts(self, fitted: Fitted) -> dict[str, object]:
        """Return the bounds."""
        return {"map": self.name, "lower": self._ends[0], "upper": self._ends[1]}
