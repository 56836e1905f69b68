"""Group methods by quantiles: a location and the distance of two others."""

from __future__ import annotations

from typing import cast

from normalizers.bases.group_moments import GroupEnds, GroupSpreads
from normalizers.contract import Statistics, param, unwrap
from normalizers.errors import InvalidParams
from normalizers.metrics.base.group_affine import AffineGroupNormalizer
from normalizers.metrics.base.group_distributions import KeptDistributions
from normalizers.metrics.base.group_tables import quantile_ends, quantile_spreads
from normalizers.statistics import Grouped, Quantiles

ENDS = 2
HUNDRED = 100.0


class QuantileGroups(KeptDistributions, AffineGroupNormalizer):
    """Base of the group methods that subtract a median and divide by an interpercentile range."""

    words = ("median", "range")

    quantile_range: list[float] | None = param(
        default=None,
        resolves="the percentiles that the method's paper has",
        min_length=ENDS,
        max_length=ENDS,
        affects="solution",
        help="the two percentiles, 0..100, whose distance divides",
    )

    def check(self, path: str) -> None:
        """Refuse percentiles that do not ascend within 0..100."""
        if self.quantile_range is not None:
            low, high = self.quantile_range
            if not 0.0 <= low < high <= HUNDRED:
                raise InvalidParams(
                    "two percentiles ascend within 0..100", path=f"{path}.quantile_range"
                )

    def spreads(self, statistics: Statistics) -> GroupSpreads:
        """Return median and interpercentile range of every group."""
        low, high = unwrap(self.quantile_range)
        quantiles = cast("Grouped[Quantiles]", statistics["quantiles"])
        location = 0.5 if self.rules.centred else None
        return quantile_spreads(quantiles, location, (low / HUNDRED, high / HUNDRED))

    def ends(self, statistics: Statistics, table: GroupSpreads) -> GroupEnds | None:
        """Return the range of the anchors of each group."""
        return quantile_ends(cast("Grouped[Quantiles]", statistics["quantiles"]), table.keys)
