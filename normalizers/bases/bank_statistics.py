"""Statistics of the items of a gallery over a whole bank, from one pass."""

from __future__ import annotations

import numpy as np

from normalizers.bases.banks import Bank
from normalizers.bases.folds import ItemLargest, ItemSums
from normalizers.data.arrays import Array
from normalizers.statistics import LogSumExp, TopK


def top_k_of(bank: Bank, k: int, item_ids: Array | None) -> TopK:
    """Return the k largest similarities of each item of a bank."""
    kept = ItemLargest(k)
    bank.fold(kept)
    gallery, queries = bank.digests(item_ids)
    return TopK(
        from_embeddings=bank.from_embeddings,
        n=bank.n,
        item_ids=item_ids,
        k=k,
        values=kept.values() if bank.n else np.zeros((0, 0)),
        gallery_digest=gallery,
        bank_digest=queries,
    )


def log_sum_exp_of(bank: Bank, beta: float, item_ids: Array | None) -> LogSumExp:
    """Return the log-sum-exp over a bank of beta times the similarities of each item."""
    if not bank.n:
        return LogSumExp(bank.from_embeddings, beta=beta)
    sums = ItemSums(beta, bank.bound)
    bank.fold(sums)
    gallery, queries = bank.digests(item_ids)
    return LogSumExp(
        from_embeddings=bank.from_embeddings,
        n=bank.n,
        item_ids=item_ids,
        beta=beta,
        item_lse=sums.values(),
        gallery_digest=gallery,
        bank_digest=queries,
    )
