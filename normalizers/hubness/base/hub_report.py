"""What a fit report tells of hubs: how often items are near, and which have the largest bias."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from normalizers.bases.banks import Bank, SentBank, ranges
from normalizers.bases.embedded_bank import EmbeddedBank
from normalizers.data.arrays import Array
from normalizers.data.devices import to_numpy
from normalizers.measures.hubness import robust_z
from normalizers.measures.random_retrieval import RandomRetrieval

K = 10  # nearest items of a bank row that are counted
HUBS = 10  # items that are named
SUSPECT = 3.5  # robust z from which on a new item stands out: the usual one of outliers
QUANTILES = (0.0, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1.0)
# A report may look at so many pairs again, of a large fit at so small a share of them.
PAIRS, SHARE = 2**21, 64
ITEMS = 4096  # of a block
PLAIN = 1e-20  # squared lengths between it and its inverse neither vanish nor overflow
PIECE, PIECES = 64, 32  # how long scores are before pieces of them are looked at
BLOCK_SCORES = 2**22  # similarities that are held at once


def nearest_counts(bank: Bank) -> tuple[Array, int] | None:
    """Return how often each item is among the nearest of bank rows, and of how many rows.

    Of a large bank rows evenly apart; None where a gallery is so small that most of it is near.
    """
    if bank.items < 2 * K or not bank.n:
        return None
    if isinstance(bank, EmbeddedBank) and bank.sample.count == bank.items:
        nearest = bank.sample.items()
        return np.bincount(nearest.reshape(-1), minlength=bank.items), len(nearest)
    rows = max(1, max(PAIRS, bank.n * bank.items // SHARE) // bank.items)
    looked_at = _every(bank, -(-bank.n // rows))
    counts = np.zeros(bank.items, dtype=np.int64)
    quick = _quick_cosines(looked_at)
    for sims in row_blocks(looked_at) if quick is None else (quick,):
        for row in sims:
            counts[best(row, K)] += 1
    return counts, looked_at.n


def _quick_cosines(bank: Bank) -> Array | None:
    """Return cosines of a few float32 rows, None where they are not plain.

    Scaling the products, not the vectors, halves what a look at a large gallery costs beside its
    fit; the last bits of a cosine decide no report.
    """
    few = bank.n * bank.items <= BLOCK_SCORES
    if not few or not isinstance(bank, EmbeddedBank) or bank.similarity != "cosine":
        return None
    queries, gallery = bank.queries, bank.gallery
    if not all(x.dtype == np.float32 for x in (queries, gallery)):
        return None
    sims = np.empty((bank.n, bank.items), dtype=np.float32)
    for items in ranges(bank.items, ITEMS):
        block = gallery[items]
        squares = np.einsum("ij,ij->i", block, block)
        if not ((squares > PLAIN) & (squares < 1 / PLAIN)).all():
            return None
        np.divide(queries @ block.T, np.sqrt(squares), out=sims[:, items])
    return sims


def row_blocks(bank: Bank) -> Iterator[Array]:
    """Yield the similarities of some rows of a bank to the whole gallery, in their own type."""
    size = max(1, BLOCK_SCORES // max(1, bank.items))
    for rows in ranges(bank.n, size):
        part = _rows(bank, rows)
        sims = np.empty((part.n, part.items), dtype=part.dtype)
        for items, blocks in part.blocks():
            for block, where in blocks:
                sims[where, items] = to_numpy(block).T
        yield sims


def best(scores: Array, k: int) -> Array:
    """Return where the `k` largest scores stand, the largest first, of equal ones the first.

    A missing score is not among them.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.hubness.base.hub_report import best
    >>> best(np.array([0.5, np.nan, 0.9, 0.5]), 2).tolist()
    [2, 0]
    """
    if len(scores) > PIECES * PIECE and not np.isnan(np.max(scores)):
        # The k-th largest of the largest of pieces is at most the k-th largest of all, and to find
        # it each score is looked at once; what is below it is no candidate.
        pieces = len(scores) // PIECE
        largest = scores[: pieces * PIECE].reshape(pieces, PIECE).max(axis=1)
        least = np.partition(largest, pieces - k)[pieces - k] if k <= pieces else -np.inf
        places = np.flatnonzero(scores >= least)
    else:
        places = np.flatnonzero(~np.isnan(scores))
    return np.asarray(places[np.argsort(-scores[places], kind="stable")[:k]])


def occurrence_report(
    counts: Array, rows: int, k: int, item_ids: Array | None
) -> dict[str, object]:
    """Return quantiles of k-occurrences beside those of random lists, and the largest hubs."""
    random = RandomRetrieval(rows, float(counts.sum()), len(counts))
    numbers = counts.astype(np.float64)
    found = np.quantile(numbers, QUANTILES, method="lower")
    # Half of all places that would have to move, and the items that are near to nothing.
    moved = float(np.abs(numbers - numbers.mean()).sum() / (2 * max(numbers.sum(), 1)))
    return {
        "k": k,
        "rows": rows,
        "p": list(QUANTILES),
        "count": found.tolist(),
        "random": [random.quantile(p) for p in QUANTILES],
        "robin_hood": moved,
        "robin_hood_random": random.robin_hood if random.slots else None,
        "antihub_rate": float(np.mean(counts == 0)),
        "hubs": _largest(numbers, "count", item_ids),
    }


def bias_report(bias: Array, item_ids: Array | None) -> dict[str, object]:
    """Return the items with the largest bias, and how far they are from the middle one."""
    return {"hubs": _largest(bias, "bias", item_ids)}


def gate_report(new: Array, known: Array, item_ids: Array | None) -> dict[str, object]:
    """Return how far new biases are from those known, and which items stand out as hubs."""
    z = robust_z(new, known)
    found = np.flatnonzero(z > SUSPECT)
    return {
        "new": len(new),
        "limit": SUSPECT,
        "largest": float(np.max(z, initial=0.0)),
        "suspect": [
            {
                "item": str(place if item_ids is None else item_ids[place]),
                "bias": float(new[place]),
                "robust_z": float(z[place]),
            }
            for place in found[np.argsort(-z[found], kind="stable")].tolist()
        ],
    }


def _largest(values: Array, name: str, item_ids: Array | None) -> list[dict[str, object]]:
    if not len(values) or values.max() == values.min():
        return []
    places = best(values, HUBS)
    z = robust_z(values)
    return [
        {
            "item": str(place if item_ids is None else item_ids[place]),
            name: float(values[place]),
            "robust_z": float(z[place]),
        }
        for place in places.tolist()
        if z[place] > 0
    ]


def _every(bank: Bank, step: int) -> Bank:
    return _rows(bank, slice(None, None, step)) if step > 1 else bank


def _rows(bank: Bank, rows: slice) -> Bank:
    if isinstance(bank, EmbeddedBank):
        return replace(bank, queries=bank.queries[rows], log_weights=None)
    return SentBank(bank.sims[rows]) if isinstance(bank, SentBank) else bank
