"""Z-scores of windows: every window and channel with its own mean and deviation."""

from __future__ import annotations

import math

import numpy as np

from normalizers.contract import Answer, Batch, Example, Fitted, Options, unwrap
from normalizers.data.arrays import Array
from normalizers.kernels import segments
from normalizers.series.base.z_score_window import ROUNDING, SMALLEST_NORMAL, ZScoreWindow


class WindowZScore(ZScoreWindow):
    """Standardize windows: ``y = (x - mean) / std`` over the observed values of each channel.

    ``std = sqrt(sum (x - mean)^2 / (m - ddof))`` of the m observed values; `eps` and `eps_mode`
    reproduce a peer's epsilon. ``scale: rms`` divides by ``sqrt(sum x^2 / m)``,
    ``center: none`` leaves the location at 0 and does not change the spread.

    Notes
    -----
    The inverse takes values or a forecast of any length with the returned ``loc`` and ``scale``:
    points and quantiles ``loc + scale q``, ``std`` times scale, ``variance`` times scale squared.

    References
    ----------
    Kim et al., "Reversible instance normalization for accurate time-series forecasting against
    distribution shift", ICLR 2022, whose layer without affine this is.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers import WindowZScore
    >>> method = WindowZScore()
    >>> answer = method.apply_to(x=[[1.0, 2.0, 3.0], [0.1, 0.1, 0.1]], layout="NT")
    >>> answer["y"].round(4).tolist()
    [[-1.2247, 0.0, 1.2247], [0.0, 0.0, 0.0]]
    >>> forecast = np.array([[0.0], [1.0]])
    >>> method.inverse_transform(
    ...     forecast, loc=answer["loc"], scale=answer["scale"], layout="NT"
    ... ).tolist()
    [[2.0], [1.1]]
    """

    name = "window_z_score"
    aliases = {"instance_norm": {}, "standard_window": {}}
    presets = {
        "gluonts": {"eps": 1e-5, "eps_mode": "add_var", "masked_output": "transform"},
        "neuralforecast": {
            "eps": 1e-6,
            "eps_mode": "zero_to_one_then_add",
            "masked_output": "transform",
        },
        "coreforecast": {"eps_mode": "zero_to_one"},
        "darts": {"eps_mode": "zero_to_one"},
        "sktime": {"eps_mode": "zero_to_one"},
        "tslearn": {"eps_mode": "zero_to_one"},
        "pytorch_forecasting": {"ddof": 1, "eps": 2.220446049250313e-16, "eps_mode": "add_std"},
        "timesfm": {"eps": 1e-6, "eps_mode": "below_to_one"},
        "chronos": {"eps": 1e-5, "eps_mode": "zero_to_eps"},
    }
    example = Example(
        input={"x": [[[1.0, 10.0], [2.0, 10.0], [4.0, 10.0]], [[0.5, 3.0], [0.0, 5.0], [1.0, 4.0]]]}
    )

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return standardized windows; one that is no case of its own takes fewer steps."""
        usual = self.center == "mean" and self.scale == "std" and self.eps_mode == "none"
        if usual and not (options.explain or "mask" in batch or self.mask_zero or self.ddof_floor):
            x = batch["x"]
            alone = _alone(x, unwrap(self.ddof)) if isinstance(x, np.ndarray) else None
            if alone is not None:
                return alone
        return super().apply(fitted, batch, options)


def _alone(x: Array, ddof: int) -> Answer | None:
    """Return the answer of one window of one channel, None where it is a case of its own."""
    windows, _, channels = x.shape
    moments = segments.moments_alone(x.reshape(-1)) if windows == channels == 1 else None
    if moments is None or moments.n <= ddof:
        return None
    spread = moments.std(ddof)
    imprecise = moments.std() <= max(ROUNDING * abs(moments.mean), SMALLEST_NORMAL)
    if imprecise or not 0 < spread < math.inf:
        return None
    loc, scale = np.full((1, 1, 1), moments.mean), np.full((1, 1, 1), spread)
    return Answer({"y": (x - moments.mean) / spread, "loc": loc, "scale": scale})
