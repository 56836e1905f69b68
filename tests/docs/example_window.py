"""Windows squeezed between -1 and 1: the hyperbolic tangent of z-scores."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.kernels import segments
from normalizers.series.base.window import WindowNormalizer
from normalizers.series.base.window_statistics import WindowStatistics


class TanhWindow(WindowNormalizer):
    """Squeeze z-scores of a window: ``y = tanh((x - mean) / std)``.

    Notes
    -----
    Missing values are left out of mean and deviation and missing in the answer; ties need no
    rule. A window without spread gives 0, flagged ``constant``, one without values loc 0 and
    scale 1, flagged ``empty``. Points and quantiles of a forecast come back by the inverse; at
    -1 and 1, and beyond, there is nothing to come back. Cost O(N).

    References
    ----------
    Hampel et al., "Robust Statistics", 1986, whose estimators bend z-scores so.

    Examples
    --------
    >>> from tests.docs.example_window import TanhWindow
    >>> TanhWindow().transform([1.0, 2.0, 3.0]).round(4).tolist()
    [-0.841, 0.0, 0.841]
    """

    name = "tanh_window"
    straight = False
    example = Example(input={"x": [[[1.0], [2.0], [4.0]], [[0.5], [0.0], [1.0]]]})

    on_few = None  # one value has a deviation: 0

    def measured(self, observed: Ragged) -> WindowStatistics:
        """Return mean and deviation of every list."""
        moments = segments.centred_moments(observed)
        constant = segments.constant(observed)
        return WindowStatistics(moments.n, moments.mean, moments.std(), constant)

    def after_scaling(self, z: Array) -> Array:
        """Return the tangents of z-scores."""
        return np.tanh(z)

    def before_scaling(self, y: Array) -> Array:
        """Return the z-scores of tangents."""
        return np.arctanh(np.where(np.abs(y) < 1, y, np.nan))
