"""What is folded over the blocks of a bank: numbers of each bank row."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array, all_finite
from normalizers.data.devices import to_numpy
from normalizers.errors import NonFiniteError

LARGEST_EXPONENT = 1e30
FEW_SHARE = 1 / 32  # of a block: more of its values are sorted as they stand


class RowMoments:
    """Mean and squared deviations of each bank row over the items.

    Notes
    -----
    Blocks are reduced in their own type about their own means, and put together in float64.
    """

    def __init__(self, rows: int) -> None:
        self.n = np.zeros(rows)
        self.mean, self.m2 = np.zeros(rows), np.zeros(rows)
        self._memory = np.zeros(0)

    @property
    def count(self) -> int:
        """How many items every row has seen; 0 without rows."""
        return int(np.min(self.n)) if len(self.n) else 0

    def begin(self, items: slice) -> None:
        """Begin a block of items."""

    def add(self, sims: Array, rows: slice) -> None:
        """Add a block."""
        block = to_numpy(sims)
        added, n = len(block), self.n[rows]
        part = np.mean(block, axis=0)
        centred = np.subtract(block, part, out=self._like(block))
        squares = np.einsum("ij,ij->j", centred, centred)
        shift, share = part - self.mean[rows], added / (n + added)
        # Chan: n_a n_b / n (mean_b - mean_a)^2, divided first.
        self.m2[rows] += squares + np.square(shift) * (n * share)
        self.mean[rows] += shift * share
        self.n[rows] += added

    def end(self) -> None:
        """End a block of items."""

    def deviations(self) -> Array:
        """Return the population deviation of each row, shape (b,)."""
        return np.asarray(np.sqrt(self.m2 / np.maximum(self.n, 1)))

    def _like(self, block: Array) -> Array:
        """Return memory for a block, the same for every one."""
        if self._memory.size < block.size or self._memory.dtype != block.dtype:
            self._memory = np.empty(block.size, block.dtype)
        return self._memory[: block.size].reshape(block.shape)


class RowSums:
    """The log-sum-exp over the gallery of beta s, plus a number of each item, by bank row.

    Notes
    -----
    In the type of the blocks with sums in float64, as those of items. It writes over the blocks:
    of several folds it comes last.
    """

    def __init__(
        self, beta: float, rows: int, of_items: Array | None = None, bound: float = np.inf
    ) -> None:
        self.beta, self.of_items = beta, of_items
        self._wide = needs_float64(beta * bound)
        self._sums = np.full(rows, -np.inf)

    def begin(self, items: slice) -> None:
        """Begin a block of items."""
        self._items = items

    def add(self, sims: Array, rows: slice) -> None:
        """Add a block."""
        block = to_numpy(sims)
        exponents = block.astype(np.float64) if self._wide else block
        with np.errstate(over="ignore", under="ignore"):
            np.multiply(exponents, self.beta, out=exponents)
            if self.of_items is not None:
                exponents += self.of_items[self._items][:, None].astype(exponents.dtype)
            largest = np.max(exponents, axis=0)
            if not all_finite(largest):
                raise NonFiniteError("a similarity, or beta times it, is too large", path="fit")
            exponents -= largest
            np.exp(exponents, out=exponents)
            part = np.log(np.sum(exponents, axis=0, dtype=np.float64)) + largest
        self._sums[rows] = np.logaddexp(self._sums[rows], part)

    def end(self) -> None:
        """End a block of items."""

    def values(self) -> Array:
        """Return the log-sum-exp of each row, shape (b,)."""
        return self._sums


class RowLargest:
    """The items of the k largest similarities of each bank row, the largest first.

    Notes
    -----
    Ties go to the lowest position. An item enters only if it exceeds the k-th of its row so far:
    of n items in an order by chance about k ln(n / k) do, so that most of a block is read once.
    """

    def __init__(self, k: int, rows: int) -> None:
        self.k = k
        self._sims = np.full((rows, 0), 0.0)
        self._items = np.zeros((rows, 0), dtype=np.int64)
        self._width = 0

    def begin(self, items: slice) -> None:
        """Begin a block of items."""
        self._first = items.start
        kept = min(self.k, items.stop)
        more = kept - self._sims.shape[1]
        if more > 0:
            # What stands at -inf is below every similarity, and is pushed out by the next ones.
            self._sims = np.pad(self._sims, ((0, 0), (0, more)), constant_values=-np.inf)
            self._items = np.pad(self._items, ((0, 0), (0, more)), constant_values=-1)

    def add(self, sims: Array, rows: slice) -> None:
        """Add a block."""
        block = to_numpy(sims)
        if not block.size:
            return
        threshold = self._sims[rows, -1].astype(block.dtype)
        if self.k == 1:
            # The largest of a column costs less than a comparison of all.
            columns = np.flatnonzero(np.max(block, axis=0) > threshold)
            self._take(columns + rows.start, *largest_of_columns(_columns(block, columns), 1))
            return
        above = block > threshold
        if np.count_nonzero(above) > FEW_SHARE * above.size:
            columns = np.flatnonzero(above.any(axis=0))
            sims, places = largest_of_columns(_columns(block, columns), min(self.k, len(block)))
        else:
            columns, sims, places = values_of_columns(block, above)
        self._take(columns + rows.start, sims, places)

    def _take(self, rows: Array, sims: Array, places: Array) -> None:
        """Take what is among the best of some rows; places count from this block's first item."""
        # Items of earlier blocks stand first, so that a stable order leaves ties to them.
        both = np.concatenate([self._sims[rows], sims], axis=1)
        positions = np.concatenate([self._items[rows], places + self._first], axis=1)
        order = np.argsort(-both, axis=1, kind="stable")[:, : self._sims.shape[1]]
        self._sims[rows] = np.take_along_axis(both, order, axis=1)
        self._items[rows] = np.take_along_axis(positions, order, axis=1)

    def end(self) -> None:
        """End a block of items."""

    def values(self) -> Array:
        """Return the similarities, shape (b, min(k, g))."""
        return self._sims

    def items(self) -> Array:
        """Return the positions of the items, shape (b, min(k, g))."""
        return self._items


class SampleLargest:
    """The items of the k largest similarities of bank rows evenly apart, for reports.

    Parameters
    ----------
    k, rows, step : int
        How many items of a row, how many rows there are, and of how many one is looked at.
    """

    def __init__(self, k: int, rows: int, step: int) -> None:
        self.k, self.step = k, step
        self._largest = RowLargest(k, -(-rows // step))
        self.count = 0

    def begin(self, items: slice) -> None:
        """Begin a block of items."""
        self._largest.begin(items)
        self.count = items.stop

    def add(self, sims: Array, rows: slice) -> None:
        """Add a block."""
        first = -rows.start % self.step
        sample = to_numpy(sims)[:, first :: self.step]
        start = (rows.start + first) // self.step
        self._largest.add(sample, slice(start, start + sample.shape[1]))

    def end(self) -> None:
        """End a block of items."""

    def items(self) -> Array:
        """Return the positions of the items of the rows that were looked at."""
        return self._largest.items()


def needs_float64(largest_exponent: float) -> bool:
    """Return whether exponents of float32 similarities are computed in float64.

    A rounded exponential is off by eps32 itself, which small exponents would feel; and a float32
    holds no more than the largest.
    """
    return not 1.0 <= largest_exponent <= LARGEST_EXPONENT


def largest_of_columns(block: Array, k: int) -> tuple[Array, Array]:
    """Return the k largest values of each column and their rows, shape (columns, k).

    The largest come first; of equal values the lowest rows are taken, and come first.
    """
    across = np.ascontiguousarray(block.T)
    if k == 1:
        places = np.argmax(across, axis=1)[:, None]
    else:
        places = np.argsort(-across, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(across, places, axis=1), places


def values_of_columns(block: Array, chosen: Array) -> tuple[Array, Array, Array]:
    """Return the columns of a block that have a chosen value, those values, and their rows.

    Values and rows have one line a column, in the order of the rows; -inf fills the lines.
    """
    rows, of_values = np.divmod(np.flatnonzero(chosen), block.shape[1])
    order = np.argsort(of_values, kind="stable")
    columns, line, counts = np.unique(of_values[order], return_inverse=True, return_counts=True)
    place = np.arange(len(line)) - np.repeat(np.cumsum(counts) - counts, counts)
    shape = (len(columns), int(np.max(counts, initial=0)))
    values, found = np.full(shape, -np.inf), np.zeros(shape, dtype=np.int64)
    values[line, place] = block[rows[order], of_values[order]]
    found[line, place] = rows[order]
    return columns, values, found


def _columns(block: Array, columns: Array) -> Array:
    return block if len(columns) == block.shape[1] else block[:, columns]
