"""How often each item is among the nearest of the queries of a bank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, final

import numpy as np

from normalizers.data.arrays import Array
from normalizers.statistics.base import posted
from normalizers.statistics.base.items import (
    ITEM_MEMBERS,
    ItemStatistic,
    read_bank_rows,
    read_items,
)
from normalizers.statistics.base.stacking import freeze
from normalizers.statistics.base.statistic import Members


@final
@dataclass(frozen=True, eq=False)
class ItemCounts(ItemStatistic):
    """The k-occurrence of each item: in how many queries' k best it is; ``ItemCounts(k=1)``.

    Parameters
    ----------
    k : int, optional
        How many of the best of each query count.
    counts : int64 array of shape (g,)
        Occurrences.

    Notes
    -----
    Parts of a bank add up. Other items would push items out of the best of each query: they are
    not joined.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics import ItemCounts
    >>> ItemCounts(k=1, n=3, counts=np.array([1, 2])).counts.tolist()
    [1, 2]
    """

    k: int | None = None
    counts: Array = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    name: ClassVar[str] = "item_counts"

    def __post_init__(self) -> None:
        freeze(self, "counts")

    @property
    def items(self) -> int:
        """Number of items."""
        return len(self.counts)

    def configuration(self) -> Mapping[str, object]:
        """Return k where it is known."""
        return {} if self.k is None else {"k": self.k}

    def configured(self, other: Self) -> Self:
        """Return this statistic, empty, with the k of `other` where it has none."""
        return self if self.k is not None else replace(self, k=other.k)

    def added(self, other: Self, order: Array | None) -> Self:
        """Return the occurrences in both banks."""
        theirs = other.counts if order is None else other.counts[order]
        return replace(self, counts=self.counts + theirs)

    def beside(self, other: Self) -> Self:
        """Refuse other items."""
        raise self.refused("new items would be among the best of the bank's queries", "join")

    def to_arrays(self) -> dict[str, Array]:
        """Return the members of the statistic; {} when wholly empty."""
        return {} if self.is_empty else {**self.item_arrays(), "counts": self.counts}

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the statistic of posted counts."""
        if not members:
            return self.with_values()
        posted.refuse_unknown(members, (*ITEM_MEMBERS, "counts"), path)
        counts = posted.counts(members, "counts", path, (None,))
        n = read_bank_rows(members, path)
        posted.refuse_where(counts > n, "an item is in more lists than there are", f"{path}.counts")
        return self.with_values(n=n, counts=counts, **read_items(members, len(counts), path))

    def with_values(self, **values: Any) -> Self:
        """Return a statistic of this configuration with these values."""
        return type(self)(**{"k": self.k, "from_embeddings": self.from_embeddings, **values})

    def summary(self) -> dict[str, object]:
        """Return n, the number of items, and how many occur."""
        return {
            "n": self.n,
            "items": self.items,
            "occurring": int(np.count_nonzero(self.counts)),
            "most": int(np.max(self.counts, initial=0)),
        }
