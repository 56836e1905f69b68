"""Statistics of the items of a gallery over a whole bank, from one pass."""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from normalizers.bases.banks import Bank
from normalizers.bases.folds import (
    ItemDeviations,
    ItemDistributions,
    ItemLargest,
    ItemSums,
    RowLargest,
    RowSums,
)
from normalizers.data.arrays import Array
from normalizers.statistics import ItemBias, ItemCounts, ItemMoments, ItemQuantiles, LogSumExp, TopK


class _Said(TypedDict):
    """What every statistic of a bank says of where it comes from."""

    from_embeddings: bool
    n: int
    item_ids: Array | None
    gallery_digest: str | None
    bank_digest: str | None


def _said_of(bank: Bank, item_ids: Array | None) -> _Said:
    gallery, queries = bank.digests(item_ids)
    return {
        "from_embeddings": bank.from_embeddings,
        "n": bank.n,
        "item_ids": item_ids,
        "gallery_digest": gallery,
        "bank_digest": queries,
    }


def top_k_of(bank: Bank, k: int, item_ids: Array | None) -> TopK:
    """Return the k largest similarities of each item of a bank."""
    kept = ItemLargest(k)
    bank.fold(kept)
    return TopK(
        **_said_of(bank, item_ids),
        k=k,
        values=kept.values() if bank.n else np.zeros((0, 0)),
    )


def log_sum_exp_of(
    bank: Bank, beta: float, item_ids: Array | None, *, normalized: bool = False
) -> LogSumExp:
    """Return the log-sum-exp over a bank of beta times the similarities of each item.

    With `normalized` each bank row is its log-softmax over the gallery, which takes a first pass.
    """
    if not bank.n:
        return LogSumExp(bank.from_embeddings, beta=beta, normalized=normalized)
    rows = RowSums(beta, bank.n)
    if normalized:
        bank.fold(rows)
    of_rows = rows.values() if normalized else None
    if bank.log_weights is not None:
        # A weight multiplies the exponential of its row: ln w is added where sums are subtracted.
        of_rows = (0.0 if of_rows is None else of_rows) - bank.log_weights
    sums = ItemSums(beta, bank.bound, of_rows)
    bank.fold(sums)
    return LogSumExp(
        **_said_of(bank, item_ids),
        beta=beta,
        normalized=normalized,
        item_lse=sums.values(),
    )


def item_counts_of(bank: Bank, k: int, item_ids: Array | None) -> ItemCounts:
    """Return how often each item is among the k best of a bank query."""
    if not bank.n:
        return ItemCounts(bank.from_embeddings, k=k)
    best = RowLargest(k, bank.n)
    bank.fold(best)
    return ItemCounts(
        **_said_of(bank, item_ids),
        k=k,
        counts=np.bincount(best.items().reshape(-1), minlength=bank.items).astype(np.int64),
    )


def item_bias_of(bank: Bank, bias: Array, item_ids: Array | None) -> ItemBias:
    """Return what a whole bank gave as the bias of its items."""
    if not bank.n:
        return ItemBias(bank.from_embeddings)
    return ItemBias(
        **_said_of(bank, item_ids),
        item_bias=bias,
    )


def transport_bias(bank: Bank, beta: float, rounds: int, items: int | None = None) -> Array:
    """Return the item bias of so many rounds of Sinkhorn's scaling of a bank.

    With K = exp(beta (S - 1)), b rows and g columns: v = (1/b) / (K u), then u = (1/g) / (K^T v),
    from u = 1/g; the bias is -ln(u) / beta of the first `items`, by default of all. Rows with
    weights have w / sum w in place of 1/b.

    Notes
    -----
    Everything is a logarithm: temperatures near 0 neither overflow nor vanish. Two passes over
    the bank a round.
    """
    potentials = np.full(bank.items, -np.log(bank.items))
    shares = np.full(bank.n, -np.log(bank.n))
    if bank.log_weights is not None:
        shares = bank.log_weights - np.logaddexp.reduce(bank.log_weights)
    for _ in range(rounds):
        rows = RowSums(beta, bank.n, potentials)
        bank.fold(rows)
        # ln v = ln w - (row sum - beta), and what is subtracted from each row is -ln v.
        sums = ItemSums(beta, bank.bound, rows.values() - beta - shares)
        bank.fold(sums)
        potentials = -np.log(bank.items) - (sums.values() - beta)
    return np.asarray(-potentials[:items] / beta)


def item_moments_of(bank: Bank, item_ids: Array | None) -> ItemMoments:
    """Return mean and squared deviations of each item's similarities to a bank."""
    if not bank.n:
        return ItemMoments(bank.from_embeddings)
    moments = ItemDeviations()
    bank.fold(moments)
    return ItemMoments(
        **_said_of(bank, item_ids),
        mean=moments.means(),
        m2=moments.squares(),
    )


def item_quantiles_of(bank: Bank, item_ids: Array | None) -> ItemQuantiles:
    """Return the distribution of each item's similarities to a bank."""
    empty = ItemQuantiles(bank.from_embeddings)
    if not bank.n:
        return empty
    found = ItemDistributions(empty)
    bank.fold(found)
    whole = found.joined()
    return ItemQuantiles(
        **_said_of(bank, item_ids),
        sketch=whole.sketch,
    )
