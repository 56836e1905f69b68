"""Yeo-Johnson powers of series."""

from __future__ import annotations

from normalizers.contract import Example, Fitted
from normalizers.data.arrays import Array
from normalizers.kernels.power import yeo_johnson, yeo_johnson_back, yeo_johnson_curvature
from normalizers.kernels.power_fit import yeo_johnson_power
from normalizers.series.base.power_map import PowerMap


class YeoJohnson(PowerMap):
    """Take powers of values of either sign, each side of 0 with one of its own.

    ``((x + 1)^lam - 1) / lam`` from 0 on (``ln(x + 1)`` where lam is 0), and below 0
    ``-((1 - x)^(2 - lam) - 1) / (2 - lam)`` (``-ln(1 - x)`` where lam is 2).

    Notes
    -----
    Every number is in the domain; images beyond the reach of the map, as above ``-1 / lam`` where
    lam is negative, have no way back. The formula does not cancel near lam 0 and 2.

    References
    ----------
    Yeo and Johnson, "A New Family of Power Transformations to Improve Normality or Symmetry",
    Biometrika 2000; SciPy, ``scipy.stats.yeojohnson``.

    Examples
    --------
    >>> from normalizers import YeoJohnson
    >>> YeoJohnson(lam=0.5).transform([-3.0, 0.0, 3.0]).round(4).tolist()
    [-4.6667, 0.0, 2.0]
    """

    name = "yeo_johnson"
    aliases = {"yeojohnson": {}}
    examples = (
        Example(fit={"x": [-2.0, 0.0, 1.0, 2.0, 5.0, 14.0]}, input={"x": [-1.0, 0.5, 10.0]}),
        Example(name="stated", params={"lam": 0.7}, input={"x": [-3.0, -0.5, 0.0, 3.0]}),
    )

    def likeliest(self, column: Array, place: int) -> float:
        """Return the power of a channel."""
        return yeo_johnson_power(column)

    def forward(self, x: Array, fitted: Fitted) -> Array:
        """Return the powers."""
        return yeo_johnson(x, self.powers(fitted, x))

    def backward(self, y: Array, fitted: Fitted) -> Array:
        """Return the values of powers."""
        return yeo_johnson_back(y, self.powers(fitted, y))

    def curvature(self, y: Array, fitted: Fitted) -> Array:
        """Return the second derivative of the way back."""
        return yeo_johnson_curvature(y, self.powers(fitted, y))
