"""The sum of many parts: equal sizes together, many at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, Self, TypeVar

# So many parts of one size are added at once: rows of 256 parts are then sorted twice more.
AT_ONCE = 16


class Part(Protocol):
    """What adds up: a statistic, or a product of them."""

    @property
    def n(self) -> int:
        """Rows seen."""

    def merge(self, other: Self, /) -> Self:
        """Return both parts together."""

    def merge_all(self, others: Sequence[Self], /) -> Self:
        """Return this part and others together, in their order."""


P = TypeVar("P", bound=Part)


def total(parts: Iterable[P]) -> P:
    """Return the sum of at least one part, in the order they come.

    Parameters
    ----------
    parts : iterable of statistics
        Read once; fewer than `AT_ONCE` sums of each size are held.

    Notes
    -----
    Every row takes part in about log16(parts) sums. One part after another would carry all rows
    so far through every merge: work in proportion to the square of the parts, and in a sketch one
    more compaction of the whole for each. The same parts in the same order give the same bits.

    Raises
    ------
    ValueError
        There is no part.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics import Moments
    >>> from normalizers.statistics.total import total
    >>> total(Moments().update(np.array([[x], [x]])) for x in (1.0, 2.0, 6.0)).mean.tolist()
    [3.0]
    """
    held: list[tuple[int, P]] = []
    for part in parts:
        size = _size(part)
        held.append((size, part))
        _join(held, sum(1 for other, _ in held[:-1] if other < size) + 1, size)
        while len(held) >= AT_ONCE and held[-AT_ONCE][0] == held[-1][0]:
            _join(held, AT_ONCE, held[-1][0] + 1)
    if not held:
        raise ValueError("there is nothing to add up")
    _join(held, len(held), 0)
    return held[0][1]


def in_pairs(parts: Sequence[P]) -> P:
    """Return the sum of at least one part by merges of two halves."""
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    return in_pairs(parts[:half]).merge(in_pairs(parts[half:]))


def _size(part: Part) -> int:
    """Return the order of magnitude of a part's rows, in powers of `AT_ONCE`."""
    return part.n.bit_length() // (AT_ONCE.bit_length() - 1)


def _join(held: list[tuple[int, P]], count: int, size: int) -> None:
    """Put the sum of the last `count` parts, of this size at least, in their place.

    The sizes of what is held never ascend: smaller parts join the larger one behind them.
    """
    if count == 1:
        return
    parts = [part for _, part in held[-count:]]
    joined = parts[0].merge_all(parts[1:])
    held[-count:] = [(max(size, _size(joined)), joined)]
