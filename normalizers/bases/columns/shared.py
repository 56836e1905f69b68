"""Columns that share statistics: all prices of an order book, all of its sizes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Protocol, Self, TypeVar, cast

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import FitError, InvalidParams
from normalizers.statistics.base.stacking import Stackable

NONE = -1


class Columnar(Protocol):
    """A statistic of columns that merges column by column."""

    @property
    def mergeable(self) -> bool:
        """Whether it is known how many values there were."""
        ...

    def columns(self, places: Array) -> Self:
        """Return the statistic of some columns, in this order; of -1 nothing was seen."""
        ...

    def merge(self, other: Self) -> Self:
        """Return the statistic of both parts together."""
        ...


Seen = TypeVar("Seen", bound=Stackable)


def shared(seen: Seen, labels: Sequence[str], width: int) -> Seen:
    """Return the statistic in which columns of one label have that of all of them together.

    Parameters
    ----------
    seen : Stackable
        With a method `columns`.
    labels : sequence of str
        One a column.
    width : int
        How many columns there are.

    Raises
    ------
    InvalidParams
        More or fewer labels than columns.
    FitError
        Statistics that do not say how many values there were.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.bases.columns.shared import shared
    >>> from normalizers.statistics import Extrema
    >>> seen = Extrema().update(np.array([[3.0, 1.0, 9.0], [4.0, 7.0, 8.0]]))
    >>> shared(seen, ["price", "size", "price"], 3).min.tolist()
    [3.0, 1.0, 3.0]
    """
    if len(labels) != width:
        raise InvalidParams(
            f"one label a column: there are {width} columns and {len(labels)} labels",
            path="params.channel_groups",
        )
    columns = cast(Columnar, seen)
    if not columns.mergeable:
        raise FitError(
            "channels share statistics that say how many values there were: post 'n' too",
            path="fit.statistics",
        )
    _, codes = np.unique(np.asarray(labels, dtype=str), return_inverse=True)
    members = [np.flatnonzero(codes == code) for code in range(int(codes.max(initial=-1)) + 1)]
    most = max(map(len, members), default=0)
    parts = [
        columns.columns(np.array([m[place] if place < len(m) else NONE for m in members]))
        for place in range(most)
    ]
    return cast(Seen, reduce(lambda left, right: left.merge(right), parts).columns(codes))
