"""The statistics of a pipeline: those of its steps, one entry a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Self, final

from normalizers.data.arrays import Array
from normalizers.errors import IncompatibleStatistics, InvalidInput, ShapeError
from normalizers.statistics.base import posted
from normalizers.statistics.base.statistic import Members, Statistic
from normalizers.statistics.base.statistics_set import Statistics


@final
class Steps(Statistic):
    """Statistics by step; a step that keeps none has none.

    Parameters
    ----------
    parts : sequence of Statistics
        One a step, in order.
    apart : bool
        Whether no step saw what the fit of another gave, so that all of them add up.
    """

    name: ClassVar[str] = "steps"

    def __init__(self, parts: Sequence[Statistics], *, apart: bool = False) -> None:
        self.parts = tuple(parts)
        self.apart = apart

    @property
    def n(self) -> int:
        """Rows seen by the first step that keeps statistics."""
        return max((part.n for part in self.parts), default=0)

    @property
    def limit(self) -> int | None:
        """How many rows the steps can add before a sum may be refused."""
        limits = [part.limit for part in self.parts if part.limit is not None]
        return min(limits, default=None)

    @property
    def is_empty(self) -> bool:
        """Whether no step saw a row."""
        return all(part.is_empty for part in self.parts)

    @property
    def removable(self) -> bool:  # type: ignore[override]
        """Whether the one fitted step's statistics can be subtracted exactly."""
        return all(part.removable for part in self.parts if part)

    @property
    def mergeable(self) -> bool:
        """Whether every step's statistics can be added up."""
        return all(part.mergeable for part in self.parts)

    def identity(self) -> Mapping[str, object]:
        """Return the number of steps, and by step what its statistics must agree in."""
        known: dict[str, object] = {"steps": len(self.parts)}
        for index, part in enumerate(self.parts):
            known |= {f"{index}.{key}": value for key, value in part.identity().items()}
        return known

    def replace(self, step: int, statistics: Statistics) -> Self:
        """Return a copy with the statistics of one step replaced."""
        parts = [*self.parts[:step], statistics, *self.parts[step + 1 :]]
        return type(self)(parts, apart=self.apart)

    def merge(self, other: Self) -> Self:
        """Return the statistics of both parts together; refused with two fitted steps."""
        return self._combined(other, lambda mine, theirs: mine.merge(theirs))

    def minus(self, other: Self) -> Self:
        """Return the statistics of the rows that remain; refused with two fitted steps."""
        return self._combined(other, lambda mine, theirs: mine.minus(theirs))

    def to_arrays(self) -> dict[str, Array]:
        """Steps have no members of their own; see `to_json`."""
        return {}

    def to_json(self) -> object:
        """Return one object a step."""
        return [part.to_arrays() for part in self.parts]

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the statistics in an object of indices, as a file holds them."""
        posted.refuse_unknown(members, [str(i) for i in range(len(self.parts))], path)
        return self.from_wire([members.get(str(i), {}) for i in range(len(self.parts))], path)

    def from_wire(self, value: object, path: str) -> Self:
        """Return the statistics that a posted list describes."""
        if isinstance(value, Mapping):
            return self.from_arrays(value, path)
        if not isinstance(value, list) or len(value) != len(self.parts):
            raise ShapeError(
                f"a list of {len(self.parts)} objects is expected, one a step", path=path
            )
        return type(self)(
            [
                _read(part, item, f"{path}[{index}]")
                for index, (part, item) in enumerate(zip(self.parts, value, strict=True))
            ],
            apart=self.apart,
        )

    def summary(self) -> dict[str, object]:
        """Return what every step's statistics say."""
        return {"steps": [part.summary() for part in self.parts]}

    def _combined(self, other: Self, step: Callable[[Statistics, Statistics], Statistics]) -> Self:
        self.require_same(other)
        if self.is_empty or other.is_empty:
            return other if self.is_empty else self
        if not self.apart and sum(bool(part) for part in self.parts) > 1:
            raise IncompatibleStatistics(
                "a pipeline with two fitted steps does not merge: the second step saw the output "
                "of the first step's own fit; fit it at once"
            )
        return type(self)(
            [step(m, t) if m else m for m, t in zip(self.parts, other.parts, strict=True)],
            apart=self.apart,
        )


def _read(part: Statistics, value: object, path: str) -> Statistics:
    if not isinstance(value, Mapping):
        raise InvalidInput("the statistics of a step are an object by name", path=path)
    if not value and part:
        return part
    return part.from_arrays(value, path)
