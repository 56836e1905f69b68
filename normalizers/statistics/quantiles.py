"""The distinct values of each column and how often each occurs, or a sketch of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self, final

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged, offsets_of
from normalizers.errors import IncompatibleStatistics, NonFiniteError, ShapeError
from normalizers.kernels import ecdf
from normalizers.statistics.base import posted
from normalizers.statistics.base.compaction import compacted
from normalizers.statistics.base.curve import Curve, read_curve
from normalizers.statistics.base.stacking import Stackable, freeze, plain
from normalizers.statistics.base.statistic import Members
from normalizers.statistics.base.value_counts import read_tallies, tallied
from normalizers.statistics.base.weights import counted_rows
from normalizers.statistics.total import in_pairs

REPORTED = (0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0)


@final
@dataclass(frozen=True, eq=False)
class Quantiles(Stackable):
    """The distribution of each column, exact or sketched; ``Quantiles()`` is empty.

    Up to a limit of distinct values a column is exact. Beyond it some values stand for their
    neighbours too, and every count of values below, or not above, a point is within `rank_error`.

    Parameters
    ----------
    exact_limit : int
        Most distinct values that are kept of a column.
    observed : int64 array of shape (c,)
        Observed values of each column, the member ``n``.
    offsets : int64 array of shape (c + 1,)
        Where each column starts in `values` and `counts`.
    values : array of shape (N,)
        Distinct values, ascending in each column.
    counts : int64 array of shape (N,)
        How often each occurs.
    rank_error : array of shape (c,)
        Proved bound of the error of a rank, 0 while exact.
    curve : Curve, optional
        Stored quantiles in place of the values: they fit, they do not merge.

    Notes
    -----
    NaN is a missing value; a zero is stored as 0.0. Rows cannot be subtracted. The rank errors of
    parts add up; nothing is random, so the same parts merged in the same order give the same
    sketch, which keeps the smallest and the largest value. Cost O(N log N).

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics import Quantiles
    >>> quantiles = Quantiles().update(np.array([[3.0], [1.0], [3.0]]))
    >>> quantiles.share_below(np.array([3.0]), "strict").tolist()
    [0.3333333333333333]
    >>> quantiles.quantile(0.5).tolist()
    [3.0]
    """

    EXACT_LIMIT: ClassVar[int] = 1_000_000  # the default of quantiles_exact_limit

    exact_limit: int = EXACT_LIMIT
    observed: Array = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    offsets: Array = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    values: Array = field(default_factory=lambda: np.zeros(0))
    counts: Array = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    rank_error: Array = field(default_factory=lambda: np.zeros(0))
    curve: Curve | None = None

    name: ClassVar[str] = "quantiles"

    def __post_init__(self) -> None:
        freeze(self, "observed", "offsets", "values", "counts", "rank_error")

    @property
    def n(self) -> int:
        """Rows seen by the column that saw most; 0 where it is not known."""
        return int(self.observed.max(initial=0))

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.observed)

    @property
    def is_empty(self) -> bool:
        """Whether no value was seen."""
        return self.n == 0 and self.mergeable

    @property
    def mergeable(self) -> bool:
        """Whether the values themselves are known, not only a curve."""
        return self.curve is None

    @property
    def constant(self) -> Array:
        """Which columns have one distinct value, shape (c,)."""
        lowest, highest = self.ends()
        return np.asarray(lowest == highest)

    def identity(self) -> Mapping[str, object]:
        """Return the limit and, when not empty, the number of columns."""
        limit = {"exact_limit": self.exact_limit}
        return limit if self.is_empty else {**limit, "columns": self.width}

    def column(self, index: int) -> tuple[Array, Array]:
        """Return the distinct values of a column and their counts; of a curve, v and p."""
        if self.curve is not None:
            return self.curve.v[:, index], self.curve.p
        part = slice(self.offsets[index], self.offsets[index + 1])
        return self.values[part], self.counts[part]

    def ends(self) -> tuple[Array, Array]:
        """Return the smallest and largest stored value of each column, NaN where none."""
        stored = [self.column(index)[0] for index in range(self.width)]
        lowest = [values[0] if len(values) else np.nan for values in stored]
        highest = [values[-1] if len(values) else np.nan for values in stored]
        return np.array(lowest), np.array(highest)

    def share_below(self, x: Array, kind: ecdf.Kind = "mean") -> Array:
        """Return the share of its column below each entry of ``x (m, c)``, or (m,) for one."""
        rows = self._rows(x)
        shares = np.empty(rows.shape)
        for index in range(self.width):
            shares[:, index] = self._share(index, rows[:, index], kind)
        return shares.reshape(x.shape)

    def quantile(self, p: Array | float) -> Array:
        """Return the quantiles of each column: (c,) for one `p`, (k, c) for ``p (k,)``."""
        probabilities = np.asarray(p, dtype=np.float64)
        by_column = [self._quantile(index, probabilities) for index in range(self.width)]
        return np.stack(by_column, axis=-1) if by_column else np.empty((*probabilities.shape, 0))

    def outside(self, x: Array) -> Array:
        """Return which entries of ``x (m, c)``, or (m,) for one column, lie beyond the ends."""
        lowest, highest = self.ends()
        rows = self._rows(x)
        return ((rows < lowest) | (rows > highest)).reshape(x.shape)

    def update(self, *rows: Array) -> Self:
        """Return the quantiles with the rows of ``x (n, c)`` added; NaN is missing.

        Weights ``(n,)`` may follow: how often each row counts, 0 for none.
        """
        x, times = counted_rows(rows)
        if x.ndim != 2:
            raise ShapeError(f"quantiles take rows of columns, shape (n, c), not {x.shape}")
        if np.isinf(x).any():
            raise NonFiniteError("quantiles take finite or missing values; one is infinite")
        # + 0.0: -0.0 and 0.0 are one value.
        seen = ~np.isnan(x.T)
        columns = [
            column[there].astype(np.float64) + 0.0 for column, there in zip(x.T, seen, strict=True)
        ]
        if times is None:
            tallies = [np.unique(column, return_counts=True) for column in columns]
        else:
            tallies = [
                tallied(column, times[there]) for column, there in zip(columns, seen, strict=True)
            ]
        return self.merge(self._of(tallies, np.zeros(len(tallies))))

    def merge(self, other: Self) -> Self:
        """Return the quantiles of both parts together, exactly up to the limit."""
        if self.is_empty and (other.width or not self.width):
            return other
        if other.is_empty:
            return self
        return self._joined([other])

    def merge_all(self, others: Sequence[Self]) -> Self:
        """Return the quantiles of all parts: beyond the limit they are sketched once."""
        parts: list[Self] = [self, *others]
        seen = [part for part in parts if not part.is_empty]
        return seen[0]._joined(seen[1:]) if seen else in_pairs(parts)

    def columns(self, places: Array) -> Self:
        """Return the quantiles of some columns, in this order; of -1 nothing was seen."""
        nothing = (np.empty(0), np.empty(0, dtype=np.int64))
        tallies = [self.column(place) if place >= 0 else nothing for place in places.tolist()]
        return self._of(tallies, np.where(places >= 0, self.rank_error[places], 0.0))

    def arrays(self) -> dict[str, Array]:
        """Return the members of the exact form, or ``p`` and ``v`` of a curve."""
        if self.curve is not None:
            known = {"p": self.curve.p, "v": self.curve.v}
            return {"n": self.observed, **known} if self.n else known
        return {
            "n": self.observed,
            "offsets": self.offsets,
            "values": self.values,
            "counts": self.counts,
            "rank_error": self.rank_error,
        }

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the quantiles of posted members: the exact form, or ``p`` with ``v``."""
        if not members:
            return Quantiles(self.exact_limit)
        if "p" in members or "v" in members:
            return self._of_curve(members, path)
        tallies = read_tallies(members, path)
        return self._of(list(zip(tallies.values, tallies.counts, strict=True)), tallies.rank_error)

    def stack(self, parts: Sequence[Self]) -> dict[str, Array]:
        """Return the members with the columns of all parts side by side."""
        members = [part.arrays() for part in parts]
        names = members[0].keys()
        curves = [part.curve for part in parts if part.curve is not None]
        if any(member.keys() != names for member in members) or any(
            not np.array_equal(curve.p, curves[0].p) for curve in curves
        ):
            raise IncompatibleStatistics("the groups do not have the same members")
        joined = {name: np.concatenate([m[name] for m in members]) for name in names - {"p", "v"}}
        if curves:
            v = np.concatenate([curve.v for curve in curves], axis=1)
            return {**joined, "p": curves[0].p, "v": v}
        lengths = np.concatenate([np.diff(part.offsets) for part in parts])
        return {**{name: joined[name] for name in names}, "offsets": offsets_of(lengths)}

    def unstack(self, members: Members, groups: int, path: str) -> list[Self]:
        """Return the quantiles of each group, whose columns stand side by side."""
        joined = self.from_arrays(members, path)
        if joined.width % groups:
            raise ShapeError(f"{joined.width} columns are not the same number a key", path=path)
        width = joined.width // groups
        return [joined._columns(start, start + width) for start in range(0, joined.width, width)]

    def summary(self) -> dict[str, object]:
        """Return n, the ends, the usual quantiles and the rank error of each column."""
        lowest, highest = self.ends()
        quantiles = self.quantile(np.array(REPORTED))
        return {
            "n": self.observed.tolist() if self.n else None,
            "min": plain(lowest),
            "max": plain(highest),
            "quantiles": {str(p): plain(row) for p, row in zip(REPORTED, quantiles, strict=True)},
            "rank_error": None if self.curve else plain(self.rank_error),
        }

    def _rows(self, x: Array) -> Array:
        rows = x[:, None] if x.ndim == 1 else x
        posted.require_shape(rows, (None, self.width), "x")
        return rows

    def _share(self, index: int, x: Array, kind: ecdf.Kind) -> Array:
        if self.curve is None:
            return ecdf.share_below(*self.column(index), x, kind)
        return self.curve.share_below(index, x, kind, int(self.observed[index]) or None)

    def _quantile(self, index: int, p: Array) -> Array:
        if self.curve is None:
            return ecdf.quantile(*self.column(index), p)
        return self.curve.quantile(index, p)

    def _columns(self, start: int, stop: int) -> Quantiles:
        if self.curve is not None:
            curve = Curve(self.curve.p, self.curve.v[:, start:stop])
            return replace(self, observed=self.observed[start:stop], curve=curve)
        tallies = [self.column(index) for index in range(start, stop)]
        return self._of(tallies, self.rank_error[start:stop])

    def _joined(self, others: Sequence[Self]) -> Self:
        """Return these and other quantiles together, none of them empty."""
        for other in others:
            self.require_same(other)
        parts: list[Self] = [self, *others]
        tallies = [
            tallied(*map(np.concatenate, zip(*(p.column(index) for p in parts), strict=True)))
            for index in range(self.width)
        ]
        return self._of(tallies, np.sum([part.rank_error for part in parts], axis=0))

    def _of(self, tallies: Sequence[tuple[Array, Array]], errors: Array) -> Quantiles:
        kept = [compacted(values, counts, self.exact_limit) for values, counts in tallies]
        values = Ragged.of([column.values for column in kept])
        counts = Ragged.of([column.counts for column in kept], np.int64)
        observed = np.array([part.sum() for part in counts], dtype=np.int64)
        added = np.array([column.rank_error for column in kept])
        return Quantiles(
            self.exact_limit,
            observed,
            values.offsets,
            values.values,
            counts.values,
            # Errors of parts add up, yet no rank is off by more values than there are.
            np.minimum(errors + added, observed),
        )

    def _of_curve(self, members: Members, path: str) -> Quantiles:
        posted.refuse_unknown(members, ("p", "v", "n"), path)
        curve = read_curve(members, path)
        width = curve.v.shape[1]
        observed = np.zeros(width, dtype=np.int64)
        if "n" in members:
            observed = posted.column_counts(members, "n", path, width)
            posted.refuse_where(observed == 0, "stored quantiles have an n of at least 1", path)
        return Quantiles(
            self.exact_limit,
            observed,
            np.zeros(width + 1, dtype=np.int64),
            rank_error=np.zeros(width),
            curve=curve,
        )
