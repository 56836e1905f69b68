"""What every fusion shares whose weights can be searched for."""

from __future__ import annotations

from typing import ClassVar

from normalizers.scores.fusion.base.weighted import WeightedFusion
from normalizers.scores.fusion.search.grid_search import GridSearchFusion
from normalizers.scores.fusion.search.space import Weighting


class SearchedWeights(GridSearchFusion, WeightedFusion):
    """Base of the fusions whose weights a fit finds: tuples that add up to 1.

    Notes
    -----
    A fit on judged runs with a `measure` finds the weights: all tuples of tenths that add up to 1
    are tried, or those of `grid`; of equally good ones the first, in ascending order, is taken.
    """

    searched: ClassVar[str] = "weights"

    @property
    def space(self) -> Weighting:
        """Weights in tenths."""
        return Weighting()
