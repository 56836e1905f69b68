"""Fusions of the training queries, one at every point of a grid, and how well each did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from normalizers.contract import NOT_FITTED, Batch, Fitted
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.measures.judged import Judged
from normalizers.measures.table import MeasureSpec, read_measure
from normalizers.scores.fusion.runs.pool import Pool
from normalizers.scores.fusion.training.training import Training, standing_at

if TYPE_CHECKING:
    from normalizers.scores.fusion.base.fusion import Fusion

MEASURE = "measure"


@dataclass(frozen=True)
class TrialFusions:
    """Training queries, read once for many fusions of them.

    Parameters
    ----------
    training : Training
    given : Batch
        The request that they were read from.
    measure : Asked
        What is measured of every fused list.
    path : str
        Where the request stands.
    """

    training: Training
    given: Batch
    measure: MeasureSpec
    path: str

    @cached_property
    def pool(self) -> Pool:
        """The runs of the training queries, each with weight 1."""
        return Pool.of(self.training.runs, np.ones(len(self.training.runs)))

    @cached_property
    def grades(self) -> Array:
        """The judgement of each document of the pool, NaN without one, shape (u,)."""
        return np.asarray(self.training.judgements.grades_of(self.pool.union.ids).values)

    @property
    def judged(self) -> Array:
        """Which queries have a relevant document, shape (q,)."""
        return np.asarray(self.training.judgements.counts > 0)

    def values(self, fusion: Fusion, fitted: Fitted = NOT_FITTED) -> Array:
        """Return the measure of each judged query when the runs are fused so; 0 where undefined."""
        with standing_at(self.path):
            weights = fusion.run_weights(self.training.runs)
            pool = replace(self.pool, weights=weights, fitted=fitted)
            ranked = fusion.ranking(pool, self.given)
        grades = ranked.with_values(self.grades[ranked.values])
        judged = Judged.graded(grades, self.training.judgements.pool)
        found = np.asarray(self.measure.measure.function(judged, **self.measure.given))
        return np.asarray(np.nan_to_num(found[self.judged], nan=0.0))

    def table(self, fusions: Sequence[Fusion], fitted: Sequence[Fitted] = ()) -> Array:
        """Return the values of several fusions, shape (judged queries, fusions)."""
        learnt = fitted or [NOT_FITTED] * len(fusions)
        pairs = zip(fusions, learnt, strict=True)
        return np.stack([self.values(fusion, own) for fusion, own in pairs], axis=1)


def asked_measure(name: str, path: str) -> MeasureSpec:
    """Return the measure of ranked lists that a fit names.

    Raises
    ------
    InvalidParams
        An unknown measure, or one that is not of ranked lists query by query.
    """
    asked = read_measure(name, f"{path}.{MEASURE}")
    if asked.measure.needs != "rankings" or not asked.measure.by_unit:
        raise InvalidParams(
            f"'{asked.label}' does not measure ranked lists, as 'ndcg@10' does",
            path=f"{path}.{MEASURE}",
        )
    return asked
