"""Decimal scaling: each channel divided by the power of ten above its largest stored size."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from normalizers.bases.columns.scales import Measured
from normalizers.contract import Example, Fitted, Statistics
from normalizers.series.base.channel_map import ChannelMap
from normalizers.statistics import Extrema


class DecimalScale(ChannelMap[Extrema]):
    """Divide each channel by a power of ten: y = x / 10^k, k the smallest with max |x| < 10^k.

    Notes
    -----
    k may be negative; a largest size of exactly 1 takes k = 1, a channel of zeros k = 0. Ties keep
    equal values; the map is monotone. Fits merge exactly. Cost O(n c).

    References
    ----------
    The "decimal precision" files of FI-2010: Ntakaris et al.: Benchmark dataset for mid-price
    forecasting of limit order book data with machine learning methods, 2018.

    Examples
    --------
    >>> from normalizers import DecimalScale
    >>> DecimalScale().fit([[12.5, -0.03], [999.0, 0.08]]).transform([[500.0, 0.05]]).tolist()
    [[0.5, 0.5]]
    """

    name = "decimal_scale"
    aliases = {"channel_decimal": {}}
    example = Example(fit={"x": [[12.5, -0.03], [999.0, 0.08]]}, input={"x": [[500.0, 0.05]]})
    statistic = Extrema()

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the powers of ten, and their exponents."""
        fitted = super().solve(statistics)
        exponents = np.rint(np.log10(fitted["scale"])).astype(np.int64)
        return replace(fitted, arrays={**fitted.arrays, "exponent": exponents})

    def measured(self, seen: Extrema) -> Measured:
        """Return the powers of ten."""
        largest = np.maximum(np.abs(seen.min), np.abs(seen.max))
        scale = np.array([_power_above(size) for size in largest.tolist()])
        return Measured(np.zeros_like(scale), scale, is_spread=False)


def _power_above(size: float) -> float:
    """Return the smallest power of ten above a size; 1 for none."""
    if size == 0 or np.isnan(size):
        return 1.0
    exponent = int(np.floor(np.log10(size)))
    # The logarithm is rounded: a neighbour of it may be the smallest.
    powers = [10.0**power for power in range(exponent - 1, exponent + 2)]
    return next((power for power in powers if size < power), powers[-1])
