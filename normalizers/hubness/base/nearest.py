"""Methods whose item bias is made of the item's largest similarities to the bank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import numpy as np

from normalizers.bases.bank_statistics import top_k_of
from normalizers.contract import Batch, Example, Fitted, Statistic, Statistics, param, unwrap
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.hubness.base.bank_fit import BankNormalizer, clamped, fitted_bias, item_ids
from normalizers.kernels import segments
from normalizers.kernels.list_order import sorted_lists
from normalizers.statistics import TopK

NEAREST_EXAMPLE = Example(
    params={"k": 2},
    fit={
        "bank_sims": [[0.9, 0.2, 0.1], [0.8, 0.4, 0.3], [0.1, 0.7, 0.2]],
        "gallery_ids": ["a", "b", "c"],
    },
    input={"candidate_ids": [["a", "b"], ["c"]], "candidate_scores": [[0.8, 0.7], [0.5]]},
)


class NearestNormalizer(BankNormalizer):
    """Base of the methods that keep the `k` largest bank similarities of each item.

    Notes
    -----
    A bank of fewer than `k` queries counts whole; the report says ``k_effective``.
    """

    k: int | None = param(
        default=None,
        default_value=10,
        ge=1,
        affects="statistics",
        help="bank similarities of each item that count: its largest",
    )

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The largest similarities of every item."""
        return {"top_k": TopK(self.similarity is not None, k=self.k)}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Keep the largest similarities of every item."""
        part = top_k_of(self.bank(batch), unwrap(self.k), item_ids(batch))
        return statistics.replace(top_k=kept_largest(statistics).merge(part))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the bias of every item."""
        kept = kept_largest(statistics)
        told = {"k": self.k, "k_effective": kept.k_effective}
        fitted = fitted_bias(self.bias_of(kept), kept, report=told)
        return replace(fitted, warnings=(*fitted.warnings, *clamped(self.k, kept.k_effective)))

    def bias_of(self, kept: TopK) -> Array:
        """Return the bias of each item from its largest similarities; their mean by default."""
        return kept.means


def kept_largest(statistics: Statistics) -> TopK:
    """Return the largest similarities of the items."""
    return cast(TopK, statistics["top_k"])


def query_means(scores: Ragged, k: int) -> Array:
    """Return the mean of the `k` largest scores of each list, of all where it has fewer.

    Missing scores are left out; a list without a score has a missing mean.
    """
    observed = ~np.isnan(scores.values)
    ascending = sorted_lists(segments.compress(scores, observed))
    ends = ascending.offsets[1:]
    starts = np.maximum(ascending.offsets[:-1], ends - k)
    counts = ends - starts
    taken = np.repeat(starts - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
    best = Ragged(ascending.values[taken], np.concatenate([[0], np.cumsum(counts)]))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(counts > 0, segments.sums(best) / np.maximum(counts, 1), np.nan)
