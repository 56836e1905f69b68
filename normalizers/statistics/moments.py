"""Count, mean and sum of squared deviations of each column.

Long, for adding, merging, removing and posting must agree on the same three sums.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import ClassVar, Self, final

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import IncompatibleStatistics, ShapeError
from normalizers.kernels.segments import table_moments
from normalizers.kernels.weighted import weighted_moments
from normalizers.statistics.base import posted as reading
from normalizers.statistics.base.magnitude import (
    MACHINE_EPSILON,
    NOT_THOSE_ROWS,
    ROUNDING_FACTOR,
    require_storable,
    rounding_bound,
)
from normalizers.statistics.base.posted_moments import posted_m2, require_possible_moments
from normalizers.statistics.base.posted_spread import PostedSpread
from normalizers.statistics.base.raw_sums import centred
from normalizers.statistics.base.stacking import Stackable, freeze, one_by_one, plain
from normalizers.statistics.base.statistic import Members
from normalizers.statistics.base.weights import NO_WEIGHTS, SUMS, WeightSums, weighted_rows

BLOCK_ROWS = 4096
# Parts merged in another order differ by some 1e-12; beyond this they are other rows.
REMOVAL_TOLERANCE = 1e-8  # of the total's second moment


@final
@dataclass(frozen=True, eq=False)
class Moments(Stackable):
    """Count, mean and sum of squared deviations of each column; ``Moments()`` is empty.

    Parameters
    ----------
    observed : int64 array of shape (c,)
        Observed values of each column, the member ``n``.
    mean : array of shape (c,)
        Their mean, 0 where none was observed.
    m2 : array of shape (c,)
        Sum of squared deviations from the mean.
    uncounted : PostedSpread, optional
        The spread, where statistics were posted without ``n``: they fit, they do not merge.
    weights : WeightSums, optional
        Sums of the weights of the rows, the members ``sum_w`` and ``sum_w2``; mean and spread are
        then those of weighted rows, and parts with and without weights do not merge.

    Notes
    -----
    NaN is a missing value, counted out column by column. Batches give the same as one pass
    within 1e-12 of the largest entry for abs(mean)/std up to 1e3, beyond it within
    1e-15 x abs(mean)/std. Values beyond 1e-140..1e140 in size are refused. Cost O(n c).

    References
    ----------
    Chan, Golub, LeVeque: Algorithms for computing the sample variance, 1983.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics import Moments
    >>> first = Moments().update(np.array([[1.0], [2.0]]))
    >>> both = first.merge(Moments().update(np.array([[6.0]])))
    >>> both.mean.tolist(), both.variance(ddof=1).tolist()
    ([3.0], [7.0])
    """

    observed: Array = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    mean: Array = field(default_factory=lambda: np.zeros(0))
    m2: Array = field(default_factory=lambda: np.zeros(0))
    uncounted: PostedSpread | None = None
    weights: WeightSums = NO_WEIGHTS

    name: ClassVar[str] = "moments"
    removable: ClassVar[bool] = True

    def __post_init__(self) -> None:
        freeze(self, "observed", "mean", "m2")

    @property
    def n(self) -> int:
        """Rows seen by the column that saw most."""
        return int(self.observed.max(initial=0))

    @property
    def is_empty(self) -> bool:
        """Whether no value was seen."""
        return self.n == 0 and self.mergeable

    @property
    def mergeable(self) -> bool:
        """Whether ``n`` is known."""
        return self.uncounted is None

    @property
    def constant(self) -> Array:
        """Which columns have no spread beyond rounding, m2 <= 16 n (eps mean)^2; shape (c,)."""
        if self.uncounted is not None:
            return np.square(self.uncounted.values) <= rounding_bound(1, self.mean)
        return (self.observed > 0) & (self.m2 <= rounding_bound(self.mass, self.mean))

    @property
    def mass(self) -> Array:
        """What a mean divides by: the observed values, or their weights; shape (c,)."""
        return self.weights.mass(self.observed)

    def identity(self) -> Mapping[str, object]:
        """Return the number of columns."""
        return {} if self.is_empty else {"columns": len(self.mean)}

    def variance(self, ddof: int = 0) -> Array:
        """Return m2 / (n - ddof) of each column, NaN where n <= ddof; shape (c,).

        Of weighted rows the divisor is that of :meth:`WeightSums.freedom`.

        Raises
        ------
        FitError
            The statistics were posted without ``n`` and with another `ddof`.
        """
        if self.uncounted is not None:
            return np.square(self.uncounted.require_ddof(ddof, "spread"))
        freedom = self.weights.freedom(self.observed, ddof)
        return np.where(freedom > 0, self.m2 / np.where(freedom > 0, freedom, 1), np.nan)

    def std(self, ddof: int = 0) -> Array:
        """Return the square root of :meth:`variance`, shape (c,)."""
        return np.sqrt(self.variance(ddof))

    def update(self, *rows: Array) -> Self:
        """Return the moments with the rows of ``x (n, c)`` added; NaN is missing.

        Weights ``(n,)`` follow where there are some; a row of weight 0 is none.
        """
        x, weights = weighted_rows(self.weights, rows)
        if x.ndim != 2:
            raise ShapeError(f"moments take rows of columns, shape (n, c), not {x.shape}")
        moments = self if self.mean.size else _no_rows(x.shape[1], self.weights)
        for start in range(0, len(x), BLOCK_ROWS):
            block = np.asarray(x[start : start + BLOCK_ROWS], dtype=np.float64)
            require_storable(block, start)
            own = None if weights is None else weights[start : start + BLOCK_ROWS]
            moments = moments.merge(_of_block(block, own, self.weights))
        return moments

    def check_rows(self, *rows: Array) -> None:
        """Refuse a value that cannot be squared."""
        require_storable(np.asarray(rows[0], dtype=np.float64))

    def update_each(self, groups: Sequence[Self], bounds: Array, *rows: Array) -> list[Self]:
        """Return every group with its rows added, those of all blocks in one pass."""
        if self.weights.is_weighted:
            return one_by_one(groups, bounds, *rows)
        members, places = self._blocks(bounds, rows)
        found = [Moments(*part) for part in zip(*members, strict=True)]
        edges = places.tolist()
        return [
            # Most groups of a fit are new: what is merged with nothing is itself.
            reduce(Moments.merge, found[start:stop], group)
            if group.mean.size or stop == start
            else reduce(Moments.merge, found[start + 1 : stop], found[start])
            for group, start, stop in zip(groups, edges, edges[1:], strict=False)
        ]

    def stack_rows(self, bounds: Array, *rows: Array) -> dict[str, Array] | None:
        """Return the stacked members of new groups, all blocks in one pass."""
        if self.weights.is_weighted:
            return None
        members, edges = self._blocks(bounds, rows)
        stacked = [member[edges[:-1]] for member in members]
        # Most groups are one block; of the others the rest is merged, in the order of `update`.
        for group in np.flatnonzero(np.diff(edges) > 1).tolist():
            parts = zip(*(m[edges[group] : edges[group + 1]] for m in members), strict=True)
            whole = reduce(Moments.merge, (Moments(*part) for part in parts))
            for member, own in zip(stacked, (whole.observed, whole.mean, whole.m2), strict=True):
                member[group] = own
        return dict(zip(("n", "mean", "m2"), stacked, strict=True))

    def of_stack(self, members: Mapping[str, Array], group: int) -> Self:
        """Return the moments of one group of stacked members."""
        return Moments(*(members[name][group] for name in ("n", "mean", "m2")))

    def merge(self, other: Self) -> Self:
        """Return the moments of both parts together, by the parallel formula."""
        self.weights.require_same(other.weights, self.name)
        if self.is_empty and (other.mean.size or not self.mean.size):
            return other
        if other.is_empty:
            return self
        self.require_same(other)
        observed = self.observed + other.observed
        sums = self.weights.plus(other.weights)
        mass = sums.mass(observed)
        share = other.mass / np.where(mass > 0, mass, 1)
        shift = other.mean - self.mean
        # Chan: n_a n_b / n shift^2, divided first: the product of two counts may leave int64.
        between = shift * shift * self.mass * share
        m2 = self.m2 + other.m2 + between
        return Moments(observed, self.mean + shift * share, m2, weights=sums)

    def minus(self, other: Self) -> Self:
        """Return the moments of the rows that remain when those of `other` are removed.

        Raises
        ------
        IncompatibleStatistics
            `other` holds rows that were never added.

        Notes
        -----
        A remainder below the rounding bound of the subtraction is no spread: m2 becomes 0.
        """
        self.weights.require_same(other.weights, self.name)
        if other.is_empty:
            return self
        self.require_same(other)
        observed = self.observed - other.observed
        if np.any(observed < 0):
            raise IncompatibleStatistics(f"{NOT_THOSE_ROWS}: more rows are removed than were seen")
        sums = self.weights.minus(other.weights, observed)
        mass = sums.mass(observed)
        share = other.mass / np.where(mass > 0, mass, 1)
        # n mean = n_a mean_a + n_b mean_b, solved for mean_a as a correction of the mean: no two
        # large products cancel.
        mean = np.where(observed > 0, self.mean + (self.mean - other.mean) * share, 0.0)
        m2 = _remaining_m2(self, other, observed, mean, mass)
        return Moments(observed, mean, m2, weights=sums)

    def columns(self, places: Array) -> Self:
        """Return the moments of some columns, in this order; of -1 nothing was seen."""
        there = places >= 0
        observed, mean, m2 = (
            np.where(there, array[places], 0) for array in (self.observed, self.mean, self.m2)
        )
        return Moments(observed, mean, m2, weights=self.weights.columns(places))

    def arrays(self) -> dict[str, Array]:
        """Return ``n``, ``mean`` and ``m2``, or what is known without ``n``."""
        if self.uncounted is None:
            members = {"n": self.observed, "mean": self.mean, "m2": self.m2}
            return {**members, **self.weights.arrays()}
        return {"mean": self.mean, **self.uncounted.arrays("std")}

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the moments of posted members.

        ``mean`` with ``m2``, or with ``std`` or ``variance`` and their ``ddof``; or ``sum`` and
        ``sum_squares``. A scalar ``n`` holds for every column, and without ``n`` the moments fit
        but do not merge.
        """
        if not members:
            return Moments(weights=WeightSums(self.weights.kind))
        if "sum_squares" in members and not self.weights.is_weighted:
            return _of_sums(members, path)
        known = ("n", "mean", "m2", "std", "variance", "ddof", *SUMS)
        reading.refuse_unknown(members, known, path)
        spread = reading.one_of(members, ("m2", "std", "variance"), path)
        if self.weights.is_weighted:
            reading.require(members, "m2", path)
            reading.require(members, "n", path)
        if "n" not in members:
            return self._without_n(members, spread, path)
        mean = reading.columns(members, "mean", path, missing=True)
        observed = reading.column_counts(members, "n", path, len(mean))
        m2 = posted_m2(members, spread, observed, path)
        sums = self.weights.read(members, observed, path)
        require_possible_moments(observed, mean, m2, sums.mass(observed), path)
        return Moments(observed, np.nan_to_num(mean), np.nan_to_num(m2), weights=sums)

    def summary(self) -> dict[str, object]:
        """Return ``n``, ``mean`` and ``std`` (``ddof`` 1) of each column, null if undefined."""
        if self.uncounted is not None:
            return {"mean": plain(self.mean), "std": plain(self.uncounted.values)}
        mean = np.where(self.observed > 0, self.mean, np.nan)
        return {"n": self.observed.tolist(), "mean": plain(mean), "std": plain(self.std(ddof=1))}

    def _blocks(
        self, bounds: Array, rows: Sequence[Array]
    ) -> tuple[tuple[Array, Array, Array], Array]:
        """Return the members of every block of rows, and where the blocks of each group begin."""
        x, _ = weighted_rows(self.weights, rows)
        blocks = _block_bounds(bounds)
        members = table_moments(np.asarray(x, dtype=np.float64), blocks)
        return members, np.searchsorted(blocks[:-1], bounds)

    def _without_n(self, members: Members, spread: str, path: str) -> Self:
        if spread == "m2":
            reading.require(members, "n", path)
        mean = reading.columns(members, "mean", path)
        std = reading.columns(members, spread, path, len(mean))
        reading.refuse_where(std < 0, "a spread is negative", f"{path}.{spread}")
        deviations = np.sqrt(std) if spread == "variance" else std
        uncounted = PostedSpread.read(deviations, members, path)
        return Moments(np.zeros(len(mean), dtype=np.int64), mean, np.zeros(len(mean)), uncounted)


def _no_rows(columns: int, sums: WeightSums) -> Moments:
    zeros, none = np.zeros(columns), np.zeros(columns, dtype=np.int64)
    return Moments(none, zeros, zeros, weights=sums.zeros((columns,)))


def _block_bounds(bounds: Array) -> Array:
    """Return where each block of rows begins, as in `update`, and where the last one ends."""
    blocks = -(-np.diff(bounds) // BLOCK_ROWS)
    first = np.cumsum(blocks) - blocks
    place = np.arange(blocks.sum()) - np.repeat(first, blocks)
    starts = np.repeat(bounds[:-1], blocks) + place * BLOCK_ROWS
    return np.concatenate([starts, bounds[-1:]]).astype(np.int64)


def _of_block(block: Array, weights: Array | None, kind: WeightSums) -> Moments:
    if weights is not None:
        n, mean, m2, *sums = weighted_moments(block, weights)
        return Moments(n, mean, m2, weights=kind.of(*sums))
    n, mean, m2 = table_moments(block, np.array([0, len(block)]))
    return Moments(n[0], mean[0], m2[0])


def _remaining_m2(
    total: Moments, removed: Moments, observed: Array, mean: Array, mass: Array
) -> Array:
    # Chan's merge read backwards: n_left n_removed / n (mean_removed - mean_left)^2. With no row
    # left there is no mean, and n (mean_removed - mean)^2 must vanish by itself.
    between = np.square(removed.mean - np.where(observed > 0, mean, total.mean)) * np.where(
        observed > 0,
        mass * (removed.mass / np.where(total.mass > 0, total.mass, 1)),
        total.mass,
    )
    m2 = total.m2 - removed.m2 - between
    mean_rounding = rounding_bound(total.mass, np.maximum(abs(total.mean), abs(removed.mean)))
    tolerance = REMOVAL_TOLERANCE * total.m2 + mean_rounding
    vanished = observed <= 1
    if np.any(m2 < -tolerance) or np.any(vanished & (m2 > tolerance)):
        raise IncompatibleStatistics(f"{NOT_THOSE_ROWS}: the remaining spread would be impossible")
    # A difference of sums of this size carries their rounding: below it there is no spread left.
    noise = ROUNDING_FACTOR * MACHINE_EPSILON * total.m2 + mean_rounding
    return np.where(vanished | (m2 <= noise), 0.0, m2)


def _of_sums(members: Members, path: str) -> Moments:
    reading.refuse_unknown(members, ("n", "sum", "sum_squares"), path)
    sums = reading.columns(members, "sum", path)
    squares = reading.columns(members, "sum_squares", path, len(sums))
    observed = reading.column_counts(members, "n", path, len(sums))
    mean, m2 = centred(observed, sums, squares, f"{path}.sum_squares")
    m2 = np.where(observed > 1, m2, 0.0)
    require_possible_moments(observed, mean, m2, observed, path)
    return Moments(observed, mean, m2)
