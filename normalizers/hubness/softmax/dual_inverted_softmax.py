"""Dual inverted softmax: corrected by a bank of queries and by a bank of items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

import numpy as np

from normalizers.bases.bank_statistics import log_sum_exp_of
from normalizers.contract import (
    NO_FIELDS,
    Batch,
    Example,
    Fields,
    Fitted,
    Statistic,
    Statistics,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.errors import FitError, InvalidInput, NotEnoughData
from normalizers.hubness.base.bank_fit import fitted_bias, item_ids
from normalizers.hubness.base.live import Live
from normalizers.hubness.base.two_banks import TwoBankNormalizer
from normalizers.statistics import LogSumExp

# The statistic of each bank, by the word before its fields.
KEPT = {"bank": "log_sum_exp", "gallery_bank": "log_sum_exp_gallery"}


class DualInvertedSoftmax(TwoBankNormalizer):
    """Subtract from each score the bias of its item over a query bank and a gallery bank.

    ``s - strength h_j`` with ``h_j = (L_j + M_j) / (beta_query + beta_gallery)``, L and M the
    log-sum-exps of beta times the item's similarities to the bank of queries and to the bank of
    items. `output` ``ratio`` is the product of the two inverted softmaxes, the published form,
    ``log`` its logarithm.

    Notes
    -----
    The defaults of `beta_query` and `beta_gallery` are the authors'. Everything is computed in
    logarithms.

    See Also
    --------
    InvertedSoftmax : One bank.

    References
    ----------
    Wang et al.: Balance act: mitigating hubness in cross-modal retrieval with query and gallery
    banks, 2023. Code: yimuwangcs/Better_Cross_Modal_Retrieval (DBNorm).

    Examples
    --------
    >>> from normalizers import DualInvertedSoftmax
    >>> hub = DualInvertedSoftmax(beta_query=20.0)
    >>> hub = hub.fit(bank_sims=[[0.9, 0.2], [0.9, 0.4]], gallery_bank_sims=[[0.5, 0.4]])
    >>> hub.transform([[0.8, 0.6]]).round(4).tolist()
    [[-0.078, 0.1992]]
    """

    name = "dual_inverted_softmax"
    aliases = {"dual_is": {}, "dbnorm": {}}
    example = Example(
        fit={
            "bank_sims": [[0.9, 0.2, 0.1], [0.8, 0.4, 0.3]],
            "gallery_bank_sims": [[0.5, 0.4, 0.2]],
            "gallery_ids": ["a", "b", "c"],
        },
        input={"candidate_ids": [["a", "b"], ["c"]], "candidate_scores": [[0.8, 0.7], [0.5]]},
    )

    beta_query: float | None = param(
        default=None,
        default_value=1 / 1.99,
        gt=0,
        affects="statistics",
        help="inverse temperature of the bank of queries",
    )
    beta_gallery: float | None = param(
        default=None,
        default_value=3.0,
        gt=0,
        affects="statistics",
        help="inverse temperature of the bank of items",
    )
    output: Literal["bias", "log", "ratio"] | None = param(
        default=None,
        default_value="bias",
        affects="answer",
        help="in units of the score, the logarithm of the product, or the product",
    )

    @property
    def inverse_takes(self) -> Fields:
        """Corrected scores in the units of the input."""
        return NO_FIELDS if self.output in ("log", "ratio") else super().inverse_takes

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The log-sum-exp of every item over each bank."""
        embedded = self.similarity is not None
        return {KEPT[name]: LogSumExp(embedded, beta=beta) for name, beta in self.betas.items()}

    @property
    def betas(self) -> dict[str, float | None]:
        """The inverse temperature of each bank."""
        return {"bank": self.beta_query, "gallery_bank": self.beta_gallery}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows of each bank that is there."""
        for name, bank in self.banks(batch).items():
            part = log_sum_exp_of(bank, unwrap(self.betas[name]), item_ids(batch))
            kept = sums_over(statistics, name).merge(part)
            statistics = statistics.replace(**{KEPT[name]: kept})
        return statistics

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the bias of every item."""
        mine, theirs = aligned_sums(statistics)
        total = unwrap(mine.beta) + unwrap(theirs.beta)
        bias = (mine.item_lse + theirs.item_lse) / total
        if not np.isfinite(bias).all():
            raise FitError("the betas are too small for the biases to be numbers", path="params")
        arrays = {"beta": np.asarray(total)}
        return fitted_bias(bias, mine, arrays, {"bank_n": mine.n, "gallery_bank_n": theirs.n})

    def formed(self, adjusted: Array, fitted: Fitted, live: Live) -> Array:
        """Return corrected scores, the logarithm of the product, or the product."""
        if self.output == "bias":
            return adjusted
        logarithm = float(fitted["beta"]) * adjusted
        formed = logarithm if self.output == "log" else np.exp(logarithm)
        if self.output == "ratio" and np.isinf(formed).any():
            raise InvalidInput(
                "a ratio is too large to be represented; use output 'log'", path="params.output"
            )
        return np.asarray(formed)


def aligned_sums(statistics: Statistics) -> tuple[LogSumExp, LogSumExp]:
    """Return the sums over both banks, of the same items in one order."""
    mine, theirs = (sums_over(statistics, name) for name in KEPT)
    for name, kept in (("bank", mine), ("gallery_bank", theirs)):
        if kept.is_empty:
            raise NotEnoughData(f"there is no row of the '{name}'", path="fit")
        if not kept.mergeable:
            raise FitError("two banks need 'n' and 'item_lse' of each", path="statistics")
    order = mine.order_in(theirs)
    return mine, theirs if order is None else theirs.with_values(item_lse=theirs.item_lse[order])


def sums_over(statistics: Statistics, name: str) -> LogSumExp:
    """Return the sums over the bank of this name."""
    return cast(LogSumExp, statistics[KEPT[name]])
