"""A statistic of rows that every part has: it is kept once, and parts of other rows refuse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Generic, Self, TypeVar, final

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import IncompatibleStatistics
from normalizers.statistics.base.stacking import Stackable
from normalizers.statistics.base.statistic import Members, Statistic

Inner = TypeVar("Inner", bound=Stackable)


@final
class Once(Statistic, Generic[Inner]):
    """What is the same in every part of a fit, as a reference is; ``Once(Moments())`` is empty.

    Parameters
    ----------
    inner : Statistic
        The statistic of the rows; its name is the name of the whole.

    Notes
    -----
    Equal parts merge into one of them, whose rows are not counted again; parts that differ in one
    bit are refused. Rows that are subtracted leave it as it is.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics import Moments, Once
    >>> reference = Once(Moments()).update(np.array([[10.0], [30.0]]))
    >>> again = reference.update(np.array([[10.0], [30.0]]))
    >>> again.inner.n, again.inner.mean.tolist()
    (2, [20.0])
    """

    removable = True

    def __init__(self, inner: Inner) -> None:
        self.inner = inner

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name of the inner statistic."""
        return self.inner.name

    @property
    def n(self) -> int:
        """Rows of the reference."""
        return self.inner.n

    @property
    def is_empty(self) -> bool:
        """Whether there is none yet."""
        return self.inner.is_empty

    def identity(self) -> Mapping[str, object]:
        """Return the identity of the inner statistic."""
        return self.inner.identity()

    def update(self, *rows: Array) -> Self:
        """Return the statistic of these rows; those that are here already must be the same.

        What was kept of a reference of the same rows has the same bits.
        """
        empty = self.inner.from_arrays({}, "")
        return self.merge(type(self)(empty.update(*rows)))

    def merge(self, other: Self) -> Self:
        """Return the one statistic that both parts have.

        Raises
        ------
        IncompatibleStatistics
            They are of different rows.
        """
        if other.is_empty:
            return self
        if self.is_empty:
            return other
        mine, theirs = self.to_arrays(), other.to_arrays()
        different = sorted(
            name
            for name in mine.keys() | theirs.keys()
            if name not in mine
            or name not in theirs
            or not np.array_equal(mine[name], theirs[name], equal_nan=True)
        )
        if different:
            raise IncompatibleStatistics(
                f"the references are not the same: they differ in {', '.join(different)}"
            )
        return self

    def merge_all(self, others: Sequence[Self]) -> Self:
        """Return the one statistic that all parts have."""
        return reduce(type(self).merge, others, self)

    def minus(self, other: Self) -> Self:
        """Return this one: the reference is that of the rows that remain."""
        self.merge(other)
        return self

    def to_arrays(self) -> dict[str, Array]:
        """Return the members of the inner statistic."""
        return self.inner.to_arrays()

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the statistic of posted members."""
        return type(self)(self.inner.from_arrays(members, path))

    def summary(self) -> dict[str, object]:
        """Return what the fit report says about it."""
        return self.inner.summary()
