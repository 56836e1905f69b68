"""The query bank of a fit: one pass over its similarities, into which any statistic is folded."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged, offsets_of
from normalizers.kernels.segments import centred_moments


class Fold(Protocol):
    """What is added up over blocks of similarities, shape (items, bank rows).

    All rows of a block of items come one after the other, then the next block of items. The memory
    of a block is that of the next one too: what is kept of it is copied. Of several folds the last
    may write over it.
    """

    def begin(self, items: slice) -> None:
        """Begin a block of items, as a range of the gallery."""

    def add(self, sims: Array, rows: slice) -> None:
        """Add the similarities of these items to a range of bank rows."""

    def end(self) -> None:
        """End the block of items."""


class Bank(ABC):
    """Similarities of bank queries (rows) to gallery items (columns)."""

    from_embeddings = False
    log_weights: Array | None = None

    @property
    def similarity_name(self) -> str:
        """How vectors are compared, where there are vectors."""
        return ""

    @property
    @abstractmethod
    def n(self) -> int:
        """Number of bank queries."""

    @property
    @abstractmethod
    def items(self) -> int:
        """Number of gallery items."""

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The type that similarities are computed in."""
        return np.dtype(np.float64)

    @property
    def bound(self) -> float:
        """A number that no similarity exceeds, in absolute value, by more than rounding."""
        return float("inf")

    @abstractmethod
    def blocks(self) -> Iterator[tuple[slice, Iterator[tuple[Array, slice]]]]:
        """Yield every range of items with the blocks of their similarities to ranges of rows."""

    @abstractmethod
    def row_deviations(self) -> Array:
        """Return the population deviation of each row over the items, shape (b,).

        A row without spread beyond rounding has exactly 0.
        """

    def beside(self) -> tuple[Fold, ...]:
        """Return what a pass takes along so that reports need none of their own."""
        return ()

    def nearest(self) -> tuple[Fold, ...]:
        """Return what finds the nearest items of some rows in a pass, for a report."""
        return ()

    def fold(self, *folds: Fold) -> None:
        """Pass once over all similarities, each block to every fold in turn."""
        for items, blocks in self.blocks():
            for one in folds:
                one.begin(items)
            for sims, rows in blocks:
                for one in folds:
                    one.add(sims, rows)
            for one in folds:
                one.end()

    def digests(self, item_ids: Array | None) -> tuple[str | None, str | None]:
        """Return the digests of gallery and bank, where there are vectors."""
        return None, None

    def mean_row_std(self) -> float:
        """Return the mean of the row deviations; 0 without rows."""
        return float(np.mean(self.row_deviations())) if self.n else 0.0


@dataclass(frozen=True)
class SentBank(Bank):
    """Similarities as they were sent, shape (b, g); with the logarithms of their rows' weights."""

    sims: Array
    block_rows: int = 1024
    block_items: int = 256
    log_weights: Array | None = None

    @property
    def n(self) -> int:
        """Number of bank queries."""
        return len(self.sims)

    @property
    def items(self) -> int:
        """Number of gallery items."""
        return int(self.sims.shape[1])

    def blocks(self) -> Iterator[tuple[slice, Iterator[tuple[Array, slice]]]]:
        """Yield copies of the similarities, items first."""
        for items in ranges(self.items, self.block_items):
            yield (
                items,
                (
                    (np.array(self.sims[rows, items].T, order="C"), rows)
                    for rows in ranges(self.n, self.block_rows)
                ),
            )

    def row_deviations(self) -> Array:
        """Return the deviation of each row."""
        b, g = self.sims.shape
        if not g:
            return np.zeros(b)
        return centred_moments(Ragged(self.sims.reshape(-1), offsets_of([g] * b))).std()


def ranges(length: int, size: int) -> Iterator[slice]:
    """Yield ranges of this size that make up the whole length."""
    for start in range(0, length, size):
        yield slice(start, min(start + size, length))
