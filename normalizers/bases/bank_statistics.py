"""Statistics of the items of a gallery over a whole bank, from one pass."""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from normalizers.bases.banks import Bank, Fold
from normalizers.bases.embedded_bank import EmbeddedBank
from normalizers.bases.folds import ItemDeviations, ItemDistributions, ItemLargest, ItemSums
from normalizers.bases.row_folds import RowLargest, RowSums
from normalizers.bases.votes import votes_of
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
    bank.fold(*bank.nearest(), kept)
    return TopK(
        **_said_of(bank, item_ids),
        k=k,
        values=kept.values() if bank.n else np.zeros((0, 0)),
    )


def log_sum_exp_of(
    bank: Bank,
    beta: float,
    item_ids: Array | None,
    *,
    normalized: bool = False,
    along: tuple[Fold, ...] = (),
) -> LogSumExp:
    """Return the log-sum-exp over a bank of beta times the similarities of each item.

    With `normalized` each bank row is its log-softmax over the gallery. Otherwise the pass takes
    along the deviations of rows, for reports, and the folds that are named.
    """
    if not bank.n:
        return LogSumExp(bank.from_embeddings, beta=beta, normalized=normalized)
    sums = _normalized_sums(bank, beta) if normalized else None
    if sums is None:
        folded = ItemSums(beta, bank.bound, _less_weights(bank))
        bank.fold(*bank.beside(), *along, folded)
        sums = folded.values()
    return LogSumExp(**_said_of(bank, item_ids), beta=beta, normalized=normalized, item_lse=sums)


def _normalized_sums(bank: Bank, beta: float) -> Array:
    """Return the log-sum-exp of each item over rows that are log-softmaxes over the gallery."""
    votes = votes_of(bank, beta) if isinstance(bank, EmbeddedBank) else None
    if votes is not None:
        return votes
    rows = RowSums(beta, bank.n, bound=bank.bound)
    bank.fold(*bank.beside(), rows)
    sums = ItemSums(beta, bank.bound, _less_weights(bank, rows.values()))
    bank.fold(sums)
    return sums.values()


def _less_weights(bank: Bank, of_rows: Array | None = None) -> Array | None:
    """Return what is subtracted from the exponents of each row, less the logarithm of its weight.

    A weight multiplies the exponential of its row: ln w is added where sums are subtracted.
    """
    if bank.log_weights is None:
        return of_rows
    return np.asarray((0.0 if of_rows is None else of_rows) - bank.log_weights)


def sums_and_counts_of(
    bank: Bank, beta: float, k: int, item_ids: Array | None
) -> tuple[LogSumExp, ItemCounts]:
    """Return the log-sum-exp of each item, and how often it is among the k best of a bank query."""
    if not bank.n:
        empty = ItemCounts(bank.from_embeddings, k=k)
        return LogSumExp(bank.from_embeddings, beta=beta), empty
    best = RowLargest(k, bank.n)
    sums = log_sum_exp_of(bank, beta, item_ids, along=(best,))
    counts = np.bincount(best.items().reshape(-1), minlength=bank.items).astype(np.int64)
    return sums, ItemCounts(
        from_embeddings=bank.from_embeddings,
        n=sums.n,
        item_ids=item_ids,
        gallery_digest=sums.gallery_digest,
        bank_digest=sums.bank_digest,
        k=k,
        counts=counts,
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
        rows = RowSums(beta, bank.n, potentials, bank.bound)
        bank.fold(*bank.nearest(), rows)
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
    bank.fold(*bank.nearest(), moments)
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
    bank.fold(*bank.nearest(), found)
    whole = found.joined()
    return ItemQuantiles(
        **_said_of(bank, item_ids),
        sketch=whole.sketch,
    )
