"""Min-max of channels between two percentiles of what a fit saw."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import numpy as np
from annotated_types import Ge, Le, Len

from normalizers.bases.columns.scales import Measured
from normalizers.contract import Example, param
from normalizers.series.base.channel_map import RangedChannels, check_interval
from normalizers.statistics import Quantiles

Percentile: TypeAlias = Annotated[float, Ge(0), Le(100)]
MIDDLE = (5.0, 95.0)


class PercentileMinMax(RangedChannels[Quantiles]):
    """Map two percentiles of each channel to 0 and 1: y = (x - low) / (high - low), clipped.

    `invert` gives (high - x) / (high - low): the largest value becomes 0, as of depths.

    Notes
    -----
    The percentiles are those of all rows of the fit: what is served page by page, clipped to 0..1,
    is what the whole sequence would be. A channel whose percentiles are equal has no scale. Ties
    keep equal values; the map is monotone, or falls with `invert`. The values of every channel are
    kept, up to `quantiles_exact_limit` distinct ones exactly; stored percentiles may be posted.
    Cost O(n log n) a channel for a fit, O(m c) for a transform.

    References
    ----------
    LongVie: depth maps of a whole video between its 5th and 95th percentile, 2025.

    Examples
    --------
    >>> from normalizers import PercentileMinMax
    >>> method = PercentileMinMax(quantile_range=[0, 50]).fit([[0.0], [2.0], [4.0], [6.0], [8.0]])
    >>> method.transform([[1.0], [7.0]]).tolist()
    [[0.25], [1.0]]
    """

    name = "percentile_min_max"
    example = Example(
        fit={"x": [[0.0, 5.0], [2.0, 4.0], [4.0, 9.0], [6.0, 1.0], [8.0, 2.0]]},
        input={"x": [[1.0, 5.0]]},
    )

    clip: bool | None = param(
        default=None, default_value=True, affects="answer", help="clamp the answer to 0..1"
    )
    invert: bool | None = param(
        default=None, default_value=False, affects="solution", help="give 1 to the smallest value"
    )
    quantile_range: Annotated[list[Percentile], Len(2, 2)] | None = param(
        default=None,
        resolves="[5, 95]",
        affects="solution",
        help="the two percentiles that become 0 and 1",
    )
    quantiles_exact_limit: int | None = param(
        default=None,
        default_value=Quantiles.EXACT_LIMIT,
        affects="statistics",
        ge=1,
        help="distinct values that a channel keeps; more are sketched",
    )

    def check(self, path: str) -> None:
        """Refuse percentiles that do not ascend."""
        check_interval(self.quantile_range, f"{path}.quantile_range")

    @property
    def statistic(self) -> Quantiles:
        """The distribution of each channel."""
        return Quantiles(self.quantiles_exact_limit or Quantiles.EXACT_LIMIT)

    def measured(self, seen: Quantiles) -> Measured:
        """Return the percentile that becomes 0, and the distance to the other."""
        low, high = seen.quantile(np.array(self.quantile_range or MIDDLE) / 100)
        start, stop = (high, low) if self.invert else (low, high)
        return Measured(start, stop - start, is_spread=False)
