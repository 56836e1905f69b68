"""How well every point of a grid did on judged queries, as sums that merge exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self, final

import numpy as np

from normalizers.data.arrays import Array, string_array
from normalizers.errors import FitError, IncompatibleStatistics
from normalizers.statistics.base import posted
from normalizers.statistics.base.magnitude import NOT_THOSE_ROWS
from normalizers.statistics.base.stacking import freeze
from normalizers.statistics.base.statistic import Members, Statistic

# A value within 0..1 is kept as a multiple of the coarse unit and the rest as one of the fine
# unit; of so many queries the sums of both are exact float64 numbers.
COARSE, FINE = 2.0**-32, 2.0**-64
# 2^20 multiples of 2^-32, or 2^20 rests of at most 2^-33 in units of 2^-64, need 52 bits.
MOST_QUERIES = 2**20
MEMBERS = ("measure", "settings", "columns", "grid", "n", "sums", "rests")


@final
@dataclass(frozen=True, eq=False)
class Trials(Statistic):
    """Sums of a measure by query at every point of a grid; ``Trials()`` is empty.

    Parameters
    ----------
    measure : str
        What was measured: ``ndcg@10``.
    settings : str
        What else the trials depend on, as text.
    columns : tuple of str
        What the numbers of a point are.
    grid : array of shape (t, p)
        The points.
    queries : int
        Judged queries.
    sums, rests : arrays of shape (t,)
        The sum of the measure over the queries, in two parts that are both exact.

    Notes
    -----
    Merging and removing are exact: neither the order of the parts nor their number changes a bit
    of a mean, so that equal points stay equal. Values of a measure are rounded to 2^-64.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics import Trials
    >>> trials = Trials().started("mrr", "", ("k",), np.array([[10.0], [20.0]]))
    >>> trials.update(np.array([[0.1, 0.5], [0.2, 0.5]])).means.tolist()
    [0.15000000000000002, 0.5]
    """

    measure: str = ""
    settings: str = ""
    columns: tuple[str, ...] = ()
    grid: Array = field(default_factory=lambda: np.zeros((0, 0)))
    queries: int = 0
    sums: Array = field(default_factory=lambda: np.zeros(0))
    rests: Array = field(default_factory=lambda: np.zeros(0))

    name: ClassVar[str] = "trials"
    removable: ClassVar[bool] = True

    def __post_init__(self) -> None:
        freeze(self, "grid", "sums", "rests")

    @property
    def n(self) -> int:
        """Judged queries."""
        return self.queries

    @property
    def limit(self) -> int:
        """How many queries can be added."""
        return MOST_QUERIES

    @property
    def means(self) -> Array:
        """The mean of the measure at every point, shape (t,)."""
        return np.asarray((self.sums + self.rests) / max(self.queries, 1))

    @property
    def best(self) -> int:
        """The first of the points with the largest sum."""
        tied = np.flatnonzero(self.sums + self.rests == np.max(self.sums + self.rests))
        return int(tied[0])

    def identity(self) -> Mapping[str, object]:
        """Return what was tried and measured, when not empty."""
        if not self.columns:
            return {}
        return {
            "measure": self.measure,
            "settings": self.settings,
            "columns": list(self.columns),
            "grid": self.grid.tolist(),
        }

    def started(self, measure: str, settings: str, columns: tuple[str, ...], grid: Array) -> Trials:
        """Return the trials of no query at these points."""
        zeros = np.zeros(len(grid))
        return Trials(measure, settings, columns, grid + 0.0, 0, zeros, zeros)

    def update(self, values: Array) -> Trials:
        """Return the trials with the values of more queries added, of shape (q, t), in 0..1."""
        # Both divisions are by powers of two, so that value = coarse + fine up to 2^-65.
        coarse = np.rint(values / COARSE) * COARSE
        fine = np.rint((values - coarse) / FINE) * FINE
        return self._added(len(values), coarse.sum(axis=0), fine.sum(axis=0))

    def merge(self, other: Self) -> Self:
        """Return the trials of both parts, exactly.

        Raises
        ------
        IncompatibleStatistics
            Another measure, grid or setting.
        FitError
            More queries than sums are exact for.
        """
        self.require_same(other)
        if not self.columns or not other.columns:
            return other if not self.columns else self
        return self._added(other.queries, other.sums, other.rests)

    def minus(self, other: Self) -> Self:
        """Return the trials without those of `other`, exactly.

        Raises
        ------
        IncompatibleStatistics
            `other` holds queries that were never added.
        """
        if not other.columns:
            return self
        self.require_same(other)
        left = self._added(-other.queries, -other.sums, -other.rests)
        total = left.sums + left.rests
        if left.queries < 0 or np.any((total < 0) | (total > left.queries)):
            raise IncompatibleStatistics(f"{NOT_THOSE_ROWS}: a sum would be that of no queries")
        return left

    def to_arrays(self) -> dict[str, Array]:
        """Return the members; {} without a query."""
        if self.is_empty:
            return {}
        return {
            "measure": string_array([self.measure]),
            "settings": string_array([self.settings]),
            "columns": string_array(list(self.columns)),
            "grid": self.grid,
            "n": np.asarray(self.queries, dtype=np.int64),
            "sums": self.sums,
            "rests": self.rests,
        }

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the trials of posted members."""
        if not members:
            return type(self)()
        posted.refuse_unknown(members, MEMBERS, path)
        columns = tuple(posted.texts(members, "columns", path, levels=1).tolist())
        grid = posted.floats(members, "grid", path, (None, len(columns)))
        if len(np.unique(grid, axis=0)) < len(grid) or not len(grid):
            posted.refuse_where(np.array([True]), "there is no point, or one twice", path)
        sums = posted.floats(members, "sums", path, (len(grid),))
        rests = posted.floats(members, "rests", path, (len(grid),))
        queries = posted.count(members, "n", path)
        # A rest is at most half a coarse unit a query.
        wrong = (np.abs(rests) > COARSE * queries) | (sums + rests < 0) | (sums + rests > queries)
        posted.refuse_where(wrong, "no sum of a measure within 0..1", f"{path}.sums")
        found = type(self)(
            _text(members, "measure", path), _text(members, "settings", path), columns, grid + 0.0
        )
        return replace(found, sums=np.zeros(len(grid)), rests=np.zeros(len(grid)))._added(
            queries, sums, rests
        )

    def summary(self) -> dict[str, object]:
        """Return the number of queries and points, and the measure."""
        return {"n": self.n, "measure": self.measure, "points": len(self.grid)}

    def _added(self, queries: int, sums: Array, rests: Array) -> Self:
        if self.queries + queries > MOST_QUERIES:
            raise FitError(f"trials of more than {MOST_QUERIES} queries have no exact sums")
        return replace(
            self,
            queries=self.queries + queries,
            sums=self.sums + sums,
            rests=self.rests + rests,
        )


def _text(members: Members, name: str, path: str) -> str:
    texts = posted.texts(members, name, path, levels=1)
    posted.require_shape(texts, (1,), f"{path}.{name}")
    return str(texts[0])
