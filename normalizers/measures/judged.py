"""Ranked lists with what relevance judgements say of each hit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged, offsets_of
from normalizers.kernels import segments


@dataclass(frozen=True)
class Judged:
    """Ranked lists with what the judgements say of each hit.

    Parameters
    ----------
    relevance : Ragged
        Booleans, one list a query, best rank first.
    relevant : int64 array of shape (q,)
        Relevant documents of each query, found or not.
    grades : Ragged, optional
        The judgement of each hit, NaN where there is none; by default 1 for relevant hits.
    pool : Ragged, optional
        All judgements of each query, found or not; by default 1 for every relevant document.

    Examples
    --------
    >>> from normalizers.measures.judged import Judged
    >>> from normalizers.measures.rankings import recall
    >>> from normalizers.data.ragged import Ragged
    >>> import numpy as np
    >>> judged = Judged(Ragged.of([[True, False], [False]], bool), np.array([2, 1]))
    >>> recall(judged).tolist()
    [0.5, 0.0]
    """

    relevance: Ragged
    relevant: Array
    grades: Ragged | None = None
    pool: Ragged | None = None

    @classmethod
    def graded(cls, grades: Ragged, pool: Ragged, rel: float | None = None) -> Judged:
        """Return lists by their judgements: relevant are those above 0, or from `rel` on."""
        relevant = _reached(pool.values, rel)
        return cls(
            grades.with_values(_reached(grades.values, rel)),
            segments.sums(pool.with_values(relevant.astype(np.float64))).astype(np.int64),
            grades,
            pool,
        )

    def __len__(self) -> int:
        return len(self.relevant)

    @property
    def rows(self) -> int:
        """Number of hits."""
        return len(self.relevance.values)

    @property
    def hit_grades(self) -> Ragged:
        """The judgement of each hit, NaN where there is none."""
        if self.grades is not None:
            return self.grades
        found = self.relevance.values.astype(bool)
        return self.relevance.with_values(np.where(found, 1.0, np.nan))

    @property
    def all_grades(self) -> Ragged:
        """All judgements of each query."""
        if self.pool is not None:
            return self.pool
        ones = np.ones(int(self.relevant.sum()))
        return Ragged(ones, offsets_of(self.relevant))

    def at(self, rel: float | None) -> Judged:
        """Return the lists with what is judged `rel` or more as relevant; None is above 0."""
        return self if rel is None else Judged.graded(self.hit_grades, self.all_grades, rel)

    def weighted(self, units: Array) -> Judged:
        """Return the lists with each query as often as `units`, shape (q,), says."""
        drawn = np.repeat(np.arange(len(self)), units)
        return Judged(
            _taken(self.relevance, drawn, bool),
            self.relevant[drawn],
            None if self.grades is None else _taken(self.grades, drawn, np.float64),
            None if self.pool is None else _taken(self.pool, drawn, np.float64),
        )

    @property
    def ranks(self) -> Array:
        """Rank of each hit from 1, shape (N,)."""
        return ranks_of(self.relevance)

    def hits(self, k: int | None) -> Array:
        """Return which hits are relevant and within the first `k`, shape (N,)."""
        found = self.relevance.values.astype(bool)
        return found if k is None else found & (self.ranks <= k)

    def summed(self, gains: Array) -> Array:
        """Return the sum of gains of each query, shape (q,)."""
        return segments.sums(self.relevance.with_values(gains))

    def where_judged(self, values: Array) -> Array:
        """Return values with NaN for queries without a relevant document."""
        return np.where(self.relevant > 0, values, np.nan)


def ranks_of(lists: Ragged) -> Array:
    """Return the place of each value in its list, from 1, shape (N,)."""
    starts = segments.broadcast(lists.offsets[:-1], lists)
    return np.arange(1, len(lists.values) + 1) - starts


def _reached(grades: Array, rel: float | None) -> Array:
    # NaN, a hit without a judgement, reaches nothing.
    return np.asarray(grades > 0 if rel is None else grades >= rel)


def _taken(lists: Ragged, drawn: Array, kind: type) -> Ragged:
    parts = list(lists)
    return Ragged.of([parts[index] for index in drawn], kind)
