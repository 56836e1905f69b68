"""Robust z-scores of windows through an inverse hyperbolic sine, which tames what is far out."""

from __future__ import annotations

from typing import Literal

import numpy as np

from normalizers.contract import Example, param
from normalizers.data.arrays import Array
from normalizers.series.base.robust_window import RobustWindow


class WindowRobustArcsinh(RobustWindow):
    """Scale windows by medians and bend them: ``y = arcsinh((x - median) / MAD)``.

    Notes
    -----
    A window's answer depends on that window alone, and the values of early steps on later ones
    of the same window. Near the median the map is a straight line, far out a logarithm. The
    inverse takes values or a forecast of any length with the returned ``loc`` and ``scale``:
    points and quantiles ``loc + scale sinh(q)``. Deviations and variances do not come back
    through a bent map: send quantiles, or each sample path as a window.

    References
    ----------
    Nixtla, neuralforecast's ``invariant`` scaler. Uniejewski, Weron, Ziel, "Variance stabilizing
    transformations for electricity spot price forecasting", IEEE Transactions on Power Systems
    33, 2018.

    Examples
    --------
    >>> from normalizers import WindowRobustArcsinh
    >>> method = WindowRobustArcsinh()
    >>> answer = method.apply_to(x=[1.0, 2.0, 3.0, 4.0, 100.0])
    >>> answer["y"].round(4).tolist()
    [-1.4436, -0.8814, 0.0, 0.8814, 5.2679]
    >>> scales = {"loc": answer["loc"], "scale": answer["scale"]}
    >>> method.inverse_transform([0.8814], **scales).round(3).tolist()
    [4.0]
    """

    name = "window_robust_arcsinh"
    aliases = {"invariant": {}, "robust_arcsinh": {}}
    presets = {
        "neuralforecast": {
            "center": "lower_median",
            "scale": "mad_lower_median",
            "mad_zero_fallback": 0.6744897501960817,
            "eps": 1e-6,
            "eps_mode": "zero_to_one_then_add",
            "masked_output": "transform",
        }
    }
    straight = False
    example = Example(
        input={"x": [[[1.0, 10.0], [2.0, 10.0], [4.0, 10.0]], [[0.5, 3.0], [0.0, 5.0], [1.0, 4.0]]]}
    )

    scale: Literal["iqr", "iqr_half", "mad", "mad_lower_median", "mean_abs_dev"] | None = param(
        default=None, default_value="mad", affects="answer", help="which spread divides"
    )

    def after_scaling(self, z: Array) -> Array:
        """Return the inverse hyperbolic sine."""
        return np.asarray(np.arcsinh(z))

    def before_scaling(self, y: Array) -> Array:
        """Return the hyperbolic sine."""
        return np.asarray(np.sinh(y))
