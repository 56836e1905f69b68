"""What every fusion shares whose weights can be searched for."""

from __future__ import annotations

from typing import ClassVar

from normalizers.scores.fusion.base.weighted import WeightedFusion
from normalizers.scores.fusion.search.grid_search import GridSearchFusion
from normalizers.scores.fusion.search.space import Weighting


class SearchedWeights(GridSearchFusion, WeightedFusion):
    """Base of the fusions whose weights a fit finds: tuples that add up to 1."""

    searched: ClassVar[str] = "weights"

    @property
    def space(self) -> Weighting:
        """Weights in tenths."""
        return Weighting()
