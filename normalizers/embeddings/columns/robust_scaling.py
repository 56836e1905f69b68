"""Robust scaling: every column with its median subtracted, divided by a distance of quantiles."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import numpy as np
from annotated_types import Ge, Le, Len

from normalizers.bases.columns.scaled import ScaledColumnMap
from normalizers.bases.columns.scales import Measured
from normalizers.contract import Example, param, unwrap
from normalizers.data.arrays import Array
from normalizers.embeddings.base.exported_columns import ExportedColumns
from normalizers.errors import FitError, InvalidParams
from normalizers.kernels.value_counts import lower_median, median_absolute_deviation
from normalizers.statistics import Quantiles

Percentile: TypeAlias = Annotated[float, Ge(0), Le(100)]


class RobustScaling(ExportedColumns[Quantiles], ScaledColumnMap[Quantiles]):
    """Scale columns by quantiles: y = (x - median) / (q_high - q_low).

    `scale` ``iqr_half`` divides by half of that distance, ``mad`` by the median distance to the
    median (never multiplied by 1.4826); `unit_variance` divides by the distance in units of that of
    a standard normal distribution, so that normal columns get variance 1.

    Notes
    -----
    A column whose two quantiles are equal has no scale, though not all of its values need be equal:
    the rule for columns without spread holds for it. Ties need no rule; the map is monotone. The
    values of every column are kept, up to `quantiles_exact_limit` distinct ones exactly, beyond it
    as a sketch with a proved error. Cost O(n log n) a column for a fit, O(m d) for a transform.

    References
    ----------
    ``sklearn.preprocessing.RobustScaler``.

    Examples
    --------
    >>> from normalizers import RobustScaling
    >>> RobustScaling().fit([[1.0], [2.0], [3.0], [4.0], [90.0]]).transform([[3.0], [5.0]]).tolist()
    [[0.0], [1.0]]
    """

    name = "robust_scaling"
    aliases = {"channel_robust": {}, "robust": {}}
    example = Example(
        fit={"x": [[1.0, 5.0], [2.0, 4.0], [3.0, 9.0], [4.0, 1.0], [90.0, 2.0]]},
        input={"x": [[3.0, 5.0]]},
    )

    center: Literal["median", "lower_median", "none"] | None = param(
        default=None, default_value="median", affects="solution", help="what is subtracted"
    )
    scale: Literal["iqr", "iqr_half", "mad", "none"] | None = param(
        default=None, default_value="iqr", affects="solution", help="what divides"
    )
    quantile_range: Annotated[list[Percentile], Len(2, 2)] | None = param(
        default=None,
        resolves="[25, 75]",
        affects="solution",
        help="the two percentiles whose distance divides, 0..100",
    )
    unit_variance: bool | None = param(
        default=None,
        default_value=False,
        affects="solution",
        help="divide in units of the same distance of a standard normal distribution",
    )
    quantiles_exact_limit: int | None = param(
        default=None,
        default_value=Quantiles.EXACT_LIMIT,
        affects="statistics",
        ge=1,
        help="distinct values that a column keeps; more are sketched",
    )

    def check(self, path: str) -> None:
        """Refuse percentiles that do not ascend, and a normal distance of none."""
        low, high = self.quantile_range or (25.0, 75.0)
        if low >= high:
            raise InvalidParams(
                "quantile_range is two ascending percentiles", path=f"{path}.quantile_range"
            )
        if self.unit_variance and (low == 0 or high == 100):
            raise InvalidParams(
                "a normal distribution has no ends: unit_variance needs a quantile_range within "
                "0..100",
                path=f"{path}.quantile_range",
            )
        if self.unit_variance and self.scale not in (None, "iqr", "iqr_half"):
            raise InvalidParams(
                "unit_variance belongs to the scales iqr and iqr_half", path=f"{path}.unit_variance"
            )

    @property
    def statistic(self) -> Quantiles:
        """The distribution of each column."""
        return Quantiles(self.quantiles_exact_limit or Quantiles.EXACT_LIMIT)

    def measured(self, seen: Quantiles) -> Measured:
        """Return median and distance of quantiles of each column."""
        return Measured(self._loc(seen), self._scale(seen))

    def _loc(self, seen: Quantiles) -> Array:
        if self.center == "none":
            return np.zeros(seen.width)
        if self.center == "median":
            return seen.quantile(0.5)
        return np.array([lower_median(*column) for column in _columns(seen, "lower_median")])

    def _scale(self, seen: Quantiles) -> Array | None:
        if self.scale == "none":
            return None
        if self.scale == "mad":
            columns = _columns(seen, "mad")
            return np.array([median_absolute_deviation(*column)[1] for column in columns])
        shares = np.array(self.quantile_range or (25.0, 75.0)) / 100
        low, high = seen.quantile(shares)
        distance: Array = high - low
        if unwrap(self.unit_variance):
            from scipy.special import ndtri

            distance = distance / float(np.diff(ndtri(shares))[0])
        return distance / 2 if self.scale == "iqr_half" else distance


def _columns(seen: Quantiles, word: str) -> list[tuple[Array, Array]]:
    if not seen.mergeable:
        raise FitError(f"stored quantiles do not tell the {word}; post the values")
    return [seen.column(index) for index in range(seen.width)]
