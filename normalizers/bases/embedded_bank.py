"""A bank of embeddings: similarities are computed block by block, never all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, cast

import numpy as np

from normalizers.bases.banks import Bank, ranges
from normalizers.bases.folds import RowMoments
from normalizers.data.arrays import Array, all_finite, namespace
from normalizers.data.devices import CPU_DEVICE, Device, to_numpy
from normalizers.errors import InvalidInput
from normalizers.kernels.digests import digest_of_rows
from normalizers.kernels.row_norms import row_norms, unit_rows

Similarity: TypeAlias = Literal["cosine", "dot", "euclidean"]
SUMMED_AT_ONCE = 128  # terms of a float32 product
SMALLEST_NORM = 1e-30  # below it, or above its inverse, float32 has no norm of full precision
HELD_VALUES = 2**23  # a bank of fewer numbers is prepared once, not for every block of items


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
    block_rows: int = 1024
    block_items: int = 2048
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
        longest = [self._longest(vectors) for vectors in (self.queries, self.gallery)]
        return longest[0] * longest[1] if self.similarity == "dot" else sum(longest)

    def blocks(self) -> Iterator[tuple[slice, Iterator[tuple[Array, slice]]]]:
        """Yield the similarities, computed when they are asked for."""
        for items in ranges(self.items, self.block_items):
            yield items, self._similarities(self._prepared(self.gallery[items]))

    def row_deviations(self) -> Array:
        """Return the deviation of each row: from the scatter of the items, or from all distances.

        The mean of a query's products with the items is that with their mean, and the variance is
        x^T C x with their covariance C: d^2 operations a vector, not one product a pair.
        """
        if not self.items:
            return np.zeros(self.n)
        if self.similarity == "euclidean":
            return self._distance_deviations()
        covariance, longest = self._covariance()
        parts = [np.zeros(0)]
        for rows in ranges(self.n, self.block_rows):
            block = self._prepared(self.queries[rows])
            xp = namespace(block)
            wide = xp.astype(block, xp.float64, copy=False)
            deviation = xp.sqrt(xp.abs(xp.sum((wide @ covariance) * wide, axis=1)))
            # A product of d terms is rounded within d eps |query| |item|: less than that is no
            # spread, and `auto` must not divide by it.
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
    def _held(self) -> Array | None:
        """The bank as the products take it, where it is small."""
        return self._prepared(self.queries) if self.queries.size <= HELD_VALUES else None

    def _similarities(self, items: Array) -> Iterator[tuple[Array, slice]]:
        for rows in ranges(self.n, self.block_rows):
            held = self._held
            queries = self._prepared(self.queries[rows]) if held is None else held[rows, :]
            sims = _product(items, queries)
            yield (_distances(sims, items, queries) if self._distant else sims), rows

    @property
    def _distant(self) -> bool:
        return self.similarity == "euclidean"

    def _prepared(self, vectors: Array) -> Array:
        """Return vectors on the device in the type of the blocks, of unit length for cosines."""
        sent = self.device.put(vectors)
        xp = namespace(sent)
        if self.similarity != "cosine":
            return cast(Array, xp.astype(sent, getattr(xp, self.dtype.name), copy=False))
        return unit_float32(sent) if xp is np and self.dtype == np.float32 else self._unit(sent)

    def _unit(self, sent: Array) -> Array:
        xp = namespace(sent)
        # A norm in float32 would be off by as much as the whole product may be.
        unit = unit_rows(xp.astype(sent, xp.float64, copy=False))
        return cast(Array, xp.astype(unit, getattr(xp, self.dtype.name), copy=False))

    def _longest(self, vectors: Array) -> float:
        parts = (vectors[rows] for rows in ranges(len(vectors), self.block_items))
        return max((float(np.max(row_norms(part))) for part in parts), default=0.0)

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

    def _distance_deviations(self) -> Array:
        moments = RowMoments(self.n)
        self.fold(moments)
        rounding = self._epsilon * self.queries.shape[1] * self.bound
        return np.where(moments.deviations() <= rounding, 0.0, moments.deviations())


def unit_float32(rows: Array) -> Array:
    """Return float32 rows of unit length: their squares neither overflow nor vanish in float64."""
    norms = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64, casting="same_kind"))
    ordinary = (norms > SMALLEST_NORM) & (norms < 1 / SMALLEST_NORM)
    if not ordinary.all():
        return np.asarray(unit_rows(rows.astype(np.float64)), dtype=np.float32)
    # Divided by a float64: each entry is rounded once, and the norm of the row hardly at all.
    return np.asarray((rows / norms[:, None]).astype(np.float32))


def _product(items: Array, rows: Array) -> Array:
    """Return the products of items and rows, shape (items, rows).

    A float32 product that is summed in one go is off by up to 9 eps32 |x| |y| at 384 terms, most
    where vectors are equal; in pieces of 128 terms by 3, for a fifth more time.
    """
    dims = items.shape[1]
    size = SUMMED_AT_ONCE if items.dtype == namespace(items).float32 else max(1, dims)
    with np.errstate(over="ignore", invalid="ignore"):
        sims = items[:, :size] @ rows[:, :size].T
        for start in range(size, dims, size):
            sims += items[:, start : start + size] @ rows[:, start : start + size].T
    if not all_finite(sims):
        raise InvalidInput("a dot product of the embeddings is too large", path="fit")
    return sims


def _distances(products: Array, items: Array, rows: Array) -> Array:
    """Return the negated distances: |x - y|^2 = |x|^2 + |y|^2 - 2 x.y."""
    xp = namespace(products)
    squares = [xp.sum(vectors * vectors, axis=1) for vectors in (items, rows)]
    squared = squares[0][:, None] + squares[1][None, :] - 2.0 * products
    # Rounding may leave a little less than nothing of equal vectors.
    return cast(Array, -xp.sqrt(xp.where(squared > 0, squared, 0.0)))
