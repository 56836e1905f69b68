"""Count, mean and scatter matrix of rows.

Long, for adding, merging, removing and posting must agree on the same three sums.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Self, final

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import (
    IncompatibleStatistics,
    InvalidInput,
    NotEnoughData,
    ShapeError,
)
from normalizers.statistics.base import posted as reading
from normalizers.statistics.base.centred_products import span_rows
from normalizers.statistics.base.higher_sums import HIGHER, HigherSums
from normalizers.statistics.base.magnitude import (
    LARGEST,
    NOT_THOSE_ROWS,
    STORABLE,
    rounding_bound,
)
from normalizers.statistics.base.matrices import (
    checked,
    symmetric,
)
from normalizers.statistics.base.posted_scatter import (
    freedom_of,
    require_possible_remainder,
    require_possible_scatter,
)
from normalizers.statistics.base.posted_spread import PostedSpread
from normalizers.statistics.base.raw_sums import centred
from normalizers.statistics.base.row_products import row_products, weighted_products
from normalizers.statistics.base.stacking import Stackable, freeze
from normalizers.statistics.base.statistic import Members
from normalizers.statistics.base.weights import NO_WEIGHTS, SUMS, WeightSums, weighted_rows


@final
@dataclass(frozen=True, eq=False)
class Scatter(Stackable):
    """Count, mean and scatter matrix S = sum of (x - mean)(x - mean)^T; ``Scatter()`` is empty.

    Parameters
    ----------
    n : int
        Rows seen.
    mean : array of shape (d,)
        Their mean.
    scatter : array of shape (d, d)
        Exactly symmetric, not divided by ``n``.
    weights : WeightSums, optional
        Sums of the weights of the rows, the members ``sum_w`` and ``sum_w2``; mean and scatter are
        then those of weighted rows, and parts with and without weights do not merge.
    higher : HigherSums, optional
        Third and fourth moments, where they are kept (``moments: 4``).
    uncounted : PostedSpread, optional
        The covariance, where it was posted without ``n``: it fits, it does not merge.

    Notes
    -----
    Rows must be finite and within 1e-140..1e140 in size, or zero. Products of blocks are summed
    in float64 about a centre near the mean, and merged by Chan's rule.
    Cost O(n d^2).

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics import Scatter
    >>> scatter = Scatter().update(np.array([[1.0, 0.0], [3.0, 0.0]]))
    >>> scatter.covariance(ddof=1).tolist()
    [[2.0, 0.0], [0.0, 0.0]]
    """

    n: int = 0
    mean: Array = field(default_factory=lambda: np.zeros(0))
    scatter: Array = field(default_factory=lambda: np.zeros((0, 0)))
    uncounted: PostedSpread | None = None
    weights: WeightSums = NO_WEIGHTS
    higher: HigherSums | None = None

    name: ClassVar[str] = "scatter"
    removable: ClassVar[bool] = True

    def __post_init__(self) -> None:
        freeze(self, "mean", "scatter")

    @property
    def d(self) -> int:
        """Number of dimensions."""
        return len(self.mean)

    @property
    def is_empty(self) -> bool:
        """Whether no row was seen."""
        return self.n == 0 and self.mergeable

    @property
    def mergeable(self) -> bool:
        """Whether ``n`` is known."""
        return self.uncounted is None

    def identity(self) -> Mapping[str, object]:
        """Return the number of dimensions."""
        return {} if self.is_empty else {"d": self.d}

    @property
    def _mass(self) -> float:
        """What the mean divides by: the rows, or their weights."""
        return float(self.weights.mass(np.asarray(self.n)))

    def _require_kind(self, other: Self) -> None:
        self.weights.require_same(other.weights, self.name)
        if (self.higher is None) != (other.higher is None):
            raise IncompatibleStatistics(
                "'scatter' statistics do not merge: one keeps third and fourth moments (moments: 4)"
            )

    def covariance(self, ddof: int = 0) -> Array:
        """Return S / (n - ddof), shape (d, d); of weights as :meth:`WeightSums.freedom` says.

        Raises
        ------
        NotEnoughData
            ``n`` is not above `ddof`.
        FitError
            The covariance was posted without ``n`` and with another `ddof`.
        """
        if self.uncounted is not None:
            return self.uncounted.require_ddof(ddof, "covariance")
        if self.n <= ddof:
            raise NotEnoughData(
                f"a covariance with ddof {ddof} needs at least {ddof + 1} rows; there are {self.n}"
            )
        freedom = float(self.weights.freedom(np.asarray(self.n), ddof))
        if freedom <= 0:
            raise NotEnoughData(f"a covariance with ddof {ddof} needs more weight than there is")
        return self.scatter / freedom

    def update(self, *rows: Array) -> Self:
        """Return the scatter with the rows of ``x (n, d)`` added.

        Weights ``(n,)`` follow where there are some; a row of weight 0 is none.

        Raises
        ------
        NonFiniteError
            A value is missing or infinite.
        """
        x, weights = weighted_rows(self.weights, rows)
        if x.ndim != 2:
            raise ShapeError(f"a scatter takes rows of dimensions, shape (n, d), not {x.shape}")
        total: Scatter = self
        rows_at_once = span_rows(x.shape[1])
        for start in range(0, len(x), rows_at_once):
            span = slice(start, start + rows_at_once)
            own = None if weights is None else weights[span]
            total = total.merge(self._of_rows(x[span], own, start))
        return total

    def _of_rows(self, x: Array, weights: Array | None, first_row: int) -> Scatter:
        if weights is None:
            products, sums = row_products(x, first_row), self.weights
        else:
            products = weighted_products(x, weights, first_row)
            sums = self.weights.of(weights.sum(), np.square(weights).sum())
        higher = None if self.higher is None else HigherSums.of_rows(x, products.mean)
        return Scatter(len(x), *products, weights=sums, higher=higher)

    def merge(self, other: Self) -> Self:
        """Return the scatter of both parts together, by the parallel formula."""
        self._require_kind(other)
        if self.is_empty and (other.d or not self.d):
            return other
        if other.is_empty:
            return self
        self.require_same(other)
        n, sums = self.n + other.n, self.weights.plus(other.weights)
        share = other._mass / float(sums.mass(np.asarray(n)))
        shift = other.mean - self.mean
        # n_a n_b / n shift shift^T: the factor goes to one side, d products in place of d^2, and is
        # divided first, for n_a n_b exceeds 2^53; symmetric again, as x (y f) and y (x f) are
        # rounded apart.
        between = np.outer(shift, shift * (self._mass * share))
        scatter = self.scatter + other.scatter + symmetric(between)
        mean = self.mean + shift * share
        higher = None
        if self.higher is not None and other.higher is not None:
            higher = self._higher_about(mean).plus(other._higher_about(mean))
        return Scatter(n, mean, scatter, weights=sums, higher=higher)

    def _higher_about(self, mean: Array) -> HigherSums:
        sums = HigherSums.zeros(self.d) if self.higher is None else self.higher
        return sums.about(self.mean - mean, self.n, self.scatter)

    def minus(self, other: Self) -> Self:
        """Return the scatter of the rows that remain when those of `other` are removed.

        Raises
        ------
        IncompatibleStatistics
            `other` holds rows that were never added.

        Notes
        -----
        Removal loses about eps x (size of what was removed / what remains) x the condition
        number; fit the remaining rows again where they are at hand.
        """
        self._require_kind(other)
        if other.is_empty:
            return self
        self.require_same(other)
        n = self.n - other.n
        if n < 0:
            raise IncompatibleStatistics(f"{NOT_THOSE_ROWS}: more rows are removed than were seen")
        if n == 0:
            return self._nothing_left(other)
        # As for moments: the mean that is left is a correction of the whole one.
        sums = self.weights.minus(other.weights, np.asarray(n))
        mass = float(sums.mass(np.asarray(n)))
        mean = self.mean + (self.mean - other.mean) * (other._mass / mass)
        shift = other.mean - mean
        between = symmetric(np.outer(shift, shift * (other._mass * (mass / self._mass))))
        scatter = self.scatter - other.scatter - between
        self._require_remainder(n, scatter)
        higher = None
        if self.higher is not None:
            higher = self._higher_about(mean).minus(other._higher_about(mean))
        left = scatter if n > 1 else np.zeros_like(scatter)
        return Scatter(n, mean, left, weights=sums, higher=higher)

    def arrays(self) -> dict[str, Array]:
        """Return ``n``, ``mean`` and ``scatter``, or what is known without ``n``."""
        if self.uncounted is None:
            count = np.asarray(self.n, dtype=np.int64)
            members = {"n": count, "mean": self.mean, "scatter": self.scatter}
            higher = {} if self.higher is None else self.higher.arrays()
            return {**members, **self.weights.arrays(), **higher}
        return {"mean": self.mean, **self.uncounted.arrays("cov")}

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the scatter of posted members.

        ``n`` and ``mean`` with ``scatter``, or with ``cov`` and its ``ddof``; or ``n``, ``sum`` and
        ``sum_outer``. Without ``n`` a covariance fits, it does not merge.
        """
        if not members:
            return self._nothing()
        if "sum_outer" in members and not self.weights.is_weighted and self.higher is None:
            return _of_sums(members, path)
        known = ("n", "mean", "scatter", "cov", "ddof", *SUMS, *HIGHER)
        reading.refuse_unknown(members, known, path)
        self._require_members(members, path)
        matrix_name = reading.one_of(members, ("scatter", "cov"), path)
        mean = reading.floats(members, "mean", path, (None,))
        matrix = reading.floats(members, matrix_name, path, (len(mean), len(mean)))
        matrix = checked(matrix, f"{path}.{matrix_name}")
        reading.refuse_where(np.abs(mean) > LARGEST, STORABLE, f"{path}.mean")
        if "n" not in members:
            return _without_n(members, mean, matrix, path)
        n = reading.count(members, "n", path)
        if matrix_name == "cov":
            matrix = matrix * freedom_of(n, reading.count(members, "ddof", path), path)
        sums = self.weights.read(members, np.asarray(n), path)
        require_possible_scatter(n, mean, matrix, float(sums.mass(np.asarray(n))), path)
        higher = None if self.higher is None else HigherSums.read(members, len(mean), path)
        return Scatter(n, mean, matrix, weights=sums, higher=higher)

    def _nothing(self) -> Self:
        """Return no rows of this kind."""
        higher = None if self.higher is None else HigherSums.zeros(0)
        return type(self)(weights=WeightSums(self.weights.kind), higher=higher)

    def _require_members(self, members: Members, path: str) -> None:
        sent = [name for name in HIGHER if name in members]
        if sent and self.higher is None:
            told = f"'{sent[0]}' is kept with moments: 4 alone"
            raise InvalidInput(told, path=f"{path}.{sent[0]}")
        if self.weights.is_weighted or self.higher is not None:
            for name in ("n", "scatter"):
                reading.require(members, name, path)

    def summary(self) -> dict[str, object]:
        """Return n, d, the norm of the mean and the mean variance (``ddof`` 1)."""
        known = self.n > 1 or self.uncounted is not None
        ddof = (1 if self.uncounted is None else self.uncounted.ddof) or 0
        variance = np.trace(self.covariance(ddof)) / max(self.d, 1) if known else None
        return {
            "n": self.n if self.mergeable else None,
            "d": self.d,
            "mean_norm": float(np.linalg.norm(self.mean)),
            "mean_variance": variance if variance is None else float(variance),
        }

    def _nothing_left(self, removed: Scatter) -> Scatter:
        shift = self.mean - removed.mean
        # All rows are taken away: what the difference of the means explains must be all that is
        # left.
        left = self.scatter - removed.scatter - np.outer(shift, shift * self._mass)
        self._require_remainder(0, left)
        kind = self.weights.zeros(())
        higher = None if self.higher is None else HigherSums.zeros(self.d)
        zeros = np.zeros((self.d, self.d))
        return Scatter(0, np.zeros(self.d), zeros, weights=kind, higher=higher)

    def _require_remainder(self, n: int, scatter: Array) -> None:
        rounding = np.max(rounding_bound(self._mass, self.mean), initial=0.0)
        require_possible_remainder(n, self.scatter, scatter, rounding)


def _of_sums(members: Members, path: str) -> Scatter:
    reading.refuse_unknown(members, ("n", "sum", "sum_outer"), path)
    sums = reading.floats(members, "sum", path, (None,))
    outer = reading.floats(members, "sum_outer", path, (len(sums), len(sums)))
    place = f"{path}.sum_outer"
    n = reading.count(members, "n", path)
    mean, scatter = centred(n, sums, checked(outer, place), place)
    require_possible_scatter(n, mean, scatter, float(n), path)
    return Scatter(n, mean, scatter)


def _without_n(members: Members, mean: Array, matrix: Array, path: str) -> Scatter:
    if "scatter" in members:
        reading.require(members, "n", path)
    return Scatter(0, mean, np.zeros_like(matrix), PostedSpread.read(matrix, members, path))
