"""Dual dynamic inverted softmax: two banks, each correcting the queries that go for its hubs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import numpy as np

from normalizers.bases.bank_statistics import sums_and_counts_of
from normalizers.contract import (
    NO_FIELDS,
    Answer,
    Batch,
    Fields,
    Fitted,
    Statistic,
    Statistics,
    floats,
    integers,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput
from normalizers.hubness.base.activation import activated, of_rows
from normalizers.hubness.base.bank_fit import item_ids
from normalizers.hubness.base.live import Live
from normalizers.hubness.softmax.dual_inverted_softmax import (
    KEPT,
    DualInvertedSoftmax,
    aligned_sums,
    sums_over,
)
from normalizers.statistics import ItemCounts

COUNTS = {"bank": "item_counts", "gallery_bank": "item_counts_gallery"}


class DualDynamicInvertedSoftmax(DualInvertedSoftmax):
    """Multiply two dynamic inverted softmaxes, over a query bank and over a gallery bank.

    Each bank has its active items, the `k` best of each of its rows. A query whose best raw score
    is of an item that is active in a bank has the inverted softmax over that bank as a factor,
    and the raw score as the factor otherwise (`output` ``ratio``, the published form). The
    default ``bias`` is ``s - strength h_j`` in units of the score, h the log-sum-exps of the banks
    that are active over their betas together; a query without one stays as it is.

    Notes
    -----
    Which banks corrected a query stands in ``activated`` and ``activated_gallery``. ``log`` is of
    queries that both banks correct, and refused where there are others. There is no way back. Rows
    of ``ratio`` are on different scales: only the order within one means something.

    See Also
    --------
    DynamicInvertedSoftmax : One bank.

    References
    ----------
    Wang et al.: Balance act: mitigating hubness in cross-modal retrieval with query and gallery
    banks, 2023. Code: yimuwangcs/Better_Cross_Modal_Retrieval (DBNorm).

    Examples
    --------
    >>> from normalizers import DualDynamicInvertedSoftmax
    >>> hub = DualDynamicInvertedSoftmax()
    >>> hub = hub.fit(bank_sims=[[0.9, 0.2], [0.9, 0.4]], gallery_bank_sims=[[0.5, 0.4]])
    >>> hub.apply_to(sims=[[0.8, 0.6], [0.1, 0.6]]).output["activated"].tolist()
    [1, 0]
    """

    name = "dual_dynamic_inverted_softmax"
    aliases = {"dual_dis": {}}
    inverse_takes = NO_FIELDS
    gives = Fields(
        scores=floats("q g", flat="row", help="corrected scores, formed as the input"),
        activated=integers("q", help="1 where the bank of queries corrected the query"),
        activated_gallery=integers("q", help="1 where the bank of items corrected the query"),
    )

    k: int | None = param(
        default=None,
        default_value=1,
        ge=1,
        affects="statistics",
        help="best items of each bank row that are active",
    )

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The log-sum-exp of every item over each bank, and how often it is among the best."""
        embedded = self.similarity is not None
        counts = {name: ItemCounts(embedded, k=self.k) for name in COUNTS.values()}
        return {**super().keeps, **counts}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows of each bank that is there."""
        for name, bank in self.banks(batch).items():
            beta, k = unwrap(self.betas[name]), unwrap(self.k)
            sums, counts = sums_and_counts_of(bank, beta, k, item_ids(batch))
            statistics = statistics.replace(
                **{
                    KEPT[name]: sums_over(statistics, name).merge(sums),
                    COUNTS[name]: _counts(statistics, name).merge(counts),
                }
            )
        return statistics

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the bias of every item, of each bank too, and which are active."""
        fitted, both = super().solve(statistics), aligned_sums(statistics)
        arrays = dict(fitted.arrays)
        for index, (name, sums) in enumerate(zip(COUNTS, both, strict=True)):
            kept = _counts(statistics, name)
            order = both[0].order_in(kept)  # type: ignore[arg-type]
            counts = kept.counts if order is None else kept.counts[order]
            arrays[f"active_{index}"] = (counts > 0).astype(np.int64)
            arrays[f"item_lse_{index}"] = sums.item_lse
            arrays[f"beta_{index}"] = np.asarray(unwrap(sums.beta))
        return replace(fitted, arrays=arrays)

    def corrected(self, fitted: Fitted, live: Live) -> Array:
        """Return the scores less the bias of the banks that are active."""
        sums, betas = np.zeros(len(live.scores.values)), np.zeros(len(live.scores.values))
        for index, rows in enumerate(self._rows(fitted, live)):
            active = of_rows(rows, live)
            lse = fitted[f"item_lse_{index}"]
            beta = float(fitted[f"beta_{index}"])
            mean = float(np.mean(lse)) if len(lse) else 0.0
            unknown = 0.0 if self.unknown_item == "raw" else mean
            shift = mean if self.center_bias else 0.0
            of_items = live.of_items(np.append(lse - shift, unknown - shift * (unknown != 0)))
            sums += np.where(active, of_items, 0.0)
            betas += np.where(active, beta, 0.0)
        bias = np.divide(sums, betas, out=np.zeros_like(sums), where=betas > 0)
        return np.asarray(live.scores.values - unwrap(self.strength) * bias)

    def formed(self, adjusted: Array, fitted: Fitted, live: Live) -> Array:
        """Return corrected scores, or the product of the two factors."""
        if self.output == "bias":
            return adjusted
        raw, product = live.scores.values, np.ones(len(adjusted))
        every = np.ones(len(adjusted), dtype=bool)
        logarithm = np.zeros(len(adjusted))
        for index, rows in enumerate(self._rows(fitted, live)):
            active = of_rows(rows, live)
            lse = np.append(fitted[f"item_lse_{index}"], 0.0)
            exponent = float(fitted[f"beta_{index}"]) * raw - live.of_items(lse)
            logarithm += exponent
            every &= active
            product *= np.where(active, np.exp(np.where(active, exponent, 0.0)), raw)
        if self.output == "log" and not every.all():
            raise InvalidInput(
                "a query is not corrected by both banks: its product has no logarithm of this "
                "form; use output 'bias' or 'ratio'",
                path="params.output",
            )
        formed = logarithm if self.output == "log" else product
        if np.isinf(formed).any():
            raise InvalidInput(
                "a ratio is too large to be represented; use output 'bias'", path="params.output"
            )
        return formed

    def answered(self, fitted: Fitted, live: Live, adjusted: Array) -> Answer:
        """Return which banks corrected each query, and flag the queries that one did."""
        mine, theirs = self._rows(fitted, live)
        answer = Answer(
            {"activated": mine.astype(np.int64), "activated_gallery": theirs.astype(np.int64)}
        )
        return answer.flagged("activated", np.flatnonzero(mine | theirs))

    def _rows(self, fitted: Fitted, live: Live) -> tuple[Array, Array]:
        active = (np.append(fitted[f"active_{index}"] > 0, False) for index in range(2))
        mine, theirs = (activated(live, bank) for bank in active)
        return mine, theirs


def _counts(statistics: Statistics, name: str) -> ItemCounts:
    return cast(ItemCounts, statistics[COUNTS[name]])
