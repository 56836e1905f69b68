"""Z-scores of windows through an inverse hyperbolic sine, which tames what is far out."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example
from normalizers.data.arrays import Array
from normalizers.series.base.z_score_window import ZScoreWindow


class WindowZScoreArcsinh(ZScoreWindow):
    """Standardize windows and bend them: ``y = arcsinh((x - mean) / std)`` of each channel.

    Notes
    -----
    Near the mean the map is a straight line, far out a logarithm. The inverse takes values or a
    forecast of any length with the returned ``loc`` and ``scale``: points and quantiles
    ``loc + scale sinh(q)``. Deviations and variances do not come back through a bent map: send
    quantiles, or each sample path as a window.

    References
    ----------
    amazon-science/chronos-forecasting (Apache-2.0), the option ``use_arcsinh`` of Chronos-2.

    Examples
    --------
    >>> from normalizers import WindowZScoreArcsinh
    >>> WindowZScoreArcsinh().transform([1.0, 2.0, 3.0]).round(4).tolist()
    [-1.0317, 0.0, 1.0317]
    """

    name = "window_z_score_arcsinh"
    aliases = {}
    presets = {"chronos": {"eps": 1e-5, "eps_mode": "zero_to_eps"}}
    straight = False
    example = Example(
        input={"x": [[[1.0, 10.0], [2.0, 10.0], [4.0, 10.0]], [[0.5, 3.0], [0.0, 5.0], [1.0, 4.0]]]}
    )

    def after_scaling(self, z: Array) -> Array:
        """Return the inverse hyperbolic sine."""
        return np.asarray(np.arcsinh(z))

    def before_scaling(self, y: Array) -> Array:
        """Return the hyperbolic sine."""
        return np.asarray(np.sinh(y))
