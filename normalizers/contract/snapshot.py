"""Whether values are still what they were: the same objects, and lists that hold the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import is_
from types import NoneType
from typing import Self

# What nobody can change: such a value is what it was as long as it is the same object.
UNCHANGING = frozenset({NoneType, bool, int, float, str})


@dataclass(frozen=True)
class Snapshot:
    """Values as they were, with what the lists and mappings among them held.

    Parameters
    ----------
    values : tuple
        The objects themselves.
    contents : tuple of pairs
        The place of each list or mapping, and a copy of what it held.

    Examples
    --------
    >>> from normalizers.contract.snapshot import Snapshot
    >>> weights = [0.4, 0.6]
    >>> values = (60.0, weights)
    >>> before = Snapshot.of(values)
    >>> before.holds(values)
    True
    >>> weights[0] = 0.5
    >>> before.holds(values)
    False
    """

    values: tuple[object, ...]
    contents: tuple[tuple[int, object], ...]

    @classmethod
    def of(cls, values: Sequence[object]) -> Self | None:
        """Return how values stand; None where one may change without being seen to."""
        contents = [
            (place, _content(value))
            for place, value in enumerate(values)
            if type(value) not in UNCHANGING
        ]
        if any(content is None for _, content in contents):
            return None
        return cls(tuple(values), tuple(contents))

    def holds(self, values: Sequence[object]) -> bool:
        """Return whether these are the same objects, and hold what they held."""
        # By identity: 1, 1.0 and True are equal, and not the same to a parameter.
        if not all(map(is_, values, self.values)):
            return False
        return all(_content(values[place]) == content for place, content in self.contents)


def _content(value: object) -> object:
    """Return what cannot change and is equal only for equal contents; None of other objects."""
    kind = type(value)
    if kind in UNCHANGING:
        return kind, value
    if kind is list or kind is tuple:
        items: Sequence[object] = value  # type: ignore[assignment]
        held = tuple(map(_content, items))
    elif kind is dict:
        pairs: Mapping[object, object] = value  # type: ignore[assignment]
        held = tuple(map(_content, (*pairs, *pairs.values())))
    else:
        return None
    return None if None in held else (kind, held)
