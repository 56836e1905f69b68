"""Two real sets of queries and items with banks, and their scores."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np

from normalizers.data.arrays import Array

DATA = Path(__file__).parents[3] / "shared" / "data" / "hubness"
SETS = ("ui_en_zh_e5", "doc_code_minilm")


class Collection:
    """Queries and items, row i of one right for row i of the other, and a bank of each."""

    def __init__(self, queries: Array, items: Array, bank: Array, bank_items: Array) -> None:
        self.queries, self.items = queries, items
        self.bank, self.bank_items = bank, bank_items

    @classmethod
    def read(cls, name: str) -> Collection:
        """Return a set by the name of its file."""
        parts = ("query", "gallery", "bank_query", "bank_gallery")
        with np.load(DATA / f"{name}.npz", allow_pickle=False) as found:
            return cls(*(_unit(found[part]) for part in parts))

    @cached_property
    def sims(self) -> Array:
        """Similarities of queries to items."""
        return np.asarray(self.queries @ self.items.T)

    @cached_property
    def bank_sims(self) -> Array:
        """Similarities of the bank to items."""
        return np.asarray(self.bank @ self.items.T)

    @cached_property
    def item_sims(self) -> Array:
        """Similarities of the bank of items to items."""
        return np.asarray(self.bank_items @ self.items.T)

    @cached_property
    def centred(self) -> Collection:
        """The set about the means of its banks."""
        centre, other = self.bank.mean(axis=0), self.bank_items.mean(axis=0)
        return Collection(
            _of_length_1(self.queries - centre),
            _of_length_1(self.items - other),
            _of_length_1(self.bank - centre),
            _of_length_1(self.bank_items - other),
        )


def right_first(scores: Array) -> float:
    """Return the share of queries, in percent, whose best item is theirs; ties to the first."""
    return 100 * float(np.mean(np.argmax(scores, axis=1) == np.arange(len(scores))))


def _unit(codes: Array) -> Array:
    rows = codes.astype(np.float32)
    return np.asarray(rows / np.sqrt((rows * rows).sum(axis=1, keepdims=True)), dtype=np.float64)


def _of_length_1(rows: Array) -> Array:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))
