"""Max-abs of channels: each divided by the largest size that a fit stored of it."""

from __future__ import annotations

import numpy as np

from normalizers.bases.columns.scales import Measured
from normalizers.contract import Example
from normalizers.series.base.channel_map import ChannelMap
from normalizers.statistics import Extrema


class ChannelMaxAbs(ChannelMap[Extrema]):
    """Divide each channel by its largest size: y = x / max |x|.

    Notes
    -----
    Zeros stay zeros, and the signs stay. A channel of zeros has no size: its rule is that of
    channels without spread. Ties keep equal values; the map is monotone. Fits merge exactly.
    Cost O(n c).

    References
    ----------
    ``sklearn.preprocessing.MaxAbsScaler``.

    Examples
    --------
    >>> from normalizers import ChannelMaxAbs
    >>> ChannelMaxAbs().fit([[1.0, -4.0], [2.0, 1.0]]).transform([[1.0, 1.0]]).tolist()
    [[0.5, 0.25]]
    """

    name = "channel_max_abs"
    aliases = {"channel_maxabs": {}}
    example = Example(fit={"x": [[1.0, -4.0], [2.0, 1.0]]}, input={"x": [[1.0, 1.0]]})
    statistic = Extrema()

    def measured(self, seen: Extrema) -> Measured:
        """Return the largest sizes."""
        largest = np.maximum(np.abs(seen.min), np.abs(seen.max))
        return Measured(np.zeros_like(largest), largest, is_spread=False)
