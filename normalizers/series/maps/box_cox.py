"""Box-Cox powers of series."""

from __future__ import annotations

from normalizers.contract import Example, Fitted
from normalizers.data.arrays import Array
from normalizers.errors import FitError
from normalizers.kernels.power import box_cox, box_cox_back, box_cox_curvature
from normalizers.kernels.power_fit import box_cox_power
from normalizers.series.base.power_map import PowerMap


class BoxCox(PowerMap):
    """Take powers of positive values: ``y = (x^lam - 1) / lam``, ``ln x`` where lam is 0.

    Notes
    -----
    Values that are not above 0 are outside the domain, and refused in a fit. On the way back
    ``lam y + 1`` must be above 0. The formula does not cancel near lam 0.

    References
    ----------
    Box and Cox, "An Analysis of Transformations", JRSS B 1964; SciPy, ``scipy.stats.boxcox``.
    Hyndman and Athanasopoulos, "Forecasting: Principles and Practice", for the mean of the way
    back: ``x (1 + s^2 (1 - lam) / (2 (lam w + 1)^2))``.

    Examples
    --------
    >>> from normalizers import BoxCox
    >>> BoxCox(lam=0.5).transform([1.0, 4.0, 9.0]).round(12).tolist()
    [0.0, 2.0, 4.0]
    >>> BoxCox(lam=0.5, bias_adjust="delta").inverse_transform([3.0], std=[0.2]).round(2).tolist()
    [6.26]
    """

    name = "box_cox"
    aliases = {"boxcox": {}}
    examples = (
        Example(fit={"x": [1.0, 2.0, 4.0, 7.0, 12.0, 30.0]}, input={"x": [1.5, 3.0, 20.0]}),
        Example(name="stated", params={"lam": 0.3}, input={"x": [0.5, 1.0, 2.0]}),
    )

    def likeliest(self, column: Array, place: int) -> float:
        """Return the power of a channel; all its values are above 0."""
        if (column <= 0).any():
            raise FitError(
                f"channel {place} has values that are not above 0; yeo_johnson takes them",
                path="fit.x",
            )
        return box_cox_power(column)

    def forward(self, x: Array, fitted: Fitted) -> Array:
        """Return the powers."""
        return box_cox(x, self.powers(fitted, x))

    def backward(self, y: Array, fitted: Fitted) -> Array:
        """Return the values of powers."""
        return box_cox_back(y, self.powers(fitted, y))

    def curvature(self, y: Array, fitted: Fitted) -> Array:
        """Return the second derivative of the way back."""
        return box_cox_curvature(y, self.powers(fitted, y))
