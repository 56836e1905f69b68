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
    nameless : Counter of str
        How often what is no version was added: posted or open statistics.
    """

    counts: Counter[Leaf] = field(default_factory=Counter)
    nameless: Counter[str] = field(default_factory=Counter)

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
        return Lineage(counts, self.nameless + other.nameless)

    @property
    def leaves(self) -> list[Leaf] | None:
        """The leaves, when they alone make the sum again; None when they do not."""
        if self.nameless or any(count < 0 for count in self.counts.values()):
            return None
        return list(self.counts.elements())

    @property
    def size(self) -> int:
        """How many leaves there are, each as often as it counts."""
        return sum(map(abs, self.counts.values())) + self.nameless.total()

    @property
    def repeated(self) -> list[str]:
        """The leaves that count more than once."""
        return [str(leaf) for leaf, count in self.counts.items() if count > 1]

    def as_json(self) -> list[JsonObject]:
        """Return the lineage as the registry keeps it: a leaf once, with its count above 1."""
        known = [
            {"name": leaf.name, "version": leaf.version, "hash": leaf.hash}
            | ({"removed": True} if count < 0 else {})
            | _often(abs(count))
            for leaf, count in self.counts.items()
            if count
        ]
        nameless = [{"origin": origin} | _often(n) for origin, n in self.nameless.items()]
        return [*known, *nameless]


def _often(count: int) -> dict[str, object]:
    return {"count": count} if count > 1 else {}


def lineage_of(record: VersionRecord) -> Lineage:
    """Return what a stored version adds up: itself, unless it was merged."""
    if record.parents:
        return _read(record.parents)
    return Lineage(Counter({Leaf(record.name, record.number, record.hash): 1}))


def summed_lineage(parts: Iterable[Lineage]) -> Lineage:
    """Return the lineage of a sum of several parts."""
    total = Lineage()
    for part in parts:
        total.counts.update(part.counts)
        total.nameless.update(part.nameless)
    return total


def _read(parents: Sequence[JsonObject]) -> Lineage:
    counts: Counter[Leaf] = Counter()
    nameless: Counter[str] = Counter()
    for parent in parents:
        name, version, told = parent.get("name"), parent.get("version"), parent.get("count", 1)
        # Earlier releases wrote a leaf as often as it counted, and no count.
        count = told if isinstance(told, int) else 1
        if isinstance(name, str) and isinstance(version, int):
            leaf = Leaf(name, version, str(parent.get("hash")))
            counts[leaf] += -count if parent.get("removed") else count
        else:
            nameless[str(parent.get("origin", "statistics"))] += count
    return Lineage(counts, nameless)
