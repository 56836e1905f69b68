"""What the Borda counts share: points for the documents that a run ranks lower."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.kernels.segments import broadcast
from normalizers.scores.fusion.base.fusion import RankFusion
from normalizers.scores.fusion.runs.pool import Pool
from normalizers.scores.fusion.runs.run import Run


class BordaFusion(RankFusion):
    """Base of the Borda counts."""

    def by_rank(self, run: Run, weight: float, pool: Pool) -> Array:
        """Return ``w (C - rank + 1)`` for each hit of a run."""
        return np.asarray(weight * (broadcast(pool.totals, run.lists) - run.ranks + 1.0))

    def by_absence(self, run: Run, weight: float, pool: Pool) -> Array | None:
        """Return ``w (C - n + 1) / 2``, the mean of the points left; nothing of an empty list."""
        lengths = run.lists.lengths
        return np.where(lengths > 0, weight * ((pool.totals - lengths + 1) / 2), np.nan)
