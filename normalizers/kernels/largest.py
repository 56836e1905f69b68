"""The largest values of each row, kept while blocks of columns come."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array

FIRST_COLUMNS = 64  # so many are looked at before a threshold is worth its pass


class Largest:
    """The `k` largest values of each of `rows` rows; blocks of columns are added one by one.

    Notes
    -----
    A value enters only if it exceeds the smallest that is kept, so that most of a block is read
    once and compared. Blocks are taken in pieces as wide as all columns before: each piece then
    brings about k ln 2 new values a row in whatever order columns come by chance, and sorting them
    is cheap. Columns in ascending order cost a partition of everything, no more.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.largest import Largest
    >>> kept = Largest(rows=1, k=2)
    >>> kept.add(np.array([[0.1, 0.7, 0.3]]))
    >>> kept.add(np.array([[0.5, 0.2]]))
    >>> kept.descending().tolist()
    [[0.7, 0.5]]
    """

    def __init__(self, rows: int, k: int) -> None:
        self.rows, self.k, self.columns = rows, k, 0
        self._kept: Array | None = None

    def add(self, block: Array) -> None:
        """Add columns, shape (rows, c); the block is not changed."""
        start, columns = 0, block.shape[1]
        while start < columns:
            width = max(FIRST_COLUMNS, 2 * self.k, self.columns)
            piece = block[:, start : start + width]
            self._add_piece(piece)
            self.columns += piece.shape[1]
            start += width

    def descending(self) -> Array:
        """Return what is kept, shape (rows, min(k, columns)), the largest first."""
        if self._kept is None:
            return np.zeros((self.rows, 0))
        return np.asarray(np.sort(self._kept, axis=1)[:, ::-1])

    def _add_piece(self, piece: Array) -> None:
        kept = self._kept
        if kept is None or kept.shape[1] < self.k:
            seen = piece if kept is None else np.concatenate([kept, piece], axis=1)
            self._kept = _top(seen, self.k)
            return
        # The smallest that is kept: what equals it changes nothing.
        places = np.flatnonzero(piece > kept[:, :1])
        if len(places):
            self._kept = _top(_beside(kept, piece, places), self.k)


def _top(values: Array, k: int) -> Array:
    """Return the k largest of each row, the smallest of them first."""
    if values.shape[1] < k:
        return np.array(values)
    cut = values.shape[1] - k
    # The element at the cut is the smallest of those behind it, which is the next threshold.
    return np.array(np.partition(values, cut, axis=1)[:, cut:])


def _beside(kept: Array, piece: Array, places: Array) -> Array:
    """Return what is kept and, in each row, the values at flat `places` of the piece."""
    rows, columns = np.divmod(places, piece.shape[1])
    counts = np.bincount(rows, minlength=len(kept))
    starts = np.cumsum(counts) - counts
    wide = np.full((len(kept), kept.shape[1] + int(counts.max())), -np.inf, dtype=kept.dtype)
    wide[:, : kept.shape[1]] = kept
    wide[rows, kept.shape[1] + np.arange(len(rows)) - starts[rows]] = piece[rows, columns]
    return wide
