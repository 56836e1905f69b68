"""Windows told from their last value."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example
from normalizers.data.ragged import Ragged
from normalizers.kernels import segments
from normalizers.series.base.window import WindowNormalizer
from normalizers.series.base.window_statistics import WindowStatistics


class LastValue(WindowNormalizer):
    """Subtract the last value of a window: ``y = x - x[last]`` of each channel.

    Notes
    -----
    The last value is the last observed one. A window's answer depends on that window alone, and
    the values of early steps on later ones of the same window. Missing and masked values are
    missing in the answer. Ties need no rule. Constants give exact zeros and are flagged
    ``constant``. A window without observed values gets loc 0 and the flag ``empty``. Cost O(N).

    The inverse takes values or a forecast of any length with the returned ``loc`` and ``scale``,
    which is 1: points and quantiles ``loc + q``; deviations and variances stay as they are.

    References
    ----------
    Zeng et al., "Are transformers effective for time series forecasting?", AAAI 2023: NLinear.

    Examples
    --------
    >>> from normalizers import LastValue
    >>> method = LastValue()
    >>> answer = method.apply_to(x=[99.0, 101.0, 100.0])
    >>> answer["y"].tolist()
    [-1.0, 1.0, 0.0]
    >>> method.inverse_transform([0.5], loc=answer["loc"], scale=answer["scale"]).tolist()
    [100.5]
    """

    name = "last_value"
    example = Example(
        input={"x": [[[1.0, 10.0], [2.0, 10.0], [4.0, 10.0]], [[0.5, 3.0], [0.0, 5.0], [1.0, 4.0]]]}
    )

    # Nothing divides, so that no window lacks a spread.
    eps = None
    eps_mode = None
    on_constant = None
    constant_value = None
    on_few = None

    def measured(self, observed: Ragged) -> WindowStatistics:
        """Return the last value of every list."""
        last = np.zeros(len(observed))
        filled = observed.lengths > 0
        last[filled] = observed.values[observed.offsets[1:][filled] - 1]
        ones = np.ones(len(observed))
        return WindowStatistics(observed.lengths, last, ones, segments.constant(observed))
