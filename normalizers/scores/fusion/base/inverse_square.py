"""What the inverse square rank fusions share: a sum of 1 / rank^2, times what many finders earn."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from normalizers.data.arrays import Array
from normalizers.scores.fusion.base.fusion import RankFusion
from normalizers.scores.fusion.runs.pool import Entries, Pool
from normalizers.scores.fusion.runs.run import Run


class InverseSquareFusion(RankFusion):
    """Base of the fusions that multiply the sum of inverse square ranks by the finders' bonus."""

    @abstractmethod
    def bonus(self, finders: Array) -> Array:
        """Return the factor of documents that so many runs found, shape (u,)."""

    def by_rank(self, run: Run, weight: float, pool: Pool) -> Array:
        """Return ``1 / rank^2`` for each hit of a run."""
        return np.asarray(1.0 / (run.ranks * run.ranks))

    def factor(self, entries: Entries, pool: Pool) -> Array | None:
        """Return the factor of each document."""
        return self.bonus(entries.finders)
