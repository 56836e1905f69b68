"""What every fusion that adds weighted scores shares: what a missing document counts as."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import numpy as np

from normalizers.contract import param, unwrap
from normalizers.data.arrays import Array
from normalizers.scores.fusion.base.score_fusion import ScoreFusion, lowest
from normalizers.scores.fusion.runs.pool import Entries, Pool
from normalizers.scores.fusion.runs.run import Run
from normalizers.scores.fusion.runs.run_normalizer import RunNormalizer

Missing: TypeAlias = Literal["auto", "zero", "run_min", "skip"] | float


class SummingFusion(ScoreFusion):
    """Base of the sums ``sum w s`` over the runs."""

    missing: Missing | None = param(
        default=None,
        default_value="auto",
        affects="answer",
        help="what a document that a run lacks counts as; auto: zero where scores are bounded",
    )

    def absent(self, run: Run, values: Array, normalizer: RunNormalizer) -> Array | None:
        """Return by query what a run gives every document that it lacks; an empty list nothing."""
        rule: Missing = unwrap(self.missing)
        if rule == "auto":
            # Within about 0..1 a 0 is the worst; where values have no such end, the run's own
            # lowest is.
            rule = "zero" if normalizer.bounded else "run_min"
        if rule == "run_min":
            return lowest(run, values)
        if isinstance(rule, str) or rule == 0:
            return None
        return np.where(run.lists.lengths > 0, float(rule), np.nan)

    def contributions(self, entries: Entries, pool: Pool) -> Array:
        """Return the weighted scores."""
        return entries.weights * entries.values.values

    def factor(self, entries: Entries, pool: Pool) -> Array | None:
        """Return for ``skip`` the sum of all weights over that of the runs that have a document."""
        if self.missing != "skip":
            return None
        there = entries.finders_weight()
        whole = math.fsum(pool.weights)
        return np.divide(whole, there, out=np.ones(len(there)), where=there > 0)
