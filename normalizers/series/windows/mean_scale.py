"""Windows in units of their mean size: every window and channel by its own mean |x|."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example, param
from normalizers.data.ragged import Ragged
from normalizers.kernels import segments
from normalizers.series.base.window import WindowNormalizer
from normalizers.series.base.window_statistics import WindowStatistics


class MeanScale(WindowNormalizer):
    """Divide windows by their mean size: ``y = x / mean |x|`` of each channel.

    Nothing is subtracted, so zeros and signs stay.

    Notes
    -----
    A window's answer depends on that window alone, and the values of early steps on later ones
    of the same window. Missing and masked values are left out of the mean and missing in the
    answer. Ties need no rule. A window that is zero throughout has scale 1, or what
    `on_constant` says; a smaller scale than `minimum_scale` is that. A constant other than 0
    comes out as 1 or -1; both are flagged ``constant``. A window without observed values gets
    loc 0, scale `default_scale` and the flag ``empty``. Cost O(N).

    The inverse takes values or a forecast of any length with the returned ``loc``, which is 0,
    and ``scale``: points and quantiles times scale, ``std`` times scale, ``variance`` times scale
    squared.

    References
    ----------
    Salinas et al., "DeepAR", 2020; GluonTS, ``MeanScaler``; the scale of Chronos.

    Examples
    --------
    >>> from normalizers import MeanScale
    >>> MeanScale().transform([1.0, -2.0, 3.0]).tolist()
    [0.5, -1.0, 1.5]
    """

    name = "mean_scale"
    presets = {
        "gluonts": {"minimum_scale": 1e-10, "default_scale": 1.0, "masked_output": "transform"},
        "chronos": {"eps_mode": "zero_to_one", "default_scale": 1.0},
    }
    example = Example(
        input={"x": [[[1.0, 9.0], [-2.0, 10.0], [4.0, 5.0]], [[0.5, 3.0], [0.0, -5.0], [1.0, 4.0]]]}
    )

    on_few = None  # one value has a size
    minimum_scale: float | None = param(
        default=None, affects="answer", gt=0, help="smallest scale that divides"
    )
    default_scale: float | None = param(
        default=None,
        default_value=1.0,
        affects="answer",
        gt=0,
        help="scale of a window without observed values",
    )

    @property
    def scale_of_nothing(self) -> float:
        """The scale of a window without observed values."""
        return self.default_scale or 1.0

    def measured(self, observed: Ragged) -> WindowStatistics:
        """Return the mean size of the values of every list."""
        size = segments.absolute_means(observed)
        if self.minimum_scale is not None:
            size = np.maximum(size, self.minimum_scale)
        nothing = np.zeros(len(observed))
        return WindowStatistics(observed.lengths, nothing, size, segments.constant(observed))
