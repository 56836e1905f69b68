"""Statistics that can be stacked on a first axis, one entry a group."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Self, TypeVar

import numpy as np

from normalizers.data.arrays import Array, readonly
from normalizers.data.ragged import offsets_of
from normalizers.errors import IncompatibleStatistics, ShapeError
from normalizers.statistics.base.posted import counts, numbers, refuse_where, require_shape
from normalizers.statistics.base.statistic import Members, Statistic

One = TypeVar("One", bound="Stackable")
SHARED = ("n", "ddof")  # members that may be one number for all groups


class Stackable(Statistic):
    """A statistic of arrays whose members can be stacked for :class:`Grouped`."""

    @abstractmethod
    def arrays(self) -> dict[str, Array]:
        """Return the members, also where no row was seen."""

    @abstractmethod
    def update(self, *rows: Array) -> Self:
        """Return the statistic with more rows."""

    def check_rows(self, *rows: Array) -> None:
        """Refuse rows that cannot be added, with their place: once for the rows of all groups."""

    def update_each(self, groups: Sequence[Self], bounds: Array, *rows: Array) -> list[Self]:
        """Return every group with its rows, ``bounds[i]`` to ``bounds[i + 1]``, added."""
        return one_by_one(groups, bounds, *rows)

    def stack_rows(self, bounds: Array, *rows: Array) -> dict[str, Array] | None:
        """Return the stacked members of groups that are new, None where each is made by itself.

        Group ``i`` has at least one row, ``bounds[i]`` to ``bounds[i + 1]``.
        """
        return None

    def of_stack(self, members: Mapping[str, Array], group: int) -> Self:
        """Return one group of members that :meth:`stack_rows` returned."""
        raise NotImplementedError

    def to_arrays(self) -> dict[str, Array]:
        """Return the members of the statistic; {} when wholly empty."""
        return {} if self.is_empty else self.arrays()

    def stack(self, parts: Sequence[Self]) -> dict[str, Array]:
        """Return the members of all `parts` (at least one) on a first axis."""
        members = [part.arrays() for part in parts]
        names = members[0].keys()
        if any(member.keys() != names for member in members):
            raise IncompatibleStatistics("the groups do not have the same members")
        return {name: np.stack([member[name] for member in members]) for name in names}

    def unstack(self, members: Members, groups: int, path: str) -> list[Self]:
        """Return the statistic of each group from stacked members; a scalar ``n`` is everyone's."""
        stacked = {
            name: _stacked(name, numbers(value, f"{path}.{name}"), groups, f"{path}.{name}")
            for name, value in members.items()
        }
        return [
            self.from_arrays(
                {name: array[group] for name, array in stacked.items()}, f"{path}[{group}]"
            )
            for group in range(groups)
        ]


class RaggedStatistic(Stackable):
    """A statistic whose members are arrays of one length, which differs from group to group."""

    def stack(self, parts: Sequence[Self]) -> dict[str, Array]:
        """Return the members of all `parts` one after the other, and where each begins."""
        members = [part.arrays() for part in parts]
        joined = {name: np.concatenate([m[name] for m in members]) for name in members[0]}
        lengths = [len(next(iter(member.values()))) for member in members]
        return {"offsets": offsets_of(lengths), **joined}

    def unstack(self, members: Members, groups: int, path: str) -> list[Self]:
        """Return the statistic of each group, whose members stand one after the other."""
        offsets = counts(members, "offsets", path, (groups + 1,))
        lists = {name: value for name, value in members.items() if name != "offsets"}
        arrays = {name: numbers(value, f"{path}.{name}") for name, value in lists.items()}
        for name, array in arrays.items():
            require_shape(array, (int(offsets[-1]),), f"{path}.{name}")
        refuse_where(np.diff(offsets) < 0, "the offsets descend", f"{path}.offsets")
        return [
            self.from_arrays(
                {name: array[start:stop] for name, array in arrays.items()}, f"{path}[{group}]"
            )
            for group, (start, stop) in enumerate(pairwise(offsets))
        ]


def flattened(rows: Sequence[Array]) -> list[Array]:
    """Return columns of shape (n,) or (n, 1) as float64 arrays of one length (n,)."""
    columns = [np.ravel(np.asarray(row, dtype=np.float64)) for row in rows]
    if any(len(column) != len(columns[0]) for column in columns):
        raise ShapeError("the columns are not of equal length")
    return columns


def one_by_one(groups: Sequence[One], bounds: Array, *rows: Array) -> list[One]:
    """Return every group with its rows added, one after the other."""
    ends = zip(groups, bounds[:-1], bounds[1:], strict=True)
    return [group.update(*(row[start:stop] for row in rows)) for group, start, stop in ends]


def freeze(statistic: Statistic, *names: str) -> None:
    """Make array fields of a frozen dataclass read-only."""
    for name in names:
        object.__setattr__(statistic, name, readonly(getattr(statistic, name)))


def plain(array: Array) -> list[float | None]:
    """Return `array` as a list, None where it is NaN."""
    return [None if np.isnan(value) else float(value) for value in array]


def plain_rows(table: Array) -> list[list[float | None]]:
    """Return the rows of `table` as lists, None where it is NaN."""
    told = table.astype(object)
    told[np.isnan(table)] = None
    rows: list[list[float | None]] = told.tolist()
    return rows


def _stacked(name: str, array: Array, groups: int, path: str) -> Array:
    if array.ndim == 0:
        if name not in SHARED:
            raise ShapeError(
                f"one number is everyone's only for {' and '.join(SHARED)}; post one a key",
                path=path,
            )
        return np.full(groups, array)
    if len(array) != groups:
        raise ShapeError(f"the first axis has {len(array)} entries, not one a key", path=path)
    return array
