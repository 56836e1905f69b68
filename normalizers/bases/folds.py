"""What is folded over the blocks of a bank: numbers of each item."""

from __future__ import annotations

from functools import reduce

import numpy as np

from normalizers.bases.row_folds import needs_float64
from normalizers.data.arrays import Array, all_finite, namespace
from normalizers.data.devices import to_numpy
from normalizers.errors import NonFiniteError
from normalizers.kernels.largest import Largest
from normalizers.statistics import ItemQuantiles

SMALL_EXPONENT = 60.0


class ItemLargest:
    """The k largest similarities of each item."""

    def __init__(self, k: int) -> None:
        self.k = k
        self._parts: list[Array] = []

    def begin(self, items: slice) -> None:
        """Begin a block of items."""
        self._kept = Largest(items.stop - items.start, self.k)

    def add(self, sims: Array, rows: slice) -> None:
        """Add a block."""
        self._kept.add(to_numpy(sims))

    def end(self) -> None:
        """Keep what the block of items has."""
        self._parts.append(self._kept.descending())

    def values(self) -> Array:
        """Return what is kept, shape (g, min(k, b)), the largest first."""
        return np.concatenate(self._parts) if self._parts else np.zeros((0, 0))


class ItemSums:
    """The log-sum-exp over the bank of beta s, less a number of each bank row, for each item.

    Notes
    -----
    In the type of the blocks with sums in float64: with float32 a log-sum-exp is off by at most
    4 beta eps32 |x| |y|, of which the product and its multiplication by beta are the most. A
    rounded exponential is off by eps32 itself, so that small beta is computed in float64. It
    writes over the blocks, in memory that is still in the cache: of several folds it comes last.
    """

    def __init__(self, beta: float, bound: float, row_sums: Array | None = None) -> None:
        self.beta, self.row_sums = beta, row_sums
        self._wide = needs_float64(beta * bound)
        # float32 holds e^x of all these x: no largest needs to be taken out first.
        self._small = row_sums is None and beta * bound <= SMALL_EXPONENT
        self._parts: list[Array] = []

    def begin(self, items: slice) -> None:
        """Begin a block of items."""
        self._sums: Array | None = None

    def add(self, sims: Array, rows: slice) -> None:
        """Add a block."""
        xp = namespace(sims)
        exponents = self._exponents(sims, rows)
        largest = None
        if not self._small:
            largest = xp.max(exponents, axis=1)
            if not all_finite(largest):
                raise NonFiniteError("a similarity, or beta times it, is too large", path="fit")
            exponents -= largest[:, None]
        with np.errstate(under="ignore"):
            if xp is np:
                np.exp(exponents, out=exponents)
            else:
                exponents = xp.exp(exponents)
        logarithms = xp.log(xp.sum(exponents, axis=1, dtype=xp.float64))
        if largest is not None:
            logarithms = logarithms + xp.astype(largest, xp.float64)
        # Blocks add up in logarithms: no sum of exponentials is ever formed, whatever beta is.
        before = self._sums
        self._sums = logarithms if before is None else xp.logaddexp(before, logarithms)

    def end(self) -> None:
        """Keep what the block of items has."""
        if self._sums is not None:
            self._parts.append(to_numpy(self._sums))

    def values(self) -> Array:
        """Return the log-sum-exp of each item, shape (g,)."""
        return np.concatenate(self._parts) if self._parts else np.zeros(0)

    def _exponents(self, sims: Array, rows: slice) -> Array:
        xp = namespace(sims)
        wide = xp.astype(sims, xp.float64, copy=False) if self._wide else sims
        with np.errstate(over="ignore"):
            exponents = np.multiply(wide, self.beta, out=wide) if xp is np else wide * self.beta
        if self.row_sums is not None:
            shift = self.row_sums[rows].astype(str(exponents.dtype).rpartition(".")[2])
            exponents -= xp.asarray(shift, device=exponents.device)
        return exponents


class ItemDeviations:
    """Mean and squared deviations of each item over the bank rows."""

    def __init__(self) -> None:
        self._means: list[Array] = []
        self._squares: list[Array] = []

    def begin(self, items: slice) -> None:
        """Begin a block of items."""
        count = items.stop - items.start
        self._n, self._mean, self._m2 = 0, np.zeros(count), np.zeros(count)

    def add(self, sims: Array, rows: slice) -> None:
        """Add a block."""
        block = to_numpy(sims)
        added = block.shape[1]
        part = np.mean(block, axis=1, dtype=np.float64)
        squares = np.sum(np.square(block - np.reshape(part, (-1, 1))), axis=1)
        shift, share = part - self._mean, added / (self._n + added)
        # Chan: n_a n_b / n (mean_b - mean_a)^2, divided first.
        # The first block has nothing to shift from, and its square may be infinite.
        self._m2 += squares + (np.square(shift) * (self._n * share) if self._n else 0.0)
        self._mean += shift * share
        self._n += added

    def end(self) -> None:
        """Keep what the block of items has."""
        self._means.append(self._mean)
        self._squares.append(self._m2)

    def means(self) -> Array:
        """Return the mean of each item, shape (g,)."""
        return np.concatenate([np.zeros(0), *self._means])

    def squares(self) -> Array:
        """Return the sum of squared deviations of each item, shape (g,)."""
        return np.concatenate([np.zeros(0), *self._squares])


class ItemDistributions:
    """The distribution of each item's similarities."""

    def __init__(self, empty: ItemQuantiles) -> None:
        self._empty, self._parts = empty.with_values(from_embeddings=False), [empty]

    def begin(self, items: slice) -> None:
        """Begin a block of items."""
        self._block = self._empty

    def add(self, sims: Array, rows: slice) -> None:
        """Add a block."""
        self._block = self._block.update(to_numpy(sims).T)

    def end(self) -> None:
        """Keep what the block of items has."""
        self._parts.append(self._block)

    def joined(self) -> ItemQuantiles:
        """Return the distributions of all items."""
        _, *blocks = self._parts
        return reduce(lambda mine, theirs: mine.beside(theirs), blocks) if blocks else self._empty
