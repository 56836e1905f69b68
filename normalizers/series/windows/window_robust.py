"""Robust scaling of windows: every window and channel by its own median and quartiles."""

from __future__ import annotations

from normalizers.contract import Example
from normalizers.series.base.robust_window import RobustWindow


class WindowRobust(RobustWindow):
    """Scale windows by quantiles: ``y = (x - median) / (q75 - q25)`` of each channel.

    Notes
    -----
    A window's answer depends on that window alone, and the values of early steps on later ones
    of the same window. The inverse takes values or a forecast of any length with the returned
    ``loc`` and ``scale``: points and quantiles ``loc + scale q``, ``std`` times scale,
    ``variance`` times scale squared.

    References
    ----------
    ``sklearn.preprocessing.RobustScaler``, by window; coreforecast's ``iqr`` and ``mad``;
    pytorch-forecasting's ``robust`` (``iqr_half``); neuralforecast's ``robust``, whose medians
    are the lower ones.

    Examples
    --------
    >>> from normalizers import WindowRobust
    >>> WindowRobust().transform([1.0, 2.0, 3.0, 4.0, 100.0]).tolist()
    [-1.0, -0.5, 0.0, 0.5, 48.5]
    """

    name = "window_robust"
    aliases = {}
    presets = {
        "neuralforecast": {
            "center": "lower_median",
            "scale": "mad_lower_median",
            "mad_zero_fallback": 0.6744897501960817,
            "eps": 1e-6,
            "eps_mode": "zero_to_one_then_add",
            "masked_output": "transform",
        },
        "sktime": {"eps_mode": "zero_to_one"},
        "pytorch_forecasting": {
            "scale": "iqr_half",
            "eps": 2.220446049250313e-16,
            "eps_mode": "add_std",
        },
    }
    example = Example(
        input={"x": [[[1.0, 10.0], [2.0, 10.0], [4.0, 10.0]], [[0.5, 3.0], [0.0, 5.0], [1.0, 4.0]]]}
    )
