"""What a version adds up: the versions fitted from data or statistics.

A leaf is such a version. A sum counts its leaves; a removal counts them away. What was posted or
open has no version of its own, and can be neither recognised nor made again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from app.registry.errors import Conflict
from app.registry.records import JsonObject, VersionRecord
from app.registry.references import Reference


@dataclass(frozen=True)
class Leaf:
    """A version fitted from data or statistics."""

    name: str
    version: int
    hash: str

    def __str__(self) -> str:
        return str(Reference(self.name, version=self.version))


@dataclass(frozen=True)
class Lineage:
    """Leaves, each counted as often as it was added less the times it was removed.

    Parameters
    ----------
    counts : Counter of Leaf
        Above 0 for what was added, -1 for what was removed from within another leaf.
    nameless : tuple of str
        What was added and is no version: posted or open statistics.
    """

    counts: Counter[Leaf] = field(default_factory=Counter)
    nameless: tuple[str, ...] = ()

    def plus(self, other: Lineage) -> Lineage:
        """Return the lineage of a sum; what is added twice counts twice."""
        counts = Counter(self.counts)
        counts.update(other.counts)
        return Lineage(counts, (*self.nameless, *other.nameless))

    def minus(self, other: Lineage) -> Lineage:
        """Return the lineage of what remains.

        Raises
        ------
        Conflict
            A leaf would be removed more often than it can be in the sum.
        """
        counts = Counter(self.counts)
        counts.subtract(other.counts)
        for leaf, removed in other.counts.items():
            if removed > 0 and counts[leaf] < -1:
                raise Conflict(
                    f"{leaf} is removed more often than it was added",
                    hint="name what shall be removed once",
                )
        return Lineage(counts, (*self.nameless, *other.nameless))

    @property
    def leaves(self) -> list[Leaf] | None:
        """The leaves, when they alone make the sum again; None when they do not."""
        if self.nameless or any(count < 0 for count in self.counts.values()):
            return None
        return list(self.counts.elements())

    @property
    def repeated(self) -> list[str]:
        """The leaves that count more than once."""
        return [str(leaf) for leaf, count in self.counts.items() if count > 1]

    def as_json(self) -> list[JsonObject]:
        """Return the lineage as the registry keeps it."""
        known = [
            {"name": leaf.name, "version": leaf.version, "hash": leaf.hash}
            | ({"removed": True} if count < 0 else {})
            for leaf, count in self.counts.items()
            for _ in range(abs(count))
        ]
        return [*known, *({"origin": origin} for origin in self.nameless)]


def lineage_of(record: VersionRecord) -> Lineage:
    """Return what a stored version adds up: itself, unless it was merged."""
    if record.parents:
        return _read(record.parents)
    return Lineage(Counter({Leaf(record.name, record.number, record.hash): 1}))


def summed_lineage(parts: Iterable[Lineage]) -> Lineage:
    """Return the lineage of a sum of several parts."""
    total = Lineage()
    for part in parts:
        total = total.plus(part)
    return total


def _read(parents: Sequence[JsonObject]) -> Lineage:
    counts: Counter[Leaf] = Counter()
    nameless = []
    for parent in parents:
        name, version = parent.get("name"), parent.get("version")
        if isinstance(name, str) and isinstance(version, int):
            leaf = Leaf(name, version, str(parent.get("hash")))
            counts[leaf] += -1 if parent.get("removed") else 1
        else:
            nameless.append(str(parent.get("origin", "statistics")))
    return Lineage(counts, tuple(nameless))
