"""List methods whose fit keeps moments, and the range where it is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from normalizers.contract import Statistic, Statistics
from normalizers.scores.lists.base.same_sample import require_same_sample
from normalizers.scores.lists.base.scoped import ScopedScoreMethod
from normalizers.statistics import Extrema, Moments


class RangedMoments(ScopedScoreMethod):
    """Base of the methods that are fitted on moments; a range beside them tells what is outside."""

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Count, mean and squared deviations, and the range."""
        return {"moments": Moments(), "extrema": Extrema()} if self.fittable else {}

    @property
    def optional_statistics(self) -> frozenset[str]:
        """The range, which moments do without."""
        return frozenset({"extrema"}) if self.fittable else frozenset()

    def check_statistics(self, statistics: Statistics, path: str) -> None:
        """Refuse moments and a range that cannot be those of the same scores."""
        if "extrema" in statistics:
            moments, extrema = statistics["moments"], statistics["extrema"]
            require_same_sample(cast(Moments, moments), cast(Extrema, extrema), path)
