"""What every statistic is: a value that is updated, merged, stored and checked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Self, TypeAlias

from normalizers.data.arrays import Array
from normalizers.errors import IncompatibleStatistics, InvalidInput, UnsupportedOperation
from normalizers.messages import printable_name
from normalizers.statistics.total import in_pairs

Members: TypeAlias = Mapping[str, object]


class Statistic(ABC):
    """A mergeable statistic: an immutable value with an identity.

    Laws, tested for every statistic: merging with an empty one changes nothing; merging is
    associative and commutative within the published bound; `update` with the rows of two
    batches equals the merge of two updates; `from_members(to_members())` is the same value.

    An empty statistic knows its configuration (a beta, a limit) and takes the rest of its
    identity (columns, dims, items) from its first data.
    """

    name: ClassVar[str]
    removable: ClassVar[bool] = False

    @property
    @abstractmethod
    def n(self) -> int:
        """Rows seen: the largest over columns, summed over groups."""

    @property
    def is_empty(self) -> bool:
        """Whether no row was seen."""
        return self.n == 0

    @property
    def mergeable(self) -> bool:
        """Whether it can be added up; a statistic posted without ``n`` cannot."""
        return True

    @property
    def limit(self) -> int | None:
        """How many rows can be added before a sum may be refused; None without a limit."""
        return None

    @abstractmethod
    def identity(self) -> Mapping[str, object]:
        """What must agree before two parts merge, as plain JSON values; {} while empty."""

    @abstractmethod
    def merge(self, other: Self) -> Self:
        """Return the statistic of both parts together."""

    def merge_all(self, others: Sequence[Self]) -> Self:
        """Return the statistic of this part and `others`, in their order."""
        return in_pairs([self, *others])

    def join(self, other: Self) -> Self:
        """Return the statistic of the items of both parts, over the same rows."""
        raise UnsupportedOperation(f"the statistic '{self.name}' is not kept by item: merge it")

    def minus(self, other: Self) -> Self:
        """Return the statistic of the rows that remain when those of `other` are removed."""
        raise UnsupportedOperation(f"rows cannot be subtracted from the statistic '{self.name}'")

    @abstractmethod
    def to_arrays(self) -> dict[str, Array]:
        """Return the members of the statistic (catalogue A.4); {} when wholly empty."""

    @abstractmethod
    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the statistic these members describe, with this one's configuration.

        `members` are untrusted: names, shapes, counts and finiteness are checked, each with a
        message of its own that starts at `path`. Values are arrays, nested lists or numbers.
        """

    def to_json(self) -> object:
        """Return the statistic as it stands on the wire; its members, unless they are a list."""
        return self.to_arrays()

    def from_wire(self, value: object, path: str) -> Self:
        """Return the statistic that a posted value describes."""
        if not isinstance(value, Mapping):
            raise InvalidInput("a statistic is an object of its members", path=path)
        return self.from_arrays(value, path)

    def summary(self) -> dict[str, object]:
        """Return what the fit report says about it: plain numbers, lists and text."""
        return {"n": self.n}

    def require_same(self, other: Statistic) -> None:
        """Refuse to combine with a statistic of another identity."""
        mine, theirs = self.identity(), other.identity()
        for key in sorted(mine.keys() & theirs.keys()):
            if mine[key] != theirs[key]:
                here, there = printable_name(repr(mine[key])), printable_name(repr(theirs[key]))
                raise IncompatibleStatistics(
                    f"'{self.name}' statistics do not merge: {key} is {here} here and {there} there"
                )
        if not (self.mergeable and other.mergeable):
            raise IncompatibleStatistics(
                f"'{self.name}' statistics without 'n' fit, but they do not merge; post 'n' too"
            )
