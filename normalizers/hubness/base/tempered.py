"""Methods whose item bias depends on an inverse temperature."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from annotated_types import Gt

from normalizers.contract import (
    NO_FIELDS,
    Batch,
    Fields,
    Fitted,
    Statistics,
    param,
)
from normalizers.contract.spellings import Spelling, reciprocal
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput, InvalidParams, NotEnoughData
from normalizers.hubness.base.bank_fit import BankNormalizer
from normalizers.hubness.base.live import Live
from normalizers.statistics import LogSumExp

# Between the best values found on two real sets, 1.6 and 3.4 divided by the deviation.
AUTO_FACTOR = 2.5


class TemperedNormalizer(BankNormalizer):
    """Base of the methods with an inverse temperature `beta`, which the bank may decide.

    Notes
    -----
    `beta` ``auto`` is 2.5 / (mean over the bank of the deviation of a query's similarities over
    the gallery), 1 where they have no deviation; it needs the whole bank in one fit. Everything
    is computed in logarithms, so that no beta overflows. From float32 embeddings a log-sum-exp is
    off by at most 4 beta eps32 |x| |y|. On another device blocks are of the same type. Scores are
    corrected by NumPy. `output` ``log`` is beta times the corrected score, ``ratio`` its
    exponential, which may exceed 1: no probability.
    """

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
    def inverse_temperature(self) -> float | None:
        """The beta that was given as a number or as a temperature, None for ``auto``."""
        beta = self.in_one_spelling().beta
        return float(beta) if isinstance(beta, (int, float)) else None

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Take beta, and whether there were embeddings, from the statistics."""
        beta = beta_of(statistics) if statistics else None
        return {**super().defaults(statistics), "beta": beta}

    def decide(self, source: Batch | Statistics) -> dict[str, object]:
        """Take beta from statistics, which carry theirs, or find it and the similarity."""
        decided = super().decide(source)
        if isinstance(source, Statistics):
            beta = beta_of(source)
            return decided if beta is None else {**decided, "beta": beta}
        standard = self.parameters["beta"].standard
        if self.in_one_spelling().beta is None and isinstance(standard, float):
            return {**decided, "beta": standard}
        return {**decided, "beta": self.inverse_temperature or self._auto_beta(source)}

    def report(self, batch: Batch, fitted: Fitted) -> dict[str, object]:
        """Return the size of the bank, zero vectors, and the deviation behind ``auto``."""
        return {**super().report(batch, fitted), "mean_row_std": self.mean_row_std(batch)}

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

    def settled_beta(self) -> float:
        """Return the beta of a fit; ``auto`` was found before, or is refused."""
        beta = self.inverse_temperature
        if beta is None:
            raise InvalidParams(
                "beta 'auto' needs the whole bank: fit once with auto, then use this value",
                path="params.beta",
            )
        return beta

    def mean_row_std(self, batch: Batch) -> float:
        """Return the mean deviation of a bank query's similarities over the gallery."""
        bank = self.bank(batch)
        key = ("mean_row_std", self.nan_policy, bank.similarity_name)
        return batch.once(key, bank.mean_row_std)

    def _auto_beta(self, batch: Batch) -> float:
        if not self.bank(batch).n:
            raise NotEnoughData("the bank is empty: there is nothing to fit", path="fit")
        with np.errstate(divide="ignore", over="ignore"):
            # A bank without deviation, or with next to none, has no scale: then similarities are
            # taken as they are.
            beta = float(np.divide(AUTO_FACTOR, self.mean_row_std(batch)))
        return beta if np.isfinite(beta) else 1.0


def beta_of(statistics: Statistics) -> float | None:
    """Return the beta that statistics carry."""
    for kept in statistics.values():
        if isinstance(kept, LogSumExp) and kept.beta is not None:
            return kept.beta
    return None
