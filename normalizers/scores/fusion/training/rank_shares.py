"""How often each run was right at each rank, as `posfuse` and `slidefuse` have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from normalizers.data.arrays import Array
from normalizers.scores.fusion.training.rank_tallies import RankTallies
from normalizers.scores.fusion.training.trained_fusion import TrainedRankFusion, depths_of
from normalizers.statistics import Counts


class RankShares(TrainedRankFusion):
    """Base of the fusions of the share of relevant documents at each rank."""

    def solve_runs(self, counts: Sequence[Counts]) -> Mapping[str, Array]:
        """Return the shares, one row a run, 0 past its depth."""
        tallies = [RankTallies.of(each) for each in counts]
        depths = depths_of(tallies)
        shares = np.zeros((len(tallies), int(depths.max(initial=0))))
        for row, each in zip(shares, tallies, strict=True):
            # Of the lists that reach the rank, not of all: short lists are no misses.
            row[: each.depth] = each.by_rank() / each.reaching()
        return {"depths": depths, "probabilities": shares}
