"""Sinkhorn normalization: every bank query votes with the same total mass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np

from normalizers.bases.bank_statistics import item_bias_of, log_sum_exp_of, transport_bias
from normalizers.contract import (
    Batch,
    Example,
    Fitted,
    Statistic,
    Statistics,
    notice,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.hubness.base.bank_fit import WEIGHTED_BANK, fitted_bias, item_ids
from normalizers.hubness.base.tempered import TemperedNormalizer
from normalizers.kernels.logspace import log_add
from normalizers.statistics import ItemBias, LogSumExp

ROUNDED = 1e-3  # of a logarithm of votes


class Sinkhorn(TemperedNormalizer):
    """Subtract from each score what its item gets of the bank's votes, each of total mass 1.

    One round, the default: ``s - strength h_j`` with
    ``h_j = ln(sum_b softmax_j(beta S[b, .]) + prior b / g) / beta``, S the similarities of b bank
    queries to g items. More rounds: h = -ln(u) / beta of Sinkhorn's scaling of
    ``exp(beta (S - 1))`` to equal mass of queries and of items, from u = 1/g, queries first.

    Notes
    -----
    `prior` is mass for items that no bank query comes near, which would be promoted otherwise;
    raise it towards 1 where the bank is smaller than the gallery. It belongs to one round and is
    another solution of the same statistics. With `sample_weights` a bank query has as many votes as
    its weight says. One round merges over parts of a bank, since each
    row is normalized over the whole gallery: parts of another gallery are refused, and items are
    not joined. More rounds are fitted at once; their bias does not merge, but joins.

    See Also
    --------
    InvertedSoftmax : Without the normalization of each bank query.

    References
    ----------
    Cuturi: Sinkhorn distances, 2013; Pan et al.: Dual bank Sinkhorn normalization, 2025. Code:
    PythonOT/POT (ot.sinkhorn), ppanzx/DBSN.

    Examples
    --------
    >>> from normalizers import Sinkhorn
    >>> hub = Sinkhorn(beta=20.0).fit([[0.9, 0.2], [0.9, 0.4]])
    >>> hub.transform([[0.8, 0.6]]).round(4).tolist()
    [[0.7629, 0.7151]]
    """

    name = "sinkhorn"
    fits = WEIGHTED_BANK
    aliases = {"sn": {}, "sinkhorn_normalization": {}}
    example = Example(
        params={"beta": 20.0},
        fit={"bank_sims": [[0.9, 0.2, 0.1], [0.8, 0.4, 0.3]], "gallery_ids": ["a", "b", "c"]},
        input={"candidate_ids": [["a", "b"], ["c"]], "candidate_scores": [[0.8, 0.7], [0.5]]},
    )

    iterations: int | None = param(
        default=None, default_value=1, ge=1, affects="statistics", help="rounds of the scaling"
    )
    prior: float | None = param(
        default=None,
        resolves="0.1 of one round",
        ge=0,
        affects="solution",
        help="mass of every item beside the bank's votes, in shares of an equal vote",
    )

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The log-sum-exp of normalized rows; of more rounds the bias."""
        embedded = self.similarity is not None
        if self.one_round:
            beta = self.inverse_temperature
            return {"log_sum_exp": LogSumExp(embedded, beta=beta, normalized=True)}
        return {"item_bias": ItemBias(embedded)}

    @property
    def one_round(self) -> bool:
        """Whether there is one round, whose sums add up."""
        return self.iterations in (None, 1)

    @property
    def streams(self) -> bool:
        """Whether a fit may be added up: more rounds need the whole bank."""
        return self.one_round

    def check(self, path: str) -> None:
        """Refuse a prior of more rounds."""
        if self.prior is not None and not self.one_round:
            raise InvalidParams("'prior' belongs to iterations 1", path=f"{path}.prior")

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Give one round its prior."""
        decided = super().defaults(statistics)
        return {**decided, "prior": 0.1} if self.one_round else decided

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the bank's votes to the sums of every item, or find the bias of all rounds."""
        bank, beta, ids = self.bank(batch), self.settled_beta(), item_ids(batch)
        if self.one_round:
            part = log_sum_exp_of(bank, beta, ids, normalized=True)
            return statistics.replace(log_sum_exp=_sums(statistics).merge(part))
        bias = transport_bias(bank, beta, unwrap(self.iterations))
        whole = cast(ItemBias, statistics["item_bias"]).merge(item_bias_of(bank, bias, ids))
        return statistics.replace(item_bias=whole)

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the bias of every item."""
        if not self.one_round:
            kept = cast(ItemBias, statistics["item_bias"])
            beta = self.settled_beta()
            return fitted_bias(kept.item_bias, kept, {"beta": np.asarray(beta)}, {"beta": beta})
        sums = _sums(statistics)
        beta = unwrap(sums.beta)
        arrays = {"beta": np.asarray(beta)}
        fitted = fitted_bias(self._of_votes(sums, beta), sums, arrays, {"beta": beta})
        return _with_warning(fitted, sums)

    def _of_votes(self, sums: LogSumExp, beta: float) -> Array:
        if not sums.mergeable or not self.prior:
            return sums.bias
        equal = np.log(unwrap(self.prior)) + _log_votes(sums) - np.log(max(sums.items, 1))
        return np.asarray(log_add(sums.item_lse, np.asarray(equal)) / beta)


def _log_votes(sums: LogSumExp) -> float:
    """Return the logarithm of how many votes a bank has: its rows, or the sum of their weights.

    The votes of a row add up to its weight over the items. Rounding of float32 makes that no count
    where rows have no weights, so that a sum beside the number of rows is that number.
    """
    counted = float(np.log(sums.n))
    found = float(np.logaddexp.reduce(sums.item_lse)) if sums.items else counted
    return found if abs(found - counted) > ROUNDED else counted


def _sums(statistics: Statistics) -> LogSumExp:
    return cast(LogSumExp, statistics["log_sum_exp"])


def _with_warning(fitted: Fitted, sums: LogSumExp) -> Fitted:
    """Say that a bank is small: most items have no vote but the prior."""
    if not sums.n or 2 * sums.n >= sums.items:
        return fitted
    message = "the bank has less than half as many queries as there are items; raise 'prior'"
    warning = notice("small_bank", message, bank_rows=sums.n, items=sums.items)
    return Fitted(fitted.arrays, fitted.sizes, fitted.report, (*fitted.warnings, warning))
