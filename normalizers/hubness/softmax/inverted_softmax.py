"""Inverted softmax: scores corrected for items that are close to very many queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Literal, cast

import numpy as np
from annotated_types import Gt

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
from normalizers.contract.spellings import Spelling, reciprocal
from normalizers.data.arrays import Array
from normalizers.data.devices import CPU, CUDA
from normalizers.errors import FitError, InvalidInput, InvalidParams, NotEnoughData
from normalizers.hubness.base.bank_fit import BankNormalizer, fitted_bias, item_ids
from normalizers.hubness.base.live import Live
from normalizers.statistics import LogSumExp

# Between the best values found on two real sets, 1.6 and 3.4 divided by the deviation.
AUTO_FACTOR = 2.5


class InvertedSoftmax(BankNormalizer):
    """Subtract from each score the bias of its item: how close the item is to a bank of queries.

    ``score - strength h_j`` with ``h_j = ln(sum_b exp(beta S[b, j])) / beta`` over the bank's
    similarities S; `output` ``log`` is beta times that, ``ratio`` its exponential, the published
    form. Small beta: h is the mean similarity plus ln(b) / beta, which is the same for every item
    of a bank of b queries; beta tends to infinity: h is the largest similarity.

    Notes
    -----
    `beta` ``auto`` is 2.5 / (mean over the bank of the deviation of a query's similarities over
    the gallery), 1 where they have no deviation; it needs the whole bank in one fit. Everything
    is computed in logarithms, so that no beta overflows. From float32 embeddings a log-sum-exp is
    off by at most 4 beta eps32 |x| |y|. On another device blocks are of the same type. Scores are
    corrected by NumPy.

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
    traits = replace(BankNormalizer.traits, devices=(CPU, CUDA))
    aliases = {"is": {}, "invsm": {}, "invsoftmax": {}}
    example = Example(
        params={"beta": 20.0},
        fit={"bank_sims": [[0.9, 0.2, 0.1], [0.8, 0.4, 0.3]], "gallery_ids": ["a", "b", "c"]},
        input={"candidate_ids": [["a", "b"], ["c"]], "candidate_scores": [[0.8, 0.7], [0.5]]},
    )

    beta: Annotated[float, Gt(0)] | Literal["auto"] | None = param(
        default=None,
        resolves="auto: 2.5 / mean deviation of a bank query's similarities",
        affects="statistics",
        help="inverse temperature",
    )
    temperature: float | None = param(
        default=None,
        gt=0,
        affects="statistics",
        spells=Spelling("beta", reciprocal),
        help="1 / beta, in its place",
    )
    output: Literal["bias", "log", "ratio"] | None = param(
        default=None,
        default_value="bias",
        affects="answer",
        help="in units of the score, beta times that, or its exponential",
    )

    @property
    def inverse_takes(self) -> Fields:
        """Corrected scores in the units of the input."""
        return NO_FIELDS if self.output in ("log", "ratio") else super().inverse_takes

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The log-sum-exp of every item."""
        return {
            "log_sum_exp": LogSumExp(self.similarity is not None, beta=self.inverse_temperature)
        }

    @property
    def inverse_temperature(self) -> float | None:
        """The beta that was given as a number or as a temperature, None for ``auto``."""
        beta = self.in_one_spelling().beta
        return float(beta) if isinstance(beta, (int, float)) else None

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Take beta, and whether there were embeddings, from the statistics."""
        beta = _sums(statistics).beta if statistics else None
        return {**super().defaults(statistics), "beta": beta}

    def decide(self, source: Batch | Statistics) -> dict[str, object]:
        """Take beta from statistics, which carry theirs, or find it and the similarity."""
        decided = super().decide(source)
        if isinstance(source, Statistics):
            beta = _sums(source).beta
            return decided if beta is None else {**decided, "beta": beta}
        return {**decided, "beta": self.inverse_temperature or self._auto_beta(source)}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the bank's similarities to the log-sum-exp of every item."""
        beta = self.inverse_temperature
        if beta is None:
            raise InvalidParams(
                "beta 'auto' needs the whole bank: fit once with auto, then use this value",
                path="params.beta",
            )
        part = log_sum_exp_of(self.bank(batch), beta, item_ids(batch))
        return statistics.replace(log_sum_exp=_sums(statistics).merge(part))

    def report(self, batch: Batch, fitted: Fitted) -> dict[str, object]:
        """Return the size of the bank, zero vectors, and the deviation behind ``auto``."""
        return {**super().report(batch, fitted), "mean_row_std": self._mean_row_std(batch)}

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the bias of every item."""
        sums = _sums(statistics)
        beta = unwrap(sums.beta)
        bias = sums.bias
        if not np.isfinite(bias).all():
            raise FitError("beta is too small for the biases to be numbers", path="params.beta")
        arrays = {
            "item_lse": sums.item_lse if sums.mergeable else bias * beta,
            "beta": np.asarray(beta),
        }
        return fitted_bias(bias, sums, arrays, {"beta": beta})

    def formed(self, adjusted: Array, fitted: Fitted, live: Live) -> Array:
        """Return corrected scores, their product with beta, or its exponential."""
        if self.output == "bias":
            return adjusted
        logarithm = float(fitted["beta"]) * adjusted
        formed = logarithm if self.output == "log" else np.exp(logarithm)
        if self.output == "ratio" and np.isinf(formed).any():
            raise InvalidInput(
                "a ratio is too large to be represented; use output 'log'", path="params.output"
            )
        return np.asarray(formed)

    def _mean_row_std(self, batch: Batch) -> float:
        bank = self.bank(batch)
        key = ("mean_row_std", self.nan_policy, bank.similarity_name)
        return batch.once(key, bank.mean_row_std)

    def _auto_beta(self, batch: Batch) -> float:
        if not self.bank(batch).n:
            raise NotEnoughData("the bank is empty: there is nothing to fit", path="fit")
        with np.errstate(divide="ignore", over="ignore"):
            # A bank without deviation, or with next to none, has no scale: then similarities are
            # taken as they are.
            beta = float(np.divide(AUTO_FACTOR, self._mean_row_std(batch)))
        return beta if np.isfinite(beta) else 1.0


def _sums(statistics: Statistics) -> LogSumExp:
    return cast(LogSumExp, statistics["log_sum_exp"])
