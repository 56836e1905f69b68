"""Min-max of channels: the smallest and the largest stored value become the ends of a range."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Len

from normalizers.bases.columns.scales import Measured
from normalizers.contract import Example, param
from normalizers.series.base.channel_map import Ends, RangedChannels, check_interval
from normalizers.statistics import Extrema


class ChannelMinMax(RangedChannels[Extrema]):
    """Map each channel to a range: y = a + (b - a) (x - min) / (max - min).

    Notes
    -----
    A channel without spread gives a, and a new value beside it a + (x - min). Ties keep equal
    values; the map is monotone. Fits merge exactly. Cost O(n c).

    References
    ----------
    ``sklearn.preprocessing.MinMaxScaler``; ``darts.dataprocessing.transformers.Scaler``, whose
    `global_fit` is the fit on all series together.

    Examples
    --------
    >>> from normalizers import ChannelMinMax
    >>> ChannelMinMax().fit([[0.0, 10.0], [4.0, 30.0]]).transform([[1.0, 40.0]]).tolist()
    [[0.25, 1.5]]
    """

    name = "channel_min_max"
    aliases = {"channel_minmax": {}}
    example = Example(fit={"x": [[0.0, 10.0], [4.0, 30.0]]}, input={"x": [[1.0, 20.0]]})
    statistic = Extrema()

    range: Annotated[list[float], Len(2, 2)] | None = param(
        default=None, resolves="[0, 1]", affects="solution", help="the ends of the answer, [a, b]"
    )

    def check(self, path: str) -> None:
        """Refuse a range that does not ascend."""
        check_interval(self.range, f"{path}.range")

    @property
    def ends(self) -> Ends:
        """The interval that is mapped to."""
        low, high = self.range or (0.0, 1.0)
        return float(low), float(high)

    def measured(self, seen: Extrema) -> Measured:
        """Return what maps the smallest value to the lower end, and what divides."""
        low, high = self.ends
        scale = (seen.max - seen.min) / (high - low)
        # A channel without spread is divided by 1.
        below = low * np.where(scale == 0, 1.0, scale) if low else 0.0
        return Measured(seen.min - below, scale)
