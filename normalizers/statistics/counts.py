"""How often each bin occurs: ranks, grades, occurrences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Self, final

import numpy as np

from normalizers.data.arrays import LARGEST_INTEGER, Array
from normalizers.errors import IncompatibleStatistics, InvalidInput, NonFiniteError
from normalizers.statistics.base import posted
from normalizers.statistics.base.magnitude import NOT_THOSE_ROWS
from normalizers.statistics.base.stacking import RaggedStatistic, flattened, freeze
from normalizers.statistics.base.statistic import Members
from normalizers.statistics.base.value_counts import tallied


@final
@dataclass(frozen=True, eq=False)
class Counts(RaggedStatistic):
    """How often each bin was seen; ``Counts()`` is empty.

    Parameters
    ----------
    bins : array of shape (m,)
        The bins that were seen, ascending.
    counts : int64 array of shape (m,)
        How often, at least once.

    Notes
    -----
    A bin that does not stand here was never seen: parts with other bins add up. NaN is a missing
    value. Everything is exact, merging and removing too. Cost O(n log n).

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics import Counts
    >>> hits = Counts().update(np.array([1.0, 3.0, 1.0]))
    >>> hits.at(np.array([1.0, 2.0, 3.0])).tolist(), hits.n
    ([2, 0, 1], 3)
    """

    bins: Array = field(default_factory=lambda: np.zeros(0))
    counts: Array = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    name: ClassVar[str] = "counts"
    removable: ClassVar[bool] = True

    def __post_init__(self) -> None:
        freeze(self, "bins", "counts")

    @property
    def n(self) -> int:
        """Values seen."""
        return int(self.counts.sum())

    def identity(self) -> Mapping[str, object]:
        """Return nothing: a bin that one part lacks is one it never saw."""
        return {}

    def at(self, bins: Array) -> Array:
        """Return how often each of `bins` was seen, int64 of the same shape."""
        wanted = np.asarray(bins, dtype=np.float64)
        if not len(self.bins):
            return np.zeros(wanted.shape, dtype=np.int64)
        # Clipped: what lies beyond the last bin equals none.
        place = np.minimum(np.searchsorted(self.bins, wanted), len(self.bins) - 1)
        return np.where(self.bins[place] == wanted, self.counts[place], 0)

    def update(self, *rows: Array) -> Self:
        """Return the counts with values added, once each or as often as a second array says.

        Parameters
        ----------
        *rows : one or two arrays of shape (n,)
            The values, NaN is missing; and optionally how often each was seen, whole numbers.
        """
        values, *times = flattened(rows)
        if np.isinf(values).any():
            raise NonFiniteError("counts take finite or missing values; one is infinite")
        often = posted.whole(times[0], "counts") if times else np.ones(len(values), dtype=np.int64)
        seen = ~np.isnan(values) & (often > 0)
        return self.merge(Counts(*tallied(values[seen] + 0.0, often[seen])))

    def merge(self, other: Self) -> Self:
        """Return the counts of both parts together, exactly."""
        joined = (self.bins, other.bins), (self.counts, other.counts)
        return Counts(*tallied(*map(np.concatenate, joined)))

    def minus(self, other: Self) -> Self:
        """Return the counts without those of `other`, exactly.

        Raises
        ------
        IncompatibleStatistics
            `other` holds values that were never added.
        """
        bins = np.concatenate([self.bins, other.bins])
        left, counts = tallied(bins, np.concatenate([self.counts, -other.counts]))
        if np.any(counts < 0):
            raise IncompatibleStatistics(f"{NOT_THOSE_ROWS}: a bin would be seen less than never")
        return Counts(left[counts > 0], counts[counts > 0])

    def arrays(self) -> dict[str, Array]:
        """Return ``bins`` and ``counts``."""
        return {"bins": self.bins, "counts": self.counts}

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the counts of posted ``bins``, ascending, and ``counts``."""
        if not members:
            return Counts()
        posted.refuse_unknown(members, ("bins", "counts"), path)
        bins = posted.floats(members, "bins", path, (None,)) + 0.0
        posted.refuse_where(np.diff(bins) <= 0, "the bins do not ascend", f"{path}.bins")
        counts = posted.counts(members, "counts", path, (len(bins),))
        if counts.sum(dtype=np.float64) > LARGEST_INTEGER:
            raise InvalidInput("the counts add up to more than 2**53", path=f"{path}.counts")
        return Counts(bins[counts > 0], counts[counts > 0])

    def summary(self) -> dict[str, object]:
        """Return ``n`` and the number of bins seen."""
        return {"n": self.n, "bins": len(self.bins)}
