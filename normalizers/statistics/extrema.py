"""Smallest and largest value of each column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Self, final

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import NonFiniteError, ShapeError
from normalizers.statistics.base import posted
from normalizers.statistics.base.stacking import Stackable, freeze, one_by_one, plain
from normalizers.statistics.base.statistic import Members
from normalizers.statistics.base.weights import seen_rows


@final
@dataclass(frozen=True, eq=False)
class Extrema(Stackable):
    """Smallest and largest value of each column, exact; ``Extrema()`` is empty.

    Parameters
    ----------
    observed : int64 array of shape (c,)
        Observed values of each column, the member ``n``.
    min, max : array of shape (c,)
        The ends, NaN where no value was observed.
    counted : bool
        Whether ``n`` is known; without it they fit, they do not merge.

    Notes
    -----
    NaN is a missing value. A zero is stored as 0.0, never as -0.0. Rows cannot be subtracted.
    Cost O(n c).

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics import Extrema
    >>> extrema = Extrema().update(np.array([[3.0, 1.0], [-0.0, np.nan]]))
    >>> extrema.min.tolist(), extrema.max.tolist(), extrema.constant.tolist()
    ([0.0, 1.0], [3.0, 1.0], [False, True])
    """

    observed: Array = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    min: Array = field(default_factory=lambda: np.zeros(0))
    max: Array = field(default_factory=lambda: np.zeros(0))
    counted: bool = True

    name: ClassVar[str] = "extrema"

    def __post_init__(self) -> None:
        freeze(self, "observed", "min", "max")

    @property
    def n(self) -> int:
        """Rows seen by the column that saw most."""
        return int(self.observed.max(initial=0))

    @property
    def is_empty(self) -> bool:
        """Whether no value was seen."""
        return self.n == 0 and self.counted

    @property
    def mergeable(self) -> bool:
        """Whether ``n`` is known."""
        return self.counted

    @property
    def constant(self) -> Array:
        """Which columns have a maximum equal to their minimum, shape (c,)."""
        return np.asarray(self.min == self.max)

    def identity(self) -> Mapping[str, object]:
        """Return the number of columns."""
        return {} if self.is_empty else {"columns": len(self.min)}

    def update(self, *rows: Array) -> Self:
        """Return the extrema with the rows of ``x (n, c)`` added; NaN is missing.

        Weights ``(n,)`` may follow: a row of weight 0 is none.
        """
        x = seen_rows(rows)
        if x.ndim != 2:
            raise ShapeError(f"extrema take rows of columns, shape (n, c), not {x.shape}")
        observed = np.count_nonzero(~np.isnan(x), axis=0).astype(np.int64)
        ends = [
            ufunc.reduce(x, axis=0, initial=np.nan).astype(np.float64) + 0.0
            for ufunc in (np.fmin, np.fmax)
        ]
        _refuse_infinities(np.asarray(ends))
        return self.merge(Extrema(observed, *ends))

    def update_each(self, groups: Sequence[Self], bounds: Array, *rows: Array) -> list[Self]:
        """Return every group with its rows added, in one pass."""
        if len(rows) > 1:
            return one_by_one(groups, bounds, *rows)
        members = _stacked(rows[0], bounds)
        parts = [Extrema(*part) for part in zip(*members.values(), strict=True)]
        # Most groups of a fit are new: what is merged with nothing is itself.
        return [
            group.merge(part) if group.min.size else part
            for group, part in zip(groups, parts, strict=True)
        ]

    def stack_rows(self, bounds: Array, *rows: Array) -> dict[str, Array] | None:
        """Return the stacked members of new groups."""
        return _stacked(rows[0], bounds) if len(rows) == 1 else None

    def of_stack(self, members: Mapping[str, Array], group: int) -> Self:
        """Return the extrema of one group of stacked members."""
        return Extrema(*(members[name][group] for name in ("n", "min", "max")))

    def merge(self, other: Self) -> Self:
        """Return the extrema of both parts together, exactly."""
        if self.is_empty and (other.min.size or not self.min.size):
            return other
        if other.is_empty:
            return self
        self.require_same(other)
        return Extrema(
            self.observed + other.observed,
            np.fmin(self.min, other.min),
            np.fmax(self.max, other.max),
        )

    def columns(self, places: Array) -> Self:
        """Return the extrema of some columns, in this order; of -1 nothing was seen."""
        there = places >= 0
        observed = np.where(there, self.observed[places], 0)
        low, high = (np.where(there, end[places], np.nan) for end in (self.min, self.max))
        return Extrema(observed, low, high, self.counted)

    def arrays(self) -> dict[str, Array]:
        """Return ``n``, ``min`` and ``max``."""
        ends = {"min": self.min, "max": self.max}
        return {"n": self.observed, **ends} if self.counted else ends

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the extrema of posted ``min`` and ``max``, missing where ``n`` is 0."""
        if not members:
            return Extrema()
        posted.refuse_unknown(members, ("n", "min", "max"), path)
        counted = "n" in members
        minimum = posted.columns(members, "min", path, missing=counted) + 0.0
        maximum = posted.columns(members, "max", path, len(minimum), missing=counted) + 0.0
        posted.refuse_where(minimum > maximum, "'min' is above 'max'", f"{path}.min")
        if not counted:
            return Extrema(np.zeros(len(minimum), dtype=np.int64), minimum, maximum, counted)
        observed = posted.column_counts(members, "n", path, len(minimum))
        _require_possible(observed, minimum, maximum, path)
        return Extrema(observed, minimum, maximum)

    def summary(self) -> dict[str, object]:
        """Return ``min`` and ``max`` of each column, null where none was observed."""
        return {"min": plain(self.min), "max": plain(self.max)}


def _stacked(x: Array, bounds: Array) -> dict[str, Array]:
    """Return ``n``, ``min`` and ``max`` of the rows of each group, on a first axis."""
    _refuse_infinities(x)
    starts = bounds[:-1]
    # A group comes here with its rows: no slice is empty, which `reduceat` would misread.
    observed = np.add.reduceat((~np.isnan(x)).astype(np.int64), starts, axis=0)
    low, high = (
        ufunc.reduceat(x, starts, axis=0).astype(np.float64) + 0.0 for ufunc in (np.fmin, np.fmax)
    )
    return {"n": observed, "min": low, "max": high}


def _refuse_infinities(values: Array) -> None:
    if np.isinf(values).any():
        raise NonFiniteError("extrema take finite or missing values; one is infinite")


def _require_possible(observed: Array, minimum: Array, maximum: Array, path: str) -> None:
    for name, end in (("min", minimum), ("max", maximum)):
        place = f"{path}.{name}"
        posted.refuse_where((observed > 0) & np.isnan(end), "a value is missing", place)
        posted.refuse_where(
            (observed == 0) & ~np.isnan(end), "a column with n 0 has no value", place
        )
    posted.refuse_where(
        (observed == 1) & (minimum != maximum), "one value is both 'min' and 'max'", f"{path}.n"
    )
