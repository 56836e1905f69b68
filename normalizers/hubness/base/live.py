"""Live scores: of the whole gallery, or of the candidates of each query."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged

UNKNOWN = -1
NOWHERE = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class Live:
    """Similarities of live queries, higher is better, and the items they are to.

    Parameters
    ----------
    scores : Ragged
        One list a query.
    items : int64 array of shape (N,) or None
        The item of each score, -1 where the fit does not know it; None where every list is the
        whole gallery in its order.
    gallery : int
        Number of items of the fit.
    """

    scores: Ragged
    items: Array | None
    gallery: int

    @classmethod
    def whole_gallery(cls, sims: Array) -> Self:
        """Return similarities of shape (q, g) as lists."""
        queries, items = sims.shape
        offsets = np.arange(queries + 1, dtype=np.int64) * items
        return cls(Ragged(np.asarray(sims, dtype=np.float64).reshape(-1), offsets), None, items)

    @property
    def whole(self) -> bool:
        """Whether every list is the whole gallery."""
        return self.items is None

    @cached_property
    def unknown(self) -> Array:
        """Flat places of the scores whose item the fit does not know."""
        if self.items is None or not len(self.items) or int(self.items.min()) >= 0:
            return NOWHERE
        return np.flatnonzero(self.items == UNKNOWN)

    def of_items(self, numbers: Array) -> Array:
        """Return for each score its item's number, of shape (g + 1,), the last for no item."""
        if self.items is None:
            return np.tile(numbers[:-1], len(self.scores))
        return np.asarray(numbers[self.items])

    def complete(self) -> Array:
        """Return which lists hold every item of the gallery."""
        if self.items is None:
            return np.ones(len(self.scores), dtype=bool)
        lengths = self.scores.lengths
        if not len(self.unknown):
            return np.asarray(lengths == self.gallery)
        known = np.bincount(
            self.scores.part_of_each()[self.items != UNKNOWN], minlength=len(lengths)
        )
        return np.asarray(known == self.gallery)
