"""Mean and second moment of columns that move with every batch, in the order batches come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal, Self, TypeAlias, final

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import IncompatibleStatistics, ShapeError
from normalizers.kernels.moving import Moved, moved_by_rows
from normalizers.statistics.base import posted
from normalizers.statistics.base.magnitude import (
    MACHINE_EPSILON,
    ROUNDING_FACTOR,
    require_storable,
    rounding_bound,
)
from normalizers.statistics.base.stacking import freeze, plain
from normalizers.statistics.base.statistic import Members, Statistic
from normalizers.statistics.moments import Moments

SecondMoment: TypeAlias = Literal["variance", "mean_square", "covariance"]
Start: TypeAlias = Literal["first_batch", "bias_corrected", "stated"]
ORDERED = (
    "running statistics are kept in order: each batch moves what those before it left, so that two "
    "of them have no sum; go on from one of them with the rows of the other"
)


@dataclass(frozen=True)
class RunningRule:
    """How a batch moves what is kept.

    Parameters
    ----------
    policy : str
        Its name; part of the identity.
    alpha : float
        The weight of the newest batch.
    second_moment : {'variance', 'mean_square', 'covariance'}
        What is kept beside the mean.
    start : {'first_batch', 'bias_corrected', 'stated'}
        The first batch sets the values; or weights are divided by their sum; or the values are
        given.
    initial_mean, initial_variance : tuple of float
        The given values, one for all columns or one a column; the variance stands for the second
        moment that is kept.
    with_moves : bool
        Whether the variance counts how the mean moves, as a covariance does.
    batch_size : int, optional
        Rows a step; None for all rows that come at once.
    """

    policy: str = "ema"
    alpha: float = 0.05
    second_moment: SecondMoment = "variance"
    start: Start = "first_batch"
    initial_mean: tuple[float, ...] = (0.0,)
    initial_variance: tuple[float, ...] = (1.0,)
    with_moves: bool = False
    batch_size: int | None = None

    def weight(self, step: int) -> float:
        """Return the weight of the next batch after `step` of them."""
        if self.start == "stated":
            return self.alpha
        if self.start == "first_batch":
            return self.alpha if step else 1.0
        # alpha over the sum of alpha (1 - alpha)^k of all batches so far, 1 - (1 - alpha)^t.
        return float(self.alpha / -np.expm1((step + 1) * np.log1p(-self.alpha)))


@final
@dataclass(frozen=True, eq=False)
class Running(Statistic):
    r"""Mean and second moment of each column, moved by every batch; ``Running()`` is empty.

    With w the weight of the newest batch, of mean m and biased variance v, and d = m - mean:
    ``mean += w d``, ``variance += w (v - variance)``; ``mean_square += w (m^2 + v - mean_square)``;
    ``covariance = (1 - w)(covariance + w d^T d) + w C`` with the batch's covariance C, which counts
    how the mean moves.

    Parameters
    ----------
    rule : RunningRule
        How a batch moves them.
    step : int
        Batches seen.
    mean : array of shape (c,)
        Means.
    second : array of shape (c,), or (c, c) of covariances
        The second moment that the rule names.

    Notes
    -----
    NaN is a missing value: a batch moves a column by its observed values, and one without any
    leaves it. Covariances take no missing values. Parts do not merge, nor can rows be subtracted.
    Cost O(n c), of covariances O(n c^2).

    References
    ----------
    ``pandas.DataFrame.ewm(adjust=False)``, whose ``cov(bias=True)`` steps of one row give.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics import Running
    >>> running = Running().update(np.array([[0.0], [2.0]])).update(np.array([[3.0]]))
    >>> running.step, running.mean.tolist(), running.second.tolist()
    (2, [1.1], [0.95])
    """

    rule: RunningRule = field(default_factory=RunningRule)
    step: int = 0
    mean: Array = field(default_factory=lambda: np.zeros(0))
    second: Array = field(default_factory=lambda: np.zeros(0))

    name: ClassVar[str] = "running"
    mergeable: ClassVar[bool] = False

    def __post_init__(self) -> None:
        freeze(self, "mean", "second")

    @property
    def n(self) -> int:
        """Batches seen."""
        return self.step

    @property
    def variance(self) -> Array:
        """The variance of each column, shape (c,)."""
        if self.rule.second_moment == "covariance":
            return np.asarray(np.diagonal(self.second))
        if self.rule.second_moment == "mean_square":
            return np.asarray(np.maximum(self.second - self.mean * self.mean, 0.0))
        return self.second

    @property
    def mean_square(self) -> Array:
        """The mean square of each column, shape (c,)."""
        if self.rule.second_moment == "mean_square":
            return self.second
        return np.asarray(self.variance + self.mean * self.mean)

    @property
    def constant(self) -> Array:
        """Which columns have no spread beyond rounding, shape (c,)."""
        if self.rule.second_moment == "mean_square":
            # A difference of two sums of this size carries their rounding.
            return np.asarray(self.variance <= ROUNDING_FACTOR * MACHINE_EPSILON * self.second)
        return np.asarray(self.variance <= rounding_bound(1, self.mean))

    def identity(self) -> Mapping[str, object]:
        """Return the policy, its weight, and the number of columns."""
        known: dict[str, object] = {"policy": self.rule.policy, "alpha": self.rule.alpha}
        return known if self.is_empty else {**known, "columns": len(self.mean)}

    def update(self, *rows: Array) -> Self:
        """Return what the rows ``x (n, c)`` left, taken in batches in their order."""
        (x,) = rows
        if x.ndim != 2:
            raise ShapeError(f"running statistics take rows of columns, not shape {x.shape}")
        require_storable(x)
        if not len(x):
            return self
        size = self.rule.batch_size or len(x)
        moved = self if self.mean.size else self.begun(x.shape[1])
        if size == 1 and self.rule.with_moves:
            return moved.by_rows(x)[0]
        for start in range(0, len(x), size):
            moved = moved._moved(x[start : start + size])
        return moved

    def by_rows(self, x: Array) -> tuple[Self, Moved]:
        """Return what the rows left, each a batch of its own, and what stood before each."""
        weights = [self.rule.weight(self.step + row) for row in range(len(x))]
        moved = moved_by_rows(x, self.mean, self.second, weights)
        left = replace(self, step=self.step + len(x), mean=moved.mean, second=moved.variance)
        return left, moved

    def begun(self, columns: int) -> Self:
        """Return what is kept before the first batch of so many columns."""
        mean = _given(self.rule.initial_mean, columns, "initial_mean")
        second = _given(self.rule.initial_variance, columns, "initial_variance")
        if self.rule.second_moment == "covariance":
            second = np.diag(second)
        return replace(self, mean=mean, second=second)

    def _moved(self, batch: Array) -> Self:
        weight = self.rule.weight(self.step)
        seen = Moments().update(batch)
        known = seen.observed > 0
        shift = np.where(known, seen.mean - self.mean, 0.0)
        if self.rule.second_moment == "covariance":
            second = self._moved_covariance(batch, weight, shift)
        else:
            found = seen.variance()
            if self.rule.second_moment == "mean_square":
                found = found + seen.mean * seen.mean
            second = self.second + weight * np.where(known, found - self.second, 0.0)
            if self.rule.with_moves:
                # What a mixture of two parts adds to their variances.
                second = second + weight * (1 - weight) * shift * shift
        return replace(self, step=self.step + 1, mean=self.mean + weight * shift, second=second)

    def _moved_covariance(self, batch: Array, weight: float, shift: Array) -> Array:
        if np.isnan(batch).any():
            raise ShapeError("a covariance takes rows without missing values")
        centred = batch - batch.mean(axis=0)
        own = centred.T @ centred / len(batch)
        moved = self.second + weight * np.outer(shift, shift)
        return np.asarray((1 - weight) * moved + weight * own)

    def merge(self, other: Self) -> Self:
        """Return the part that saw anything; two of them have no sum."""
        if other.is_empty:
            return self
        if not self.is_empty:
            raise IncompatibleStatistics(ORDERED)
        self.require_same_rule(other)
        return other

    def require_same_rule(self, other: Self) -> None:
        """Refuse what another rule kept."""
        mine, theirs = self.identity(), other.identity()
        if any(theirs.get(name) != value for name, value in mine.items()):
            raise IncompatibleStatistics("these running statistics were kept by another rule")

    def minus(self, other: Self) -> Self:
        """Return itself where nothing is taken away; rows cannot be."""
        if not other.is_empty:
            raise IncompatibleStatistics(ORDERED)
        return self

    def to_arrays(self) -> dict[str, Array]:
        """Return ``step``, ``mean`` and the second moment by its name; {} when empty."""
        if self.is_empty:
            return {}
        step = np.array(self.step, dtype=np.int64)
        return {"step": step, "mean": self.mean, self.rule.second_moment: self.second}

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the running statistics of posted members."""
        if not members:
            return Running(self.rule)
        kept = self.rule.second_moment
        posted.refuse_unknown(members, ("step", "mean", kept), path)
        step = posted.count(members, "step", path)
        posted.refuse_where(np.array([step < 1]), "at least one batch was seen", f"{path}.step")
        mean = posted.columns(members, "mean", path)
        place = f"{path}.{kept}"
        if kept == "covariance":
            second = posted.floats(members, kept, path, (len(mean), len(mean)))
            posted.refuse_where(second != second.T, "a covariance is symmetric", place)
            negative = np.diagonal(second) < 0
        else:
            second = posted.columns(members, kept, path, len(mean))
            negative = second < 0
        posted.refuse_where(negative, "a second moment is negative", place)
        return Running(self.rule, step, mean, second)

    def summary(self) -> dict[str, object]:
        """Return batches seen, mean and deviation of each column."""
        return {"step": self.step, "mean": plain(self.mean), "std": plain(np.sqrt(self.variance))}


def _given(values: tuple[float, ...], columns: int, name: str) -> Array:
    if len(values) not in (1, columns):
        raise ShapeError(
            f"{len(values)} numbers, but there are {columns} columns", path=f"params.{name}"
        )
    return np.broadcast_to(np.array(values, dtype=np.float64), (columns,)).copy()
