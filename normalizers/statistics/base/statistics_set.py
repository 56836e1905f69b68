"""The statistics of a fit: a named product of statistics, combined member by member."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from normalizers.errors import IncompatibleStatistics, InvalidInput
from normalizers.messages import did_you_mean, printable_name, quoted
from normalizers.statistics.base.statistic import Statistic
from normalizers.statistics.total import in_pairs


class Statistics(Mapping[str, Statistic]):
    """An immutable mapping from name to statistic.

    Parameters
    ----------
    members : mapping
        The statistics by name.
    optional : set of str
        Members that may be missing when posted. One that only one side of a merge or removal
        has is dropped, unless the other side saw nothing.
    in_parts : bool
        Whether members are of different parts of a fit: one that is not posted saw no row.
    """

    def __init__(
        self,
        members: Mapping[str, Statistic],
        optional: frozenset[str] = frozenset(),
        *,
        in_parts: bool = False,
    ) -> None:
        self._members = dict(members)
        self._optional = optional
        self._in_parts = in_parts

    def __getitem__(self, name: str) -> Statistic:
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __repr__(self) -> str:
        return f"Statistics({', '.join(self)}; n={self.n})"

    @property
    def n(self) -> int:
        """Rows seen by the member that saw most."""
        return max((member.n for member in self.values()), default=0)

    @property
    def limit(self) -> int | None:
        """How many rows can be added before a sum may be refused; None without a limit."""
        limits = [member.limit for member in self.values() if member.limit is not None]
        return min(limits, default=None)

    @property
    def is_empty(self) -> bool:
        """Whether no member saw a row."""
        return all(member.is_empty for member in self.values())

    @property
    def removable(self) -> bool:
        """Whether every member can be subtracted exactly."""
        return bool(self) and all(member.removable for member in self.values())

    @property
    def mergeable(self) -> bool:
        """Whether every member can be added up."""
        return all(member.mergeable for member in self.values())

    def identity(self) -> dict[str, object]:
        """Return what must agree before two parts merge, as ``scatter.d`` and so on."""
        return {
            f"{name}.{key}": value
            for name, member in self.items()
            for key, value in member.identity().items()
        }

    def replace(self, **members: Statistic) -> Statistics:
        """Return a copy with some members replaced."""
        return Statistics({**self._members, **members}, self._optional, in_parts=self._in_parts)

    def merge(self, other: Statistics) -> Statistics:
        """Return the statistics of both parts together."""
        return self._combine(other, lambda mine, theirs: mine.merge(theirs))

    def merge_all(self, others: Sequence[Statistics]) -> Statistics:
        """Return the statistics of these and `others`, in their order."""
        if any(other.keys() != self.keys() for other in others):
            return in_pairs([self, *others])
        optional = self._optional.intersection(*(other._optional for other in others))
        merged = {
            name: member.merge_all([other[name] for other in others])
            for name, member in self.items()
        }
        return Statistics(merged, optional)

    def join(self, other: Statistics) -> Statistics:
        """Return the statistics of the items of both parts, over the same rows."""
        return self._combine(other, lambda mine, theirs: mine.join(theirs))

    def minus(self, other: Statistics) -> Statistics:
        """Return the statistics of the rows that remain without those of `other`."""
        return self._combine(other, lambda mine, theirs: mine.minus(theirs))

    def _combine(
        self, other: Statistics, step: Callable[[Statistic, Statistic], Statistic]
    ) -> Statistics:
        optional = self._optional & other._optional
        if (self.keys() ^ other.keys()) - optional:
            raise IncompatibleStatistics(
                f"statistics {sorted(self)} do not merge with {sorted(other)}"
            )
        combined = {name: step(self[name], other[name]) for name in self if name in other}
        return Statistics({**combined, **self._alone(other), **other._alone(self)}, optional)

    def _alone(self, other: Statistics) -> dict[str, Statistic]:
        """Return the members that only these have, which are kept beside an empty `other`."""
        return {name: self[name] for name in self if name not in other and other.is_empty}

    def to_arrays(self) -> dict[str, object]:
        """Return every member's arrays by name, as they stand on the wire and in the file."""
        return {name: member.to_json() for name, member in self.items()}

    def from_arrays(self, members: Mapping[str, object], path: str) -> Statistics:
        """Read posted statistics with the configuration of these (usually empty) ones."""
        for name in members:
            if name not in self:
                raise InvalidInput(
                    f"unknown statistic {quoted(name)}; this method keeps "
                    f"{', '.join(map(quoted, sorted(self)))}"
                    f"{did_you_mean(name, self)}",
                    path=f"{path}.{printable_name(name)}",
                )
        if self._in_parts and members:
            # One that may be unknown is unknown where it is not posted, and not without rows.
            members = {**{name: {} for name in self if name not in self._optional}, **members}
        missing = sorted(self.keys() - members.keys() - self._optional)
        if missing:
            raise InvalidInput(f"the statistic '{missing[0]}' is missing", path=path)
        read = {
            name: member.from_wire(members[name], f"{path}.{name}")
            for name, member in self.items()
            if name in members
        }
        return Statistics(read, self._optional, in_parts=self._in_parts).told()

    def told(self) -> Statistics:
        """Return these without optional members that stayed empty beside others.

        Where a required member is empty too, its rows have not come yet: all stay.
        """
        waiting = any(self[name].is_empty for name in self.keys() - self._optional)
        if not self._optional or waiting:
            return self
        members = {
            name: member
            for name, member in self.items()
            if name not in self._optional or not member.is_empty
        }
        return Statistics(members, self._optional, in_parts=self._in_parts)

    def summary(self) -> dict[str, object]:
        """Return what the fit report says about every member."""
        return {name: member.summary() for name, member in self.items()}
