"""For every distinct x: how many rows, their weight, and mean and spread of a second value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Self, final

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import NonFiniteError
from normalizers.statistics.base import posted
from normalizers.statistics.base.magnitude import (
    LARGEST,
    SMALLEST,
    STORABLE,
    require_storable,
    rounding_bound,
)
from normalizers.statistics.base.stacking import RaggedStatistic, flattened, freeze
from normalizers.statistics.base.statistic import Members

MEMBERS = ("x", "n", "weight", "mean", "m2")
PAIRS = ("x", "y", "counts")


@final
@dataclass(frozen=True, eq=False)
class Knots(RaggedStatistic):
    """Mean and spread of y at every distinct x; ``Knots()`` is empty.

    Parameters
    ----------
    x : array of shape (m,)
        Distinct, ascending.
    counts : int64 array of shape (m,)
        Rows at each x, the member ``n``.
    weight : array of shape (m,)
        Sum of their weights; without weights their number.
    mean : array of shape (m,)
        Weighted mean of their y.
    m2 : array of shape (m,)
        Weighted sum of squared deviations from it.

    Notes
    -----
    A row with a missing value or the weight 0 is no row. Parts merge exactly up to the rounding
    of a mean, and in any order to the same bits. Rows cannot be subtracted. Cost O(n log n).

    References
    ----------
    Chan, Golub, LeVeque: Algorithms for computing the sample variance, 1983.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics import Knots
    >>> knots = Knots().update(np.array([2.0, 1.0, 2.0]), np.array([1.0, 0.0, 0.0]))
    >>> knots.x.tolist(), knots.counts.tolist(), knots.mean.tolist()
    ([1.0, 2.0], [1, 2], [0.0, 0.5])
    """

    x: Array = field(default_factory=lambda: np.zeros(0))
    counts: Array = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    weight: Array = field(default_factory=lambda: np.zeros(0))
    mean: Array = field(default_factory=lambda: np.zeros(0))
    m2: Array = field(default_factory=lambda: np.zeros(0))

    name: ClassVar[str] = "knots"

    def __post_init__(self) -> None:
        freeze(self, "x", "counts", "weight", "mean", "m2")

    @property
    def n(self) -> int:
        """Rows seen."""
        return int(self.counts.sum())

    def identity(self) -> Mapping[str, object]:
        """Return nothing: there is one x and one second value."""
        return {}

    def update(self, *rows: Array) -> Self:
        """Return the knots with rows added.

        Parameters
        ----------
        *rows : two or three arrays of shape (n,)
            x, y, and optionally weights, none negative.
        """
        x, y, *weights = flattened(rows)
        weight = weights[0] if weights else np.ones(len(x))
        if any(np.isinf(column).any() for column in (x, y, weight)):
            raise NonFiniteError("knots take finite or missing values; one is infinite")
        posted.refuse_where(weight < 0, "a weight is negative", "sample_weights")
        require_storable(np.column_stack([y, weight]))
        kept = ~(np.isnan(x) | np.isnan(y)) & (weight > 0)
        one = np.ones(np.count_nonzero(kept), dtype=np.int64)
        part = _gathered(x[kept], one, weight[kept], y[kept], np.zeros(len(one)))
        return self.merge(part)

    def merge(self, other: Self) -> Self:
        """Return the knots of both parts, those of one x by the parallel formula."""
        return self.merge_all([other])

    def merge_all(self, others: Sequence[Self]) -> Self:
        """Return the knots of all parts; they are sorted once."""
        parts: list[Self] = [self, *others]
        seen = [part for part in parts if not part.is_empty]
        if len(seen) < 2:
            return seen[0] if seen else self
        members = [part.arrays() for part in seen]
        return _gathered(*(np.concatenate([part[name] for part in members]) for name in MEMBERS))

    def arrays(self) -> dict[str, Array]:
        """Return ``x``, ``n``, ``weight``, ``mean`` and ``m2``."""
        columns = (self.x, self.counts, self.weight, self.mean, self.m2)
        return dict(zip(MEMBERS, columns, strict=True))

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the knots of posted members, or of pairs ``x``, ``y`` with their ``counts``."""
        if not members:
            return Knots()
        if "y" in members:
            return _of_pairs(members, path)
        posted.refuse_unknown(members, MEMBERS, path)
        x = posted.floats(members, "x", path, (None,)) + 0.0
        posted.refuse_where(np.diff(x) <= 0, "the x do not ascend", f"{path}.x")
        counts = posted.counts(members, "n", path, (len(x),))
        weight, mean, m2 = (
            posted.floats(members, name, path, (len(x),)) for name in ("weight", "mean", "m2")
        )
        knots = Knots(x, counts, weight, mean, m2)
        _require_possible(knots, path)
        return knots

    def summary(self) -> dict[str, object]:
        """Return ``n``, the number of distinct x and their range."""
        ends = self.x[[0, -1]].tolist() if len(self.x) else None
        return {"n": self.n, "knots": len(self.x), "range": ends}


def _gathered(x: Array, counts: Array, weight: Array, mean: Array, m2: Array) -> Knots:
    """Return the knots of these parts; the bits do not depend on their order."""
    if not len(x):
        return Knots()
    # Parts of one x are added in an order of their own, not in that of arrival: the same bits.
    order = np.lexsort((m2, weight, mean, x))
    x, counts, weight, mean, m2 = (part[order] for part in (x + 0.0, counts, weight, mean, m2))
    starts = np.flatnonzero(np.concatenate(([True], x[1:] != x[:-1])))
    sizes = np.diff(np.append(starts, len(x)))
    total = np.add.reduceat(weight, starts)
    lowest = mean[starts]
    # Counted from the lowest mean, so that equal means give exactly it.
    above = weight * (mean - np.repeat(lowest, sizes))
    together = lowest + np.add.reduceat(above, starts) / total
    # Chan for many parts: m2 is the sum of theirs and of weight (mean_part - mean)^2.
    apart = mean - np.repeat(together, sizes)
    spread = np.add.reduceat(m2 + weight * apart * apart, starts)
    return Knots(x[starts], np.add.reduceat(counts, starts), total, together, spread)


def _of_pairs(members: Members, path: str) -> Knots:
    posted.refuse_unknown(members, PAIRS, path)
    x = posted.floats(members, "x", path, (None,))
    y = posted.floats(members, "y", path, (len(x),))
    counts = posted.counts(members, "counts", path, (len(x),))
    posted.refuse_where(np.abs(y) > LARGEST, STORABLE, f"{path}.y")
    seen = counts > 0
    weight = counts[seen].astype(np.float64)
    return _gathered(x[seen], counts[seen], weight, y[seen], np.zeros(len(weight)))


def _require_possible(knots: Knots, path: str) -> None:
    posted.refuse_where(knots.counts < 1, "a knot has no rows", f"{path}.n")
    posted.refuse_where(knots.weight <= 0, "a weight is not above 0", f"{path}.weight")
    posted.refuse_where(knots.m2 < 0, "a spread is negative", f"{path}.m2")
    single = knots.counts == 1
    noise = rounding_bound(1, knots.mean) * knots.weight
    posted.refuse_where(single & (knots.m2 > noise), "one row has no spread", f"{path}.m2")
    posted.refuse_where(np.abs(knots.mean) > LARGEST, STORABLE, f"{path}.mean")
    too_heavy = (knots.weight > LARGEST) | (knots.weight < SMALLEST)
    posted.refuse_where(too_heavy, STORABLE, f"{path}.weight")
    posted.refuse_where(knots.m2 > LARGEST * LARGEST, STORABLE, f"{path}.m2")
