"""Windows between two numbers: every window and channel by its own smallest and largest value."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Len

from normalizers.contract import Example, param, unwrap
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidParams
from normalizers.kernels import segments
from normalizers.series.base.window import WindowNormalizer
from normalizers.series.base.window_statistics import WindowStatistics


class WindowMinMax(WindowNormalizer):
    """Scale windows to `range`: ``y = a + (b - a) (x - min) / (max - min)``.

    The ends are those of the observed values of each channel; `eps` and `eps_mode` reproduce a
    peer's epsilon in ``max - min``.

    Notes
    -----
    A window's answer depends on that window alone, and the values of early steps on later ones
    of the same window. Missing and masked values are left out of the ends and missing in the
    answer. Ties need no rule. A constant window comes out at the lower end of `range` with scale
    1, or as `on_constant` says (`constant_value` is an answer, within `range`), and is flagged
    ``constant``; one value is a constant. A window without observed values gets loc 0, scale 1
    and the flag ``empty``. There is no epsilon: windows of 1e-200 or 1e300 are as exact as any
    other. Cost O(N).

    ``loc`` and ``scale`` are min and max - min, those before `range`. The inverse takes values or
    a forecast of any length with them: points and quantiles ``loc + scale (q - a) / (b - a)``,
    ``std`` times ``scale / (b - a)``, ``variance`` times its square.

    References
    ----------
    tslearn, ``TimeSeriesScalerMinMax``; coreforecast, ``LocalMinMaxScaler``; Nixtla,
    neuralforecast's ``minmax`` and ``minmax1``, which add 1e-6 to the range.

    Examples
    --------
    >>> from normalizers import WindowMinMax
    >>> method = WindowMinMax(range=[-1, 1])
    >>> answer = method.apply_to(x=[[1.0, 3.0, 2.0], [5.0, 5.0, 5.0]], layout="NT")
    >>> answer["y"].tolist()
    [[-1.0, 1.0, 0.0], [-1.0, -1.0, -1.0]]
    >>> method.inverse_transform(
    ...     [[2.0], [0.0]], loc=answer["loc"], scale=answer["scale"], layout="NT"
    ... ).tolist()
    [[4.0], [5.5]]
    """

    name = "window_min_max"
    aliases = {"window_minmax": {}, "minmax1": {"range": [-1.0, 1.0]}}
    presets = {
        "minmax1": {"range": [-1.0, 1.0]},
        "neuralforecast": {
            "eps": 1e-6,
            "eps_mode": "zero_to_one_then_add",
            "masked_output": "transform",
        },
        "coreforecast": {"eps_mode": "zero_to_one"},
        "darts": {"eps_mode": "zero_to_one"},
        "sktime": {"eps_mode": "zero_to_one"},
        "tslearn": {"eps_mode": "zero_to_one"},
    }
    example = Example(
        input={"x": [[[1.0, 10.0], [2.0, 10.0], [4.0, 10.0]], [[0.5, 3.0], [0.0, 5.0], [1.0, 4.0]]]}
    )

    on_few = None  # one value is a constant
    range: Annotated[list[float], Len(2, 2)] | None = param(
        default=None,
        default_value=[0.0, 1.0],
        affects="answer",
        help="what smallest and largest value become",
    )

    def check(self, path: str) -> None:
        """Refuse a range that does not rise."""
        if self.range is not None and not self.range[0] < self.range[1]:
            raise InvalidParams("the lower end of a range is first", path=f"{path}.range")

    def measured(self, observed: Ragged) -> WindowStatistics:
        """Return the ends of every list."""
        lowest, highest = segments.minima(observed), segments.maxima(observed)
        return WindowStatistics(observed.lengths, lowest, highest - lowest, lowest == highest)

    def after_scaling(self, z: Array) -> Array:
        """Return what lies within 0..1 within the range."""
        low, high = unwrap(self.range)
        # low + (high - low) may be beside high.
        return np.where(z == 1, high, low + (high - low) * z)

    def before_scaling(self, y: Array) -> Array:
        """Return what lies within the range within 0..1."""
        low, high = unwrap(self.range)
        return (y - low) / (high - low)
