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
from normalizers.statistics.base.centred_products import block_rows, centred_products, span_rows
from normalizers.statistics.base.magnitude import (
    LARGEST,
    NOT_THOSE_ROWS,
    STORABLE,
    require_finite_rows,
    require_storable,
    rounding_bound,
)
from normalizers.statistics.base.matrices import (
    INDEFINITE_TOLERANCE,
    checked,
    is_semidefinite,
    symmetric,
)
from normalizers.statistics.base.posted_spread import PostedSpread
from normalizers.statistics.base.stacking import Stackable, freeze
from normalizers.statistics.base.statistic import Members


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

    def covariance(self, ddof: int = 0) -> Array:
        """Return S / (n - ddof), shape (d, d).

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
        return self.scatter / (self.n - ddof)

    def update(self, *rows: Array) -> Self:
        """Return the scatter with the rows of ``x (n, d)`` added.

        Raises
        ------
        NonFiniteError
            A value is missing or infinite.
        """
        (x,) = rows
        if x.ndim != 2:
            raise ShapeError(f"a scatter takes rows of dimensions, shape (n, d), not {x.shape}")
        total: Scatter = self
        rows_at_once = span_rows(x.shape[1])
        for start in range(0, len(x), rows_at_once):
            total = total.merge(_of_rows(x[start : start + rows_at_once], start))
        return total

    def merge(self, other: Self) -> Self:
        """Return the scatter of both parts together, by the parallel formula."""
        if self.is_empty and (other.d or not self.d):
            return other
        if other.is_empty:
            return self
        self.require_same(other)
        n = self.n + other.n
        shift = other.mean - self.mean
        # n_a n_b / n shift shift^T: the factor goes to one side, d products in place of d^2, and is
        # divided first, for n_a n_b exceeds 2^53; symmetric again, as x (y f) and y (x f) are
        # rounded apart.
        between = np.outer(shift, shift * (self.n * (other.n / n)))
        scatter = self.scatter + other.scatter + symmetric(between)
        return Scatter(n, self.mean + shift * (other.n / n), scatter)

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
        if other.is_empty:
            return self
        self.require_same(other)
        n = self.n - other.n
        if n < 0:
            raise IncompatibleStatistics(f"{NOT_THOSE_ROWS}: more rows are removed than were seen")
        if n == 0:
            return self._nothing_left(other)
        # As for moments: the mean that is left is a correction of the whole one.
        mean = self.mean + (self.mean - other.mean) * (other.n / n)
        shift = other.mean - mean
        between = symmetric(np.outer(shift, shift * (other.n * (n / self.n))))
        scatter = self.scatter - other.scatter - between
        self._require_remainder(n, scatter)
        return Scatter(n, mean, scatter if n > 1 else np.zeros_like(scatter))

    def arrays(self) -> dict[str, Array]:
        """Return ``n``, ``mean`` and ``scatter``, or what is known without ``n``."""
        if self.uncounted is None:
            count = np.asarray(self.n, dtype=np.int64)
            return {"n": count, "mean": self.mean, "scatter": self.scatter}
        return {"mean": self.mean, **self.uncounted.arrays("cov")}

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the scatter of posted members.

        ``n`` and ``mean`` with ``scatter``, or with ``cov`` and its ``ddof``. Without ``n`` a
        covariance fits, it does not merge.
        """
        if not members:
            return Scatter()
        reading.refuse_unknown(members, ("n", "mean", "scatter", "cov", "ddof"), path)
        matrix_name = reading.one_of(members, ("scatter", "cov"), path)
        mean = reading.floats(members, "mean", path, (None,))
        matrix = reading.floats(members, matrix_name, path, (len(mean), len(mean)))
        matrix = checked(matrix, f"{path}.{matrix_name}")
        reading.refuse_where(np.abs(mean) > LARGEST, STORABLE, f"{path}.mean")
        if "n" not in members:
            return _without_n(members, mean, matrix, path)
        n = reading.count(members, "n", path)
        if matrix_name == "cov":
            matrix = matrix * _freedom(n, reading.count(members, "ddof", path), path)
        _require_possible(n, mean, matrix, path)
        return Scatter(n, mean, matrix)

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
        left = self.scatter - removed.scatter - np.outer(shift, shift * self.n)
        self._require_remainder(0, left)
        return Scatter(0, np.zeros(self.d), np.zeros((self.d, self.d)))

    def _require_remainder(self, n: int, scatter: Array) -> None:
        largest = np.max(np.abs(self.scatter), initial=0.0)
        rounding = np.max(rounding_bound(self.n, self.mean), initial=0.0)
        # Subtracting leaves the rounding of both sums (relative to the largest entry) and of the
        # mean.
        tolerance = INDEFINITE_TOLERANCE * largest + rounding
        if n > 1:
            possible = is_semidefinite(scatter, tolerance)
        else:
            # One row, or none, has no scatter: what is left is rounding or of other rows.
            possible = np.max(np.abs(scatter), initial=0.0) <= tolerance
        if not possible:
            raise IncompatibleStatistics(
                f"{NOT_THOSE_ROWS}: the remaining scatter would be impossible"
            )


def _of_rows(x: Array, first_row: int) -> Scatter:
    if x.dtype == np.float32:
        return _of_float32(x, first_row)
    rows = np.asarray(x, dtype=np.float64)
    rows_at_once = block_rows(rows.shape[1])
    for start in range(0, len(rows), rows_at_once):
        require_finite_rows(rows[start : start + rows_at_once], first_row + start)
        require_storable(rows[start : start + rows_at_once], first_row + start)
    return Scatter(len(rows), *centred_products(rows))


def _of_float32(rows: Array, first_row: int) -> Scatter:
    """Return the scatter of rows that are storable by their type; finite, if their squares are."""
    # float32 ends at 3.4e38: squares are ordinary float64, and an infinity shows on the diagonal.
    with np.errstate(invalid="ignore"):
        products = centred_products(rows)
    if not np.isfinite(np.diagonal(products.scatter)).all():
        require_finite_rows(rows, first_row)
    return Scatter(len(rows), *products)


def _without_n(members: Members, mean: Array, matrix: Array, path: str) -> Scatter:
    if "scatter" in members:
        reading.require(members, "n", path)
    return Scatter(0, mean, np.zeros_like(matrix), PostedSpread.read(matrix, members, path))


def _freedom(n: int, ddof: int, path: str) -> int:
    if n > ddof:
        return n - ddof
    raise InvalidInput("n is not above 'ddof', so 'cov' is undefined", path=f"{path}.n")


def _require_possible(n: int, mean: Array, scatter: Array, path: str) -> None:
    largest = np.max(np.abs(scatter), initial=0.0)
    if n == 0 and (np.any(mean != 0) or largest > 0):
        raise InvalidInput("n is 0, so 'mean' and 'scatter' are 0", path=f"{path}.n")
    if n == 1 and largest > np.max(rounding_bound(n, mean), initial=0.0):
        raise InvalidInput("one row has no scatter", path=f"{path}.n")
    if largest > max(n, 1) * LARGEST * LARGEST:
        raise InvalidInput(STORABLE, path=f"{path}.scatter")
