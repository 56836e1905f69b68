"""One statistic for each key of grouped rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, Self, final

import numpy as np

from normalizers.data.arrays import Array, string_array
from normalizers.data.labels import Labels
from normalizers.errors import IncompatibleStatistics, InvalidInput, ShapeError
from normalizers.messages import printable_name, quoted_key
from normalizers.statistics.base import posted as reading
from normalizers.statistics.base.magnitude import NOT_THOSE_ROWS
from normalizers.statistics.base.stacked_groups import Inner, Key, StackedGroups
from normalizers.statistics.base.statistic import Members, Statistic
from normalizers.statistics.total import total

ONE_KEY = ("group",)


@final
class Grouped(Statistic, Generic[Inner]):
    """One statistic for each key; ``Grouped(Moments())`` is empty.

    Parameters
    ----------
    inner : Statistic
        What each group keeps, empty; its name is the name of the whole.
    group_by : tuple of str, optional
        Names of the labels of a key, by default ``("group",)`` for one label.
    groups : mapping from key to statistic, optional
        A key is a tuple of labels.

    Notes
    -----
    Keys are kept in code point order. Rows ``x (n,)`` are one column.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.data.arrays import string_array
    >>> from normalizers.statistics import Grouped, Moments
    >>> languages = string_array(["de", "cs", "de"])
    >>> by_language = Grouped(Moments()).update(languages, np.array([1.0, 5.0, 3.0]))
    >>> by_language.keys, by_language["de"].mean.tolist()
    ((('cs',), ('de',)), [2.0])
    """

    def __init__(
        self,
        inner: Inner,
        group_by: Sequence[str] | None = None,
        groups: Mapping[Key, Inner] | None = None,
    ) -> None:
        self._inner = inner
        self._group_by = None if group_by is None else tuple(group_by)
        held = groups or {}
        stacked = isinstance(held, StackedGroups)
        self._groups = held if stacked else {key: held[key] for key in sorted(held)}

    def __getstate__(self) -> dict[str, object]:
        """Return pairs in place of a mapping: formats that write JSON have no tuples as keys."""
        pairs = [list(pair) for pair in self._groups.items()]
        return {"inner": self._inner, "group_by": self._group_by, "pairs": pairs}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self._inner, self._group_by = state["inner"], state["group_by"]
        self._groups = {tuple(key): group for key, group in state["pairs"]}

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name of the inner statistic."""
        return self._inner.name

    @property
    def removable(self) -> bool:  # type: ignore[override]
        """Whether rows can be subtracted from the inner statistic."""
        return self._inner.removable

    @property
    def group_by(self) -> tuple[str, ...] | None:
        """Names of the labels of a key, None while not known."""
        return self._group_by

    @property
    def keys(self) -> tuple[Key, ...]:
        """All keys, in code point order."""
        return tuple(self._groups)

    @property
    def table(self) -> Array:
        """All keys, in code point order, an object array of shape (g, j)."""
        if isinstance(self._groups, StackedGroups):
            return self._groups.table
        table = np.empty((len(self), len(self._group_by or ONE_KEY)), dtype=object)
        if self._groups:
            table[:] = self.keys
        return table

    @property
    def members(self) -> Mapping[str, Array] | None:
        """The members on a first axis of groups, where they lie so; None where each has its own."""
        return self._groups.members if isinstance(self._groups, StackedGroups) else None

    @property
    def n(self) -> int:
        """Rows seen, summed over the groups."""
        if isinstance(self._groups, StackedGroups):
            return self._groups.n
        return sum(group.n for group in self._groups.values())

    @property
    def is_empty(self) -> bool:
        """Whether there is no group."""
        return not self._groups

    @property
    def mergeable(self) -> bool:
        """Whether every group is."""
        if self.members is not None:  # rows were counted
            return True
        return all(group.mergeable for group in self._groups.values())

    def __getitem__(self, key: str | Key) -> Inner:
        return self._groups[(key,) if isinstance(key, str) else key]

    def __contains__(self, key: object) -> bool:
        return ((key,) if isinstance(key, str) else key) in self._groups

    def __iter__(self) -> Iterator[Key]:
        return iter(self._groups)

    def __len__(self) -> int:
        return len(self._groups)

    def __repr__(self) -> str:
        return f"Grouped({self.name}; groups={len(self)}, n={self.n})"

    def positions(self, labels: Array | Labels) -> Array:
        """Return for each row of labels, (n,) or (n, j), the index of its key, -1 if unknown."""
        rows = _labels(labels)
        position = {key: index for index, key in enumerate(self._groups)}
        found = [position.get(tuple(key), -1) for key in rows.keys.tolist()]
        return np.array(found, dtype=np.int64)[rows.codes]

    def pooled(self) -> Inner:
        """Return the statistic of all groups together."""
        return total([self._inner, *self._groups.values()])

    def stacked(self) -> dict[str, Array]:
        """Return the members of the inner statistic on a first axis of groups."""
        if self.members is not None:
            return dict(self.members)
        return self._inner.stack(list(self._groups.values())) if self._groups else {}

    @property
    def limit(self) -> int | None:
        """The limit of a group's statistic."""
        return self._inner.limit

    def identity(self) -> Mapping[str, object]:
        """Return the names of the labels and the identity of a group that saw rows."""
        names = {} if self._group_by is None else {"group_by": list(self._group_by)}
        seen = (group.identity() for group in self._groups.values() if not group.is_empty)
        return {**names, **next(seen, {})}

    def update(self, labels: Array | Labels, *rows: Array) -> Self:
        """Return the statistic with rows added; ``labels (n,)`` or ``(n, j)`` says whose."""
        coded = _labels(labels)
        group_by = self._names_of(coded)
        self._inner.check_rows(*map(_columns, rows))
        # Of one key in the order they came, whatever rows stand between them.
        together = [np.take(_columns(row), coded.order, axis=0) for row in rows]
        if self.is_empty and len(coded):
            members = self._inner.stack_rows(coded.bounds, *together)
            if members is not None:
                stacked = StackedGroups(self._inner, coded.keys, members)
                return Grouped(self._inner, group_by, stacked)
        held = [tuple(key) for key in coded.keys.tolist()]
        before = [self._groups.get(key, self._inner) for key in held]
        after = self._inner.update_each(before, coded.bounds, *together)
        groups = {**self._groups, **dict(zip(held, after, strict=True))}
        return Grouped(self._inner, group_by, groups)

    def merge(self, other: Self) -> Self:
        """Return the groups of both parts, those of one key merged."""
        if other.is_empty:
            return self
        if self.is_empty:
            self.require_same(other)
            return other
        self.require_same(other)
        groups = dict(self._groups)
        for key, group in other._groups.items():
            groups[key] = groups[key].merge(group) if key in groups else group
        return Grouped(self._inner, self._group_by, groups)

    def minus(self, other: Self) -> Self:
        """Return the groups without the rows of `other`; a group without rows is dropped.

        Raises
        ------
        IncompatibleStatistics
            `other` holds a group or rows that were never added.
        UnsupportedOperation
            Rows cannot be subtracted from the inner statistic.
        """
        if other.is_empty:
            return self
        self.require_same(other)
        groups = dict(self._groups)
        for key, group in other._groups.items():
            if key not in groups:
                told = f"there is no group {quoted_key(key)}"
                raise IncompatibleStatistics(f"{NOT_THOSE_ROWS}: {told}")
            groups[key] = groups[key].minus(group)
        left = {key: group for key, group in groups.items() if not group.is_empty}
        return Grouped(self._inner, self._group_by, left)

    def to_arrays(self) -> dict[str, Array]:
        """Return ``group_by``, ``keys (g, j)`` and the stacked members; {} when empty."""
        if self._group_by is None or not self._groups:
            return {}
        return {"group_by": string_array(self._group_by), "keys": self.table, **self.stacked()}

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the groups of posted members.

        ``group_by``, ``keys`` and stacked members, or for one label a key an object from label
        to the members of its group.
        """
        if not members:
            return Grouped(self._inner, self._group_by)
        if "keys" in members and not isinstance(members["keys"], Mapping):
            return self._of_stacked(members, path)
        return self._of_labels(members, path)

    def summary(self) -> dict[str, object]:
        """Return n and what the fit report says about each group."""
        groups = [{"key": list(key), **group.summary()} for key, group in self._groups.items()]
        return {"n": self.n, "groups": groups}

    def _names_of(self, labels: Labels) -> tuple[str, ...]:
        labels_a_key = labels.shape[1]
        names = self._group_by or ONE_KEY
        if len(names) != labels_a_key:
            raise ShapeError(
                f"a key has {labels_a_key} labels, but 'group_by' names {len(names)}",
                path="groups",
            )
        return names

    def _of_stacked(self, members: Members, path: str) -> Grouped[Inner]:
        keys = reading.texts(members, "keys", path)
        keys = keys[:, None] if keys.ndim == 1 else keys
        group_by = self._posted_names(members, keys.shape[1], path)
        rows = [tuple(row) for row in keys.tolist()]
        if not rows:
            raise InvalidInput("there is no key; an empty statistic is {}", path=f"{path}.keys")
        if not rows[0]:
            raise ShapeError("a key has at least one label", path=f"{path}.keys")
        if len(set(rows)) < len(rows):
            raise InvalidInput("a key occurs twice", path=f"{path}.keys")
        inner = {name: v for name, v in members.items() if name not in ("group_by", "keys")}
        groups = self._inner.unstack(inner, len(rows), path)
        return self._checked(group_by, dict(zip(rows, groups, strict=True)), path)

    def _of_labels(self, members: Members, path: str) -> Grouped[Inner]:
        if self._group_by is not None and len(self._group_by) != 1:
            raise InvalidInput("keys of several labels are posted as 'keys'", path=path)
        groups: dict[Key, Inner] = {}
        for label, member in members.items():
            if not isinstance(member, Mapping):
                raise InvalidInput(
                    "post 'keys' and stacked members, or an object from label to members",
                    path=f"{path}.{printable_name(label)}",
                )
            groups[(label,)] = self._inner.from_arrays(member, f"{path}.{printable_name(label)}")
        return self._checked(self._group_by or ONE_KEY, groups, path)

    def _posted_names(self, members: Members, labels: int, path: str) -> tuple[str, ...]:
        names = self._group_by or (ONE_KEY if labels == 1 else None)
        if "group_by" in members:
            posted = tuple(reading.texts(members, "group_by", path, levels=1).tolist())
            if self._group_by not in (None, posted):
                raise IncompatibleStatistics(
                    "the statistics are grouped by other labels than this fit",
                    path=f"{path}.group_by",
                )
            names = posted
        if len(set(names or ())) < len(names or ()):
            raise InvalidInput("a name stands here twice", path=f"{path}.group_by")
        if names is None:
            raise InvalidInput("'group_by' names the labels of a key", path=path)
        if len(names) != labels:
            raise ShapeError(
                f"a key has {labels} labels, but 'group_by' names {len(names)}",
                path=f"{path}.keys",
            )
        return names

    def _checked(
        self, group_by: tuple[str, ...], groups: Mapping[Key, Inner], path: str
    ) -> Grouped[Inner]:
        """Return the groups after making sure that they could be one statistic."""
        seen = [group for group in groups.values() if not group.is_empty]
        for group in seen:
            if group.identity() != seen[0].identity() or group.mergeable != seen[0].mergeable:
                raise InvalidInput("the groups do not have the same members and shape", path=path)
        return Grouped(self._inner, group_by, groups)


def _labels(labels: Array | Labels) -> Labels:
    return labels if isinstance(labels, Labels) else Labels.of(labels)


def _columns(rows: Array) -> Array:
    return rows[:, None] if rows.ndim == 1 else rows
