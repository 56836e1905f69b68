"""Groups whose members lie on one axis, so that a fit of many makes no object of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Generic, TypeAlias, TypeVar

import numpy as np

from normalizers.data.arrays import Array, readonly
from normalizers.statistics.base.stacking import Stackable

Key: TypeAlias = tuple[str, ...]
Inner = TypeVar("Inner", bound=Stackable)


class StackedGroups(Mapping[Key, Inner], Generic[Inner]):
    """The groups of stacked members by key; the statistic of one is made when it is asked for.

    Parameters
    ----------
    inner : Statistic
        An empty one, of the kind that each group keeps.
    table : object array of shape (g, j)
        The labels of each group, in code point order.
    members : mapping
        What :meth:`Stackable.stack_rows` returned, ``n`` among it.
    """

    def __init__(self, inner: Inner, table: Array, members: Mapping[str, Array]) -> None:
        self._inner = inner
        self.table = table
        self.members = {name: readonly(member) for name, member in members.items()}

    def __len__(self) -> int:
        return len(self.table)

    def __iter__(self) -> Iterator[Key]:
        return iter(self._places)

    def __contains__(self, key: object) -> bool:
        return key in self._places

    def __getitem__(self, key: Key) -> Inner:
        return self._inner.of_stack(self.members, self._places[key])

    @property
    def n(self) -> int:
        """Rows seen, summed over the groups: of each those of the column that saw most."""
        return int(np.max(self.members["n"], axis=1, initial=0).sum())

    @cached_property
    def _places(self) -> dict[Key, int]:
        return {tuple(key): place for place, key in enumerate(self.table.tolist())}
