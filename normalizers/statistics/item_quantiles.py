"""The distribution of each item's similarities to a bank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, final

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.statistics.base.items import (
    ITEM_MEMBERS,
    ItemStatistic,
    read_bank_rows,
    read_items,
)
from normalizers.statistics.base.statistic import Members
from normalizers.statistics.quantiles import Quantiles

MEMBERS = ("offsets", "values", "counts", "rank_error")
LIMIT = 256  # distinct values of an item: 2 KB each


@final
@dataclass(frozen=True, eq=False)
class ItemQuantiles(ItemStatistic):
    """The similarities of each item to the bank, exact up to a limit of distinct ones.

    Parameters
    ----------
    sketch : Quantiles
        One column an item.

    Notes
    -----
    Beyond the limit values stand for their neighbours with a proved bound of the error of a rank.
    Parts of a bank merge, other items are joined.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics import ItemQuantiles
    >>> part = ItemQuantiles().update(np.array([[0.1, 0.5], [0.3, 0.2]]))
    >>> part.below(np.array([0, 1]), np.array([0.2, 0.2])).tolist()
    [1, 0]
    """

    sketch: Quantiles = field(default_factory=lambda: Quantiles(exact_limit=LIMIT))

    name: ClassVar[str] = "item_quantiles"

    @property
    def items(self) -> int:
        """Number of items."""
        return self.sketch.width

    def configuration(self) -> Mapping[str, object]:
        """Return the limit."""
        return {"exact_limit": self.sketch.exact_limit}

    def configured(self, other: Self) -> Self:
        """Return this statistic."""
        return self

    def update(self, sims: Array, item_ids: Array | None = None) -> Self:
        """Return the statistic with the bank rows of ``sims (b, g)`` added."""
        sketch = Quantiles(exact_limit=self.sketch.exact_limit).update(sims)
        plain: ItemQuantiles = replace(self, from_embeddings=False)
        part = plain.with_values(n=len(sims), item_ids=item_ids, sketch=sketch)
        return replace(plain.merge(part), from_embeddings=self.from_embeddings)

    def above(self, items: Array, scores: Array) -> Array:
        """Return how many bank similarities of each item are above a score."""
        return self.n - self.below(items, scores, not_above=True)

    def below(self, items: Array, scores: Array, *, not_above: bool = False) -> Array:
        """Return how many bank similarities of each item are below, or not above, a score."""
        held, found = self.sketch, np.zeros(len(items), dtype=np.int64)
        order = np.argsort(items, kind="stable")
        edges = np.flatnonzero(np.diff(items[order], prepend=-1))
        for places in np.split(order, edges[1:]) if len(order) else ():
            item = int(items[places[0]])
            part = slice(int(held.offsets[item]), int(held.offsets[item + 1]))
            upto = np.concatenate([[0], np.cumsum(held.counts[part])])
            values = held.values[part]
            if not_above:
                found[places] = upto[np.searchsorted(values, scores[places], side="right")]
            else:
                found[places] = upto[np.searchsorted(values, scores[places], side="left")]
        return found

    def added(self, other: Self, order: Array | None) -> Self:
        """Return the distributions over both banks."""
        theirs = other.sketch if order is None else _taken(other.sketch, order)
        return replace(self, sketch=self.sketch.merge(theirs))

    def beside(self, other: Self) -> Self:
        """Return the distributions of the items of both parts."""
        mine, theirs = self.sketch, other.sketch
        return replace(
            self,
            sketch=replace(
                mine,
                observed=np.concatenate([mine.observed, theirs.observed]),
                offsets=np.concatenate([mine.offsets, theirs.offsets[1:] + mine.offsets[-1]]),
                values=np.concatenate([mine.values, theirs.values]),
                counts=np.concatenate([mine.counts, theirs.counts]),
                rank_error=np.concatenate([mine.rank_error, theirs.rank_error]),
            ),
        )

    def to_arrays(self) -> dict[str, Array]:
        """Return the members of the statistic; {} when wholly empty."""
        if self.is_empty:
            return {}
        return {**self.item_arrays(), **{name: getattr(self.sketch, name) for name in MEMBERS}}

    def from_arrays(self, members: Members, path: str) -> Self:
        """Return the statistic of posted distributions."""
        if not members:
            return self.with_values()
        told = {name: value for name, value in members.items() if name not in ITEM_MEMBERS}
        n = read_bank_rows(members, path)
        empty = Quantiles(exact_limit=self.sketch.exact_limit)
        sketch = empty.from_arrays({**told, "n": n}, path)
        return self.with_values(n=n, sketch=sketch, **read_items(members, sketch.width, path))

    def with_values(self, **values: Any) -> Self:
        """Return a statistic of this configuration with these values."""
        empty = Quantiles(exact_limit=self.sketch.exact_limit)
        kept = {"from_embeddings": self.from_embeddings, "sketch": empty}
        return type(self)(**{**kept, **values})

    def summary(self) -> dict[str, object]:
        """Return n, the number of items and the largest error of a rank."""
        return {
            "n": self.n,
            "items": self.items,
            "rank_error": float(np.max(self.sketch.rank_error, initial=0.0)),
        }


def _taken(sketch: Quantiles, order: Array) -> Quantiles:
    """Return the columns in another order."""
    lists = [Ragged(array, sketch.offsets) for array in (sketch.values, sketch.counts)]
    lengths = lists[0].lengths[order]
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    first = np.repeat(sketch.offsets[:-1][order] - offsets[:-1], lengths)
    places = first + np.arange(int(offsets[-1]))
    return replace(
        sketch,
        observed=sketch.observed[order],
        offsets=offsets,
        values=sketch.values[places],
        counts=sketch.counts[places],
        rank_error=sketch.rank_error[order],
    )
