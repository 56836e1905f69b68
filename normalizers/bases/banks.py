"""The query bank of a fit: one pass over its similarities, into which any statistic is folded."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol, TypeAlias, cast

import numpy as np

from normalizers.bases.direction import as_similarities
from normalizers.data.arrays import Array, all_finite, namespace
from normalizers.data.batch import Batch
from normalizers.data.devices import CPU_DEVICE, Device, to_numpy
from normalizers.data.ragged import Ragged, offsets_of
from normalizers.errors import InvalidInput, InvalidParams, NonFiniteError
from normalizers.kernels.digests import digest_of_rows
from normalizers.kernels.row_norms import row_norms, unit_rows
from normalizers.kernels.segments import centred_moments

Similarity: TypeAlias = Literal["cosine", "dot", "euclidean"]
SUMMED_AT_ONCE = 128  # terms of a float32 product
HELD_VALUES = 2**23  # a bank of fewer numbers is prepared once, not for every block of items


class Fold(Protocol):
    """What is added up over blocks of similarities, shape (items, bank rows).

    All rows of a block of items come one after the other, then the next block of items. A block
    must not be changed: other folds read it too.
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
    def blocks(self, *folds: Fold) -> Iterator[tuple[slice, Iterator[tuple[Array, slice]]]]:
        """Yield every range of items with the blocks of their similarities to ranges of rows."""

    @abstractmethod
    def row_deviations(self) -> Array:
        """Return the population deviation of each row over the items, shape (b,).

        A row without spread beyond rounding has exactly 0.
        """

    def fold(self, *folds: Fold) -> None:
        """Pass once over all similarities, each block to every fold."""
        for items, blocks in self.blocks():
            for one in folds:
                one.begin(items)
            for sims, rows in blocks:
                for one in folds:
                    one.add(sims, rows)
            for one in folds:
                one.end()

    def digests(self, item_ids: Array | None) -> dict[str, str]:
        """Return the digests of gallery and bank, where there are vectors."""
        return {}

    def mean_row_std(self) -> float:
        """Return the mean of the row deviations; 0 without rows."""
        return float(np.mean(self.row_deviations())) if self.n else 0.0


@dataclass(frozen=True)
class SentBank(Bank):
    """Similarities as they were sent, shape (b, g)."""

    sims: Array
    block_rows: int = 1024
    block_items: int = 2048

    @property
    def n(self) -> int:
        """Number of bank queries."""
        return len(self.sims)

    @property
    def items(self) -> int:
        """Number of gallery items."""
        return int(self.sims.shape[1])

    def blocks(self, *folds: Fold) -> Iterator[tuple[slice, Iterator[tuple[Array, slice]]]]:
        """Yield the similarities with items first."""
        for items in _ranges(self.items, self.block_items):
            yield items, (
                (np.ascontiguousarray(self.sims[rows, items].T), rows)
                for rows in _ranges(self.n, self.block_rows)
            )

    def row_deviations(self) -> Array:
        """Return the deviation of each row."""
        b, g = self.sims.shape
        if not g:
            return np.zeros(b)
        return centred_moments(Ragged(self.sims.reshape(-1), offsets_of([g] * b))).std()


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

    from_embeddings = True

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

    def blocks(self, *folds: Fold) -> Iterator[tuple[slice, Iterator[tuple[Array, slice]]]]:
        """Yield the similarities, computed when they are asked for."""
        for items in _ranges(self.items, self.block_items):
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
        for rows in _ranges(self.n, self.block_rows):
            block = self._exact(self.queries[rows])
            xp = namespace(block)
            deviation = xp.sqrt(xp.sum((block @ covariance) * block, axis=1))
            # A product of d terms is rounded within d eps |query| |item|: less than that is no
            # spread, and `auto` must not divide by it.
            rounding = self._epsilon * block.shape[1] * row_norms(block) * longest
            parts.append(to_numpy(xp.where(deviation <= rounding, 0.0, deviation)))
        return np.concatenate(parts)

    def digests(self, item_ids: Array | None) -> dict[str, str]:
        """Return the digests of gallery and bank; an item without an id is named by its place."""
        names = item_ids if item_ids is not None else map(str, range(self.items))
        return {
            "gallery_digest": digest_of_rows(self.gallery, names),
            "bank_digest": digest_of_rows(self.queries),
        }

    def zero_vectors(self) -> dict[str, int]:
        """Return how many vectors of the bank and of the gallery are zero."""
        return {
            "bank": int(np.count_nonzero(~np.any(self.queries, axis=1))),
            "gallery": int(np.count_nonzero(~np.any(self.gallery, axis=1))),
        }

    @property
    def _epsilon(self) -> float:
        return float(np.finfo(self.dtype).eps)

    @cached_property
    def _held(self) -> Array | None:
        """The bank as the products take it, where it is small."""
        return self._prepared(self.queries) if self.queries.size <= HELD_VALUES else None

    def _similarities(self, items: Array) -> Iterator[tuple[Array, slice]]:
        for rows in _ranges(self.n, self.block_rows):
            held = self._held
            queries = self._prepared(self.queries[rows]) if held is None else held[rows]
            sims = _product(items, queries)
            yield (_distances(sims, items, queries) if self._distant else sims), rows

    @property
    def _distant(self) -> bool:
        return self.similarity == "euclidean"

    def _prepared(self, vectors: Array) -> Array:
        """Return vectors on the device in the type of the blocks, of unit length for cosines."""
        sent = self.device.put(vectors)
        xp = namespace(sent)
        if self.similarity == "cosine":
            # A norm in float32 would be off by as much as the whole product may be.
            sent = unit_rows(xp.astype(sent, xp.float64, copy=False))
        return cast(Array, xp.astype(sent, getattr(xp, self.dtype.name), copy=False))

    def _exact(self, vectors: Array) -> Array:
        prepared = self._prepared(vectors)
        return namespace(prepared).astype(prepared, namespace(prepared).float64, copy=False)

    def _longest(self, vectors: Array) -> float:
        parts = (vectors[rows] for rows in _ranges(len(vectors), self.block_items))
        return max((float(np.max(row_norms(part))) for part in parts), default=0.0)

    def _covariance(self) -> tuple[Array, float]:
        """Return the covariance of the items about their mean, and the length of the longest."""
        blocks = [*_ranges(self.items, self.block_items)]
        total, longest = None, 0.0
        for items in blocks:
            block = self._exact(self.gallery[items])
            xp = namespace(block)
            part = xp.sum(block, axis=0)
            total = part if total is None else total + part
            longest = max(longest, float(xp.max(row_norms(block))))
        mean = total / self.items
        scatter = None
        for items in blocks:
            centred = self._exact(self.gallery[items]) - mean
            part = centred.T @ centred
            scatter = part if scatter is None else scatter + part
        return scatter / self.items, longest

    def _distance_deviations(self) -> Array:
        moments = RowMoments(self.n)
        self.fold(moments)
        rounding = self._epsilon * self.queries.shape[1] * self.bound
        return np.where(moments.deviations() <= rounding, 0.0, moments.deviations())


class RowMoments:
    """Mean and squared deviations of each bank row over the items."""

    def __init__(self, rows: int) -> None:
        self.n = np.zeros(rows)
        self.mean, self.m2 = np.zeros(rows), np.zeros(rows)

    def begin(self, items: slice) -> None:
        """Begin a block of items."""

    def add(self, sims: Array, rows: slice) -> None:
        """Add a block."""
        block = to_numpy(sims)
        added, n = len(block), self.n[rows]
        part = np.mean(block, axis=0, dtype=np.float64)
        squares = np.sum(np.square(block - part), axis=0)
        shift, share = part - self.mean[rows], added / (n + added)
        # Chan: n_a n_b / n (mean_b - mean_a)^2, divided first.
        self.m2[rows] += squares + np.square(shift) * (n * share)
        self.mean[rows] += shift * share
        self.n[rows] += added

    def end(self) -> None:
        """End a block of items."""

    def deviations(self) -> Array:
        """Return the population deviation of each row, shape (b,)."""
        return np.sqrt(self.m2 / np.maximum(self.n, 1))


def read_bank(batch: Batch, *, score_type: str, similarity: Similarity, omit: bool) -> Bank:
    """Return the bank of a fit, its rows with a missing value left out if `omit`.

    Raises
    ------
    InvalidParams
        Embeddings with ``score_type: distance`` and another similarity than ``euclidean``.
    NonFiniteError
        A gallery vector misses a value: an item cannot be left out.
    """
    if "bank_sims" in batch:
        sims = as_similarities(batch.array("bank_sims"), score_type, "fit.bank_sims")
        return SentBank(observed_rows(sims) if omit else sims)
    require_direction(score_type, similarity)
    queries, items = batch.array("bank_embeddings"), batch.array("gallery_embeddings")
    require_vectors(items, "fit.gallery_embeddings")
    seen = observed_rows(queries) if omit else queries
    return EmbeddedBank(seen, items, similarity, device=batch.device)


def require_direction(score_type: str, similarity: str) -> None:
    """Refuse similarities of embeddings beside distances, and distances beside similarities."""
    if (score_type == "distance") == (similarity == "euclidean"):
        return
    if score_type == "distance":
        raise InvalidParams(
            f"'{similarity}' of embeddings is a similarity; with score_type 'distance' they are "
            "compared by similarity 'euclidean'",
            path="params.similarity",
        )
    raise InvalidParams(
        "'euclidean' is a distance; name score_type 'distance' beside it", path="params.score_type"
    )


def require_vectors(vectors: Array, path: str) -> None:
    """Refuse a vector that misses a value, where none can be left out."""
    if all_finite(vectors):
        return
    missing = np.isnan(vectors).any(axis=1)
    if missing.any():
        place = f"{path}[{int(np.argmax(missing))}]"
        raise NonFiniteError(f"the gallery vector at {place} misses a value", path=place)


def observed_rows(x: Array) -> Array:
    """Return the rows without a missing value."""
    if all_finite(x):
        return x
    missing = np.isnan(x).any(axis=1)
    return x[~missing] if missing.any() else x


def _ranges(length: int, size: int) -> Iterator[slice]:
    for start in range(0, length, size):
        yield slice(start, min(start + size, length))


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
    return -xp.sqrt(xp.where(squared > 0, squared, 0.0))
