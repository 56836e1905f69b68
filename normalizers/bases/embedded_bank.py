"""A bank of embeddings: similarities are computed block by block, never all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, cast

import numpy as np

from normalizers.bases.banks import Bank, Fold, ranges
from normalizers.bases.block_products import BlockProducts
from normalizers.bases.prepared_vectors import longest_norm, norms, unit_vectors
from normalizers.bases.row_folds import RowMoments, SampleLargest
from normalizers.data.arrays import Array, namespace
from normalizers.data.devices import CPU_DEVICE, Device, to_numpy
from normalizers.kernels.digests import digest_of_rows
from normalizers.kernels.row_norms import row_norms

Similarity: TypeAlias = Literal["cosine", "dot", "euclidean"]
BLOCK_ROWS = 512
MOST_ROWS = 2**14
BLOCK_ITEMS = 512  # a block of float32 then stays in the cache of a core while it is reduced
DEVICE_ITEMS = 8192  # a device needs large blocks to be busy
HELD_BYTES = 2**26  # a bank of less memory is prepared once, not for every block of items
# A larger bank is prepared that many times less often, in blocks of as many similarities.
WIDER = 4
# What the covariance costs, d^2 operations an item and in float64 a row, in moments of single
# similarities: so many of these for d^2 of those, and for the product of a similarity. Measured.
OF_ITEM, OF_ROW, OF_PRODUCT = 1 / 40, 1 / 14, 10
NEAREST = 10  # nearest items of a bank row that a report counts
SAMPLE_PAIRS, SAMPLE_SHARE = 2**21, 64  # of so many pairs, or so small a share of a large bank
SMALLEST = 1e-15  # length of a vector whose products float32 holds with all digits


@dataclass(frozen=True)
class EmbeddedBank(Bank):
    """Embeddings of bank and gallery; no matrix of all their similarities is ever made.

    Parameters
    ----------
    queries : array of shape (b, d)
        The bank.
    gallery : array of shape (g, d)
        The gallery.
    similarity : {"cosine", "dot", "euclidean"}
        A zero vector has cosine 0 to everything; ``euclidean`` is the negated distance.
    block_rows, block_items : int
        Size of a block of similarities.
    device : Device
        Where blocks are computed.
    log_weights : array of shape (b,), optional
        Logarithms of the weights of the bank's rows.

    Notes
    -----
    Blocks are in the embeddings' own type, so that float32 costs what its product costs: such a
    similarity is off by about eps32 |x| |y|. Squared distances cancel where vectors are close,
    so that they are float64 whatever comes.
    """

    queries: Array
    gallery: Array
    similarity: Similarity = "cosine"
    block_rows: int = BLOCK_ROWS
    block_items: int = BLOCK_ITEMS
    device: Device = CPU_DEVICE
    log_weights: Array | None = None

    from_embeddings = True

    @property
    def similarity_name(self) -> str:
        """How vectors are compared."""
        return self.similarity

    @property
    def n(self) -> int:
        """Number of bank queries."""
        return len(self.queries)

    @property
    def items(self) -> int:
        """Number of gallery items."""
        return len(self.gallery)

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The type that similarities are computed in."""
        if self.similarity == "euclidean":
            return np.dtype(np.float64)
        return np.result_type(self.queries.dtype, self.gallery.dtype)

    @cached_property
    def bound(self) -> float:
        """A number that no similarity exceeds."""
        if self.similarity == "cosine":
            return 1.0
        longest = [longest_norm(vectors) for vectors in (self.queries, self.gallery)]
        return longest[0] * longest[1] if self.similarity == "dot" else sum(longest)

    def blocks(self) -> Iterator[tuple[slice, Iterator[tuple[Array, slice]]]]:
        """Yield the similarities, computed when they are asked for."""
        products = self._products()
        wider = 1 if self._held is not None else WIDER
        # A block of few items takes as many more rows.
        size = self.block_rows * self.block_items // max(1, min(self.items, self.block_items))
        size = max(1, min(size, MOST_ROWS) // wider)
        for items in ranges(self.items, self.block_items * wider):
            yield items, self._similarities(self._prepared(self.gallery[items]), products, size)

    def exponents_of(self, rows: slice, beta: float) -> Iterator[tuple[slice, Array, Array]]:
        """Yield for every range of items beta times their similarities to some rows, as factors.

        These are products of shape (items, rows), and what each item's are to be multiplied by.
        Items are taken as they are: to bring them to length 1 for few rows would cost more.
        """
        products, queries = self._products(), self._turned(rows)
        factors = np.full(self.items, beta)
        if self.similarity == "cosine":
            lengths = self._item_lengths
            factors = np.divide(beta, lengths, out=np.zeros(self.items), where=lengths > 0)
        of_items = factors.astype(self.dtype)[:, None]
        for items in ranges(self.items, self.block_items):
            yield items, products.of(self.gallery[items], queries), of_items[items]

    @property
    def has_ordinary_items(self) -> bool:
        """Whether products with the items as they are neither overflow nor vanish."""
        lengths = self._item_lengths[self._item_lengths > 0]
        return bool((lengths > SMALLEST).all() and (lengths < 1 / SMALLEST).all())

    def beside(self) -> tuple[Fold, ...]:
        """Return what finds the nearest items of some rows, and the deviations of all.

        Deviations are left out where they are known or cheaper otherwise.
        """
        known = self.device.tensors or self._moments.count == self.items
        deviations = () if known or self._covariance_cost() < 1 else (self._moments,)
        return (*self.nearest(), *deviations)

    def nearest(self) -> tuple[Fold, ...]:
        """Return what finds the nearest items of some rows, unless they are known."""
        few = self.items < 2 * NEAREST  # most of so small a gallery is near to everything
        known = self.device.tensors or few or self.sample.count == self.items
        return () if known else (self.sample,)

    @cached_property
    def sample(self) -> SampleLargest:
        """The nearest items of rows evenly apart, once a pass has taken it along."""
        return SampleLargest(NEAREST, self.n, sample_step(self.n, self.items))

    def row_deviations(self) -> Array:
        """Return the deviation of each row: as a pass found it, or from the scatter of the items.

        The mean of a query's products with the items is that with their mean, and the variance is
        x^T C x with their covariance C: d^2 operations a vector, not one product a pair.
        """
        if not self.items or not self.n:
            return np.zeros(self.n)
        dear = self._covariance_cost() > OF_PRODUCT and not self.device.tensors
        if (dear or self._distant) and self._moments.count < self.items:
            self.fold(self._moments)
        if self._moments.count == self.items:
            found = self._moments.deviations()
            # A product of d terms is rounded within d eps |query| |item|: less than that is no
            # spread, and `auto` must not divide by it.
            lengths = self.bound if self.similarity != "dot" else self._lengths_of_products()
            return np.where(found <= self._epsilon * self.queries.shape[1] * lengths, 0.0, found)
        covariance, longest = self._covariance()
        parts = [np.zeros(0)]
        for rows in ranges(self.n, self.block_rows):
            block = self._prepared(self.queries[rows])
            xp = namespace(block)
            wide = xp.astype(block, xp.float64, copy=False)
            deviation = xp.sqrt(xp.abs(xp.sum((wide @ covariance) * wide, axis=1)))
            rounding = self._epsilon * block.shape[1] * row_norms(block) * longest
            parts.append(to_numpy(xp.where(deviation <= rounding, 0.0, deviation)))
        return np.concatenate(parts)

    def digests(self, item_ids: Array | None) -> tuple[str | None, str | None]:
        """Return the digests of gallery and bank; an item without an id is named by its place."""
        gallery = digest_of_rows(self.gallery, item_ids, in_order=item_ids is None)
        return gallery, digest_of_rows(self.queries)

    def zero_vectors(self) -> dict[str, int]:
        """Return how many vectors of the bank and of the gallery are zero."""
        return {
            "bank": int(np.count_nonzero(~np.any(self.queries, axis=1))),
            "gallery": int(np.count_nonzero(~np.any(self.gallery, axis=1))),
        }

    @property
    def _epsilon(self) -> float:
        return float(np.finfo(self.dtype.name).eps)

    @cached_property
    def _moments(self) -> RowMoments:
        return RowMoments(self.n)

    @cached_property
    def _held(self) -> Array | None:
        """The bank as the products take it, where it is small."""
        size = self.queries.size * self.dtype.itemsize
        return self._turned(slice(None)) if size <= HELD_BYTES else None

    def _similarities(
        self, items: Array, products: BlockProducts, size: int
    ) -> Iterator[tuple[Array, slice]]:
        for rows in ranges(self.n, size):
            held = self._held
            queries = self._turned(rows) if held is None else held[:, rows]
            sims = products.of(items, queries)
            yield (_distances(sims, items, queries) if self._distant else sims), rows

    def _turned(self, rows: slice) -> Array:
        """Return bank rows as the products take them, shape (d, rows)."""
        turned = self._prepared(self.queries[rows]).T
        if self.items < BLOCK_ITEMS // 8:
            return turned  # to turn it costs more than it saves
        return np.ascontiguousarray(turned) if namespace(turned) is np else turned

    @property
    def _distant(self) -> bool:
        return self.similarity == "euclidean"

    def _prepared(self, vectors: Array) -> Array:
        """Return vectors on the device in the type of the blocks, of unit length for cosines."""
        sent = self.device.put(vectors)
        if self.similarity == "cosine":
            return unit_vectors(sent, self.dtype.name)
        xp = namespace(sent)
        return cast(Array, xp.astype(sent, getattr(xp, self.dtype.name), copy=False))

    def _products(self) -> BlockProducts:
        largest = self.bound * self.bound if self._distant else self.bound
        return BlockProducts(may_overflow=not largest < float(np.finfo(self.dtype.name).max) / 2)

    @cached_property
    def _item_lengths(self) -> Array:
        return norms(self.gallery)

    def _lengths_of_products(self) -> Array:
        """Return the largest length that the products of each row may have, shape (b,)."""
        return np.asarray(norms(self.queries) * longest_norm(self.gallery))

    def _covariance_cost(self) -> float:
        """Return what the covariance costs in shares of the moments beside a pass."""
        squares = self.queries.shape[1] ** 2
        return float(squares * (OF_ITEM / max(1, self.n) + OF_ROW / max(1, self.items)))

    def _covariance(self) -> tuple[Array, float]:
        """Return the covariance of the items, and the length of the longest.

        Items are taken about the mean of the first block, so that little cancels:
        C = mean (x - c)(x - c)^T - (mean - c)(mean - c)^T.
        """
        centre, longest = None, 1.0 if self.similarity == "cosine" else 0.0
        mean, products = cast(Array, 0.0), cast(Array, 0.0)
        for items in ranges(self.items, self.block_items):
            block = self._prepared(self.gallery[items])
            xp = namespace(block)
            if self.similarity == "dot":
                longest = max(longest, float(xp.max(row_norms(block))))
            centre = xp.mean(block, axis=0) if centre is None else centre
            shifted = block - centre
            mean = mean + xp.sum(shifted, axis=0, dtype=xp.float64) / self.items
            part = xp.astype(shifted.T @ shifted, xp.float64, copy=False)
            products = products + part / self.items
        return products - mean[:, None] * mean[None, :], longest


def sample_step(rows: int, items: int) -> int:
    """Return of how many bank rows a report looks at one: of few pairs at every row."""
    seen = max(SAMPLE_PAIRS, rows * items // SAMPLE_SHARE) // max(1, items)
    return -(-rows // max(1, seen)) or 1


def _distances(products: Array, items: Array, rows: Array) -> Array:
    """Return the negated distances: |x - y|^2 = |x|^2 + |y|^2 - 2 x.y; rows are of (d, rows)."""
    xp = namespace(products)
    squares = xp.sum(items * items, axis=1)[:, None] + xp.sum(rows * rows, axis=0)[None, :]
    squared = squares - 2.0 * products
    # Rounding may leave a little less than nothing of equal vectors.
    return cast(Array, -xp.sqrt(xp.where(squared > 0, squared, 0.0)))
