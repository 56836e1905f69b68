"""What windows share that are scaled by medians and distances of quantiles."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Le, Len

from normalizers.contract import param, unwrap
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidParams
from normalizers.kernels import segments
from normalizers.kernels.list_quantiles import list_quantiles, lower_medians, sort_lists
from normalizers.series.base.window import WindowNormalizer
from normalizers.series.base.window_statistics import WindowStatistics

OF_MEDIANS = ("mad", "mad_lower_median")


class RobustWindow(WindowNormalizer):
    """Base of ``(x - median) / spread`` with a spread that outliers do not move.

    Notes
    -----
    `scale` ``iqr`` is the distance of the percentiles `quantile_range`, by linear interpolation,
    ``iqr_half`` half of it; ``mad`` the median distance to the center, never multiplied by
    1.4826, ``mad_lower_median`` the lower one of two in the middle; ``mean_abs_dev`` the mean
    distance to it. A window of which more than half of the values are equal has a ``mad`` of 0:
    `mad_zero_fallback` times its standard deviation stands in, where it is named.

    A window without spread divides by 1, or as `on_constant` says; the flag ``constant`` says
    that all of its values are equal. One without observed values gets loc 0, scale 1 and the
    flag ``empty``. Missing and masked values are left out of the statistics and missing in the
    answer. Ties need no rule. Cost O(N log N).
    """

    on_few = None  # one value has a spread: 0

    center: Literal["median", "lower_median", "mean", "none"] | None = param(
        default=None, default_value="median", affects="answer", help="which location is subtracted"
    )
    scale: Literal["iqr", "iqr_half", "mad", "mad_lower_median", "mean_abs_dev"] | None = param(
        default=None, default_value="iqr", affects="answer", help="which spread divides"
    )
    quantile_range: Annotated[list[Annotated[float, Ge(0), Le(100)]], Len(2, 2)] | None = param(
        default=None,
        default_value=[25.0, 75.0],
        affects="answer",
        help="the two percentiles whose distance divides, 0..100",
    )
    mad_zero_fallback: float | None = param(
        default=None,
        affects="answer",
        gt=0,
        help="factor of the standard deviation that stands in for a median distance of 0",
    )

    def check(self, path: str) -> None:
        """Refuse percentiles that do not ascend, and what no other parameter asks for."""
        if self.quantile_range is not None and not self.quantile_range[0] < self.quantile_range[1]:
            raise InvalidParams(
                "quantile_range is two ascending percentiles", path=f"{path}.quantile_range"
            )
        scale = self.scale or self.parameters["scale"].standard
        if self.mad_zero_fallback is not None and scale not in OF_MEDIANS:
            raise InvalidParams(
                "mad_zero_fallback belongs to the scales mad and mad_lower_median",
                path=f"{path}.mad_zero_fallback",
            )

    def measured(self, observed: Ragged) -> WindowStatistics:
        """Return center and spread of every list."""
        ascending = sort_lists(observed)
        center = self._center(observed, ascending)
        spread = self._spread(observed, ascending, center)
        constant = segments.constant(observed)
        # What rounding left of equal values is no spread.
        spread = np.where(constant, 0.0, spread)
        loc = np.zeros(len(observed)) if self.center == "none" else center
        return WindowStatistics(observed.lengths, loc, spread, constant)

    def _center(self, observed: Ragged, ascending: Ragged) -> Array:
        match self.center:
            case "mean":
                return segments.centred_moments(observed).mean
            case "lower_median":
                return lower_medians(ascending)
            case _:
                return list_quantiles(ascending, 0.5)

    def _spread(self, observed: Ragged, ascending: Ragged, center: Array) -> Array:
        if self.scale in ("iqr", "iqr_half"):
            low, high = (share / 100 for share in unwrap(self.quantile_range))
            width = list_quantiles(ascending, high) - list_quantiles(ascending, low)
            return width / 2 if self.scale == "iqr_half" else width
        far = np.abs(observed.values - segments.broadcast(center, observed))
        distances = observed.with_values(far)
        if self.scale == "mean_abs_dev":
            return segments.absolute_means(distances)
        sorted_distances = sort_lists(distances)
        by_lower = self.scale == "mad_lower_median"
        mad = lower_medians(sorted_distances) if by_lower else list_quantiles(sorted_distances, 0.5)
        if self.mad_zero_fallback is None:
            return mad
        fallback = self.mad_zero_fallback * segments.centred_moments(observed).std()
        return np.where(mad == 0, fallback, mad)
