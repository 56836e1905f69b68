"""Links: groups moved to the mean of a reference, and to its deviation where that is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

import numpy as np

from normalizers.bases.group_moments import GroupSpreads, group_moments
from normalizers.contract import Statistic, Statistics, param, unwrap
from normalizers.data.arrays import Array
from normalizers.errors import FitError
from normalizers.kernels.loc_scale import LocScale
from normalizers.metrics.base.group_affine import AffineGroupNormalizer
from normalizers.metrics.base.group_scales import ScaleRules
from normalizers.metrics.base.reference import ReferencedGroups
from normalizers.statistics import Extrema, Grouped, Moments

MOMENTS = "moments"


class LinkedGroups(ReferencedGroups, AffineGroupNormalizer):
    """Base of the links by mean, y = mu_r + (x - mu_g) / scale_g."""

    optional_statistics = frozenset({"extrema"})

    on_few: Literal["scale_one", "error"] | None = param(
        default=None,
        default_value="error",
        affects="solution",
        help="a group with fewer scores than the link needs: refused, or moved only",
    )
    on_constant = None
    constant_value = None

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Moments of the groups and of the reference, and the range of each group."""
        ends = {"extrema": Grouped(Extrema(), self.group_names)}
        return {**self.with_reference(MOMENTS, Moments()), **ends}

    @property
    def rules(self) -> ScaleRules:
        """The mean is subtracted; nothing divides."""
        return ScaleRules(unwrap(self.on_few), "scale_one", scaled=False)

    def spreads(self, statistics: Statistics) -> GroupSpreads:
        """Return mean and deviation of every group."""
        return group_moments(cast("Grouped[Moments]", statistics[MOMENTS]), self.rules.ddof)

    def onto(
        self, statistics: Statistics, table: GroupSpreads, scales: LocScale
    ) -> tuple[LocScale, Array | None]:
        """Return the scales, and the mean of the reference."""
        target = self.target(statistics)
        return scales, np.broadcast_to(target.loc, scales.loc.shape).copy()

    def target(self, statistics: Statistics) -> GroupSpreads:
        """Return mean and deviation of the reference.

        Raises
        ------
        FitError
            A column of it has no scores.
        """
        reference: Grouped[Moments] = self.reference_of(statistics, MOMENTS)
        if reference.is_empty:
            raise FitError("the reference has no scores", path="fit.reference")
        table = group_moments(reference, self.rules.ddof)
        if np.isnan(table.loc).any():
            column = int(np.argmax(np.isnan(table.loc[0])))
            raise FitError(f"the reference has no score in column {column}", path="fit.reference")
        return table
