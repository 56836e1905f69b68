"""Inverted softmax: scores corrected for items that are close to very many queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import numpy as np

from normalizers.bases.bank_statistics import log_sum_exp_of
from normalizers.contract import (
    Batch,
    Example,
    Fitted,
    Statistic,
    Statistics,
    unwrap,
)
from normalizers.data.devices import CPU, CUDA
from normalizers.errors import FitError
from normalizers.hubness.base.bank_fit import WEIGHTED_BANK, BankNormalizer, fitted_bias, item_ids
from normalizers.hubness.base.tempered import TemperedNormalizer
from normalizers.statistics import LogSumExp


class InvertedSoftmax(TemperedNormalizer):
    """Subtract from each score the bias of its item: how close the item is to a bank of queries.

    ``score - strength h_j`` with ``h_j = ln(sum_b exp(beta S[b, j])) / beta`` over the bank's
    similarities S; `output` ``log`` is beta times that, ``ratio`` its exponential, the published
    form.

    Notes
    -----
    Small beta: h is the mean similarity plus ln(b) / beta, which is the same for every item of a
    bank of b queries; beta tends to infinity: h is the largest similarity.

    References
    ----------
    Smith et al.: Offline bilingual word vectors, orthogonal transformations and the inverted
    softmax, 2017; Bogolin et al.: Cross modal retrieval with querybank normalisation, 2022.

    Examples
    --------
    >>> from normalizers import InvertedSoftmax
    >>> hub = InvertedSoftmax(beta=20.0).fit([[0.9, 0.2], [0.9, 0.4]])
    >>> hub.transform([[0.8, 0.6]]).round(4).tolist()
    [[-0.1347, 0.1991]]
    """

    name = "inverted_softmax"
    fits = WEIGHTED_BANK
    traits = replace(BankNormalizer.traits, devices=(CPU, CUDA))
    aliases = {"is": {}, "invsm": {}, "invsoftmax": {}}
    example = Example(
        params={"beta": 20.0},
        fit={"bank_sims": [[0.9, 0.2, 0.1], [0.8, 0.4, 0.3]], "gallery_ids": ["a", "b", "c"]},
        input={"candidate_ids": [["a", "b"], ["c"]], "candidate_scores": [[0.8, 0.7], [0.5]]},
    )

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The log-sum-exp of every item."""
        return {
            "log_sum_exp": LogSumExp(self.similarity is not None, beta=self.inverse_temperature)
        }

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the bank's similarities to the log-sum-exp of every item."""
        part = log_sum_exp_of(self.bank(batch), self.settled_beta(), item_ids(batch))
        return statistics.replace(log_sum_exp=sums_of(statistics).merge(part))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the bias of every item."""
        sums = sums_of(statistics)
        beta = unwrap(sums.beta)
        bias = sums.bias
        if not np.isfinite(bias).all():
            raise FitError("beta is too small for the biases to be numbers", path="params.beta")
        arrays = {
            "item_lse": sums.item_lse if sums.mergeable else bias * beta,
            "beta": np.asarray(beta),
        }
        return fitted_bias(bias, sums, arrays, {"beta": beta})


def sums_of(statistics: Statistics) -> LogSumExp:
    """Return the log-sum-exp of the items."""
    return cast(LogSumExp, statistics["log_sum_exp"])
