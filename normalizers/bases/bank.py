"""The query bank of a fit: similarities that were sent, or embeddings compared block by block."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from normalizers.bases.direction import as_similarities
from normalizers.data.arrays import Array, namespace
from normalizers.data.batch import Batch
from normalizers.data.devices import CPU_DEVICE, Device, to_numpy
from normalizers.data.ragged import Ragged, offsets_of
from normalizers.errors import InvalidInput, InvalidParams, NonFiniteError
from normalizers.kernels.logspace import log_add, log_sum_exp
from normalizers.kernels.row_norms import row_norms, unit_rows
from normalizers.kernels.segments import centred_moments
from normalizers.statistics import LogSumExp
from normalizers.statistics.base.magnitude import MACHINE_EPSILON

Similarity: TypeAlias = Literal["cosine", "dot"]


class Bank(ABC):
    """Similarities of bank queries (rows) to gallery items (columns)."""

    @property
    @abstractmethod
    def n(self) -> int:
        """Number of bank queries."""

    @abstractmethod
    def log_sum_exp(self, beta: float, item_ids: Array | None) -> LogSumExp:
        """Return the log-sum-exp over the bank of beta times the similarities, by item."""

    @abstractmethod
    def row_deviations(self) -> Array:
        """Return the population deviation of each row over the items, shape (b,).

        A row without spread beyond rounding has exactly 0.
        """

    def mean_row_std(self) -> float:
        """Return the mean of the row deviations; 0 without rows."""
        return float(np.mean(self.row_deviations())) if self.n else 0.0


@dataclass(frozen=True)
class SentBank(Bank):
    """Similarities as they were sent, shape (b, g)."""

    sims: Array

    @property
    def n(self) -> int:
        """Number of bank queries."""
        return len(self.sims)

    def log_sum_exp(self, beta: float, item_ids: Array | None) -> LogSumExp:
        """Return the sums of the rows."""
        return LogSumExp(beta).update(self.sims, item_ids)

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
    items : array of shape (g, d)
        The gallery.
    similarity : {"cosine", "dot"}
        A zero vector has cosine 0 to everything.
    block_rows, block_items : int
        Size of a block of similarities, which are float64.
    device : Device
        Where blocks are computed.
    """

    queries: Array
    items: Array
    similarity: Similarity = "cosine"
    block_rows: int = 1024
    block_items: int = 4096
    device: Device = CPU_DEVICE

    @property
    def n(self) -> int:
        """Number of bank queries."""
        return len(self.queries)

    def log_sum_exp(self, beta: float, item_ids: Array | None) -> LogSumExp:
        """Return the sums of the rows, marked as computed from embeddings."""
        if not self.n:
            return LogSumExp(beta, from_embeddings=True)
        parts = [self._sums(items, beta) for items in self._blocks(self.items, self.block_items)]
        item_lse = np.concatenate([np.zeros(0), *parts])
        return LogSumExp(beta, True, self.n, item_ids, item_lse)

    def row_deviations(self) -> Array:
        """Return the deviation of each row, from a first pass over the blocks."""
        parts = [self._deviations(rows) for rows in self._blocks(self.queries, self.block_rows)]
        return np.concatenate([np.zeros(0), *parts])

    def zero_vectors(self) -> dict[str, int]:
        """Return how many vectors of the bank and of the gallery are zero."""
        return {
            "bank": int(np.count_nonzero(~np.any(self.queries, axis=1))),
            "gallery": int(np.count_nonzero(~np.any(self.items, axis=1))),
        }

    def _blocks(self, vectors: Array, size: int) -> Iterator[Array]:
        for start in range(0, len(vectors), size):
            sent = self.device.put(vectors[start : start + size])
            block = namespace(sent).astype(sent, namespace(sent).float64, copy=False)
            yield unit_rows(block) if self.similarity == "cosine" else block

    def _sums(self, items: Array, beta: float) -> Array:
        xp = namespace(items)
        total = xp.full(items.shape[0], -xp.inf, dtype=items.dtype, device=items.device)
        for rows in self._blocks(self.queries, self.block_rows):
            exponents = _product(rows, items) * beta
            if not bool(xp.all(xp.isfinite(exponents))):
                raise NonFiniteError("a similarity, or beta times it, is too large", path="fit")
            # Blocks add up in logarithms: no sum of exponentials is ever formed, whatever beta is.
            total = log_add(total, log_sum_exp(exponents, axis=0))
        return to_numpy(total)

    def _deviations(self, rows: Array) -> Array:
        """Merge mean and squared deviations over blocks of items."""
        xp = namespace(rows)
        n, longest = 0, 0.0
        mean = m2 = xp.zeros(rows.shape[0], dtype=rows.dtype, device=rows.device)
        for items in self._blocks(self.items, self.block_items):
            sims = _product(rows, items)
            added, part = items.shape[0], xp.mean(sims, axis=1)
            m2 = m2 + xp.sum(xp.square(sims - part[:, None]), axis=1)
            # Chan: n_a n_b / n (mean_b - mean_a)^2, divided first.
            m2 = m2 + xp.square(part - mean) * (n * (added / (n + added)))
            mean = mean + (part - mean) * (added / (n + added))
            n, longest = n + added, max(longest, float(xp.max(row_norms(items))))
        # A dot product of d terms is rounded within d eps |query| |item|: less than that is no
        # spread, and `auto` must not divide by it.
        deviation = xp.sqrt(m2 / max(n, 1))
        rounding = MACHINE_EPSILON * rows.shape[1] * row_norms(rows) * longest
        return to_numpy(xp.where(deviation <= rounding, 0.0, deviation))


def read_bank(batch: Batch, *, score_type: str, similarity: Similarity, omit: bool) -> Bank:
    """Return the bank of a fit, its rows with a missing value left out if `omit`.

    Raises
    ------
    InvalidParams
        Embeddings with ``score_type: distance``.
    NonFiniteError
        A gallery vector misses a value: an item cannot be left out.
    """
    if "bank_sims" in batch:
        sims = as_similarities(batch.array("bank_sims"), score_type, "fit.bank_sims")
        return SentBank(_observed_rows(sims) if omit else sims)
    if score_type == "distance":
        raise InvalidParams(
            "embeddings are compared by similarity; post 'bank_sims' to fit on distances",
            path="params.score_type",
        )
    queries, items = batch.array("bank_embeddings"), batch.array("gallery_embeddings")
    missing = np.isnan(items).any(axis=1)
    if missing.any():
        path = f"fit.gallery_embeddings[{int(np.argmax(missing))}]"
        raise NonFiniteError(f"the gallery vector at {path} misses a value", path=path)
    seen = _observed_rows(queries) if omit else queries
    return EmbeddedBank(seen, items, similarity, device=batch.device)


def _observed_rows(x: Array) -> Array:
    missing = np.isnan(x).any(axis=1)
    return x[~missing] if missing.any() else x


def _product(rows: Array, items: Array) -> Array:
    with np.errstate(over="ignore", invalid="ignore"):
        sims = rows @ items.T
    xp = namespace(sims)
    if not bool(xp.all(xp.isfinite(sims))):
        raise InvalidInput("a dot product of the embeddings is too large", path="fit")
    return sims
