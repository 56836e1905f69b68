"""Square roots of series."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example, Fitted, param, unwrap
from normalizers.data.arrays import Array
from normalizers.series.base.pointwise import SeriesMap


class Sqrt(SeriesMap):
    """Take square roots, of x and an offset: ``y^2 = x + offset``.

    Notes
    -----
    Values of ``x + offset`` below 0 are outside the domain, as are images below 0 on the way back.
    The mean that ``bias_adjust: delta`` finds, ``w^2 + s^2``, is exact.

    References
    ----------
    Bartlett, "The Use of Transformations", Biometrics 1947.

    Examples
    --------
    >>> from normalizers import Sqrt
    >>> Sqrt().transform([0.0, 4.0, 9.0]).tolist()
    [0.0, 2.0, 3.0]
    >>> Sqrt(bias_adjust="delta").inverse_transform([3.0], std=[1.0]).tolist()
    [10.0]
    """

    name = "sqrt"
    example = Example(input={"x": [0.0, 2.5, 10.0]})

    offset: float | None = param(
        default=None, default_value=0.0, affects="answer", help="what is added before"
    )

    def forward(self, x: Array, fitted: Fitted) -> Array:
        """Return the roots."""
        shifted = x + unwrap(self.offset)
        return np.sqrt(np.where(shifted >= 0, shifted, np.nan))

    def backward(self, y: Array, fitted: Fitted) -> Array:
        """Return the squares."""
        return np.square(np.where(y >= 0, y, np.nan)) - unwrap(self.offset)

    def curvature(self, y: Array, fitted: Fitted) -> Array:
        """Return 2, that of the square."""
        return np.full(np.shape(y), 2.0)

    def parts(self, fitted: Fitted) -> dict[str, object]:
        """Return the offset."""
        return {"map": self.name, "offset": self.offset}
