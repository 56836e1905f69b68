"""S-norm: scores standardized by their item's and their query's scores against a cohort."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import numpy as np

from normalizers.bases.bank_statistics import item_moments_of, top_k_of
from normalizers.contract import (
    NO_FIELDS,
    Batch,
    Example,
    Fitted,
    Options,
    Statistic,
    Statistics,
    floats,
    param,
)
from normalizers.contract.answer import Answer
from normalizers.data.arrays import Array
from normalizers.errors import ShapeError
from normalizers.hubness.base.activation import of_rows
from normalizers.hubness.base.bank_fit import BankNormalizer, fitted_bias, item_ids
from normalizers.hubness.base.item_bias import ItemBiasNormalizer
from normalizers.statistics import ItemMoments, TopK


class SNorm(BankNormalizer):
    """Average the scores standardized by the item's and by the query's scores against a cohort.

    ``((s - mu_j) / sd_j + (s - mu_q) / sd_q) / 2``, mean and population deviation of the scores
    of the item and of the query against the bank, which is the cohort; with `k` of the `k` best
    scores of each only, the adaptive form.

    Notes
    -----
    The query's side comes with the request: ``query_bank_sims``, live queries against the bank. A
    side without deviation is divided by 1; such a query is flagged ``constant``. Scores of
    the form have no way back here.

    References
    ----------
    Kenny: Bayesian speaker verification with heavy-tailed priors, 2010; Matejka et al.: Analysis of
    score normalization in multilingual speaker recognition, 2017. Code: wenet-e2e/wespeaker
    (wespeaker/bin/score_norm.py).

    Examples
    --------
    >>> from normalizers import SNorm
    >>> cohort = SNorm().fit([[0.9, 0.2], [0.7, 0.4]])
    >>> cohort.transform([[0.8, 0.6]], query_bank_sims=[[0.5, 0.7]]).round(4).tolist()
    [[1.0, 1.5]]
    """

    name = "s_norm"
    aliases = {"snorm": {}, "as_norm": {"k": 300}}
    presets = {"as_norm": {"k": 300}}
    traits = replace(ItemBiasNormalizer.traits, options=frozenset())
    inverse_takes = NO_FIELDS
    diagnoses = NO_FIELDS
    strength = None
    center_bias = None
    takes = ItemBiasNormalizer.takes.with_fields(
        query_bank_sims=floats("q b", flat="row", help="live queries against the cohort")
    )
    example = Example(
        fit={"bank_sims": [[0.9, 0.2, 0.1], [0.8, 0.4, 0.3]], "gallery_ids": ["a", "b", "c"]},
        input={
            "candidate_ids": [["a", "b"], ["c"]],
            "candidate_scores": [[0.8, 0.7], [0.5]],
            "query_bank_sims": [[0.5, 0.7], [0.1, 0.4]],
        },
    )

    k: int | None = param(
        default=None,
        resolves="all of the cohort",
        ge=2,
        affects="statistics",
        help="best scores of each side that count; by default all",
    )

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Mean and deviation of every item, or its best scores."""
        embedded = self.similarity is not None
        if self.k is None:
            return {"item_moments": ItemMoments(embedded)}
        return {"top_k": TopK(embedded, k=self.k)}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the cohort's scores to those of every item."""
        bank, ids = self.bank(batch), item_ids(batch)
        if self.k is None:
            kept = cast(ItemMoments, statistics["item_moments"])
            return statistics.replace(item_moments=kept.merge(item_moments_of(bank, ids)))
        best = cast(TopK, statistics["top_k"])
        return statistics.replace(top_k=best.merge(top_k_of(bank, self.k, ids)))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return mean and deviation of every item."""
        if self.k is None:
            kept = cast(ItemMoments, statistics["item_moments"])
            return fitted_bias(kept.mean, kept, {"item_std": kept.std()})
        best = cast(TopK, statistics["top_k"])
        values = np.asarray(best.values, dtype=np.float64)
        told = {"k_effective": best.k_effective}
        return fitted_bias(best.means, best, {"item_std": values.std(axis=1)}, told)

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return standardized scores."""
        cohort = batch.array("query_bank_sims")
        if self.score_type == "distance":
            cohort = -cohort
        if self.k is not None:
            cohort = -np.sort(-cohort, axis=1)[:, : self.k]
        sides = (cohort.mean(axis=1), cohort.std(axis=1)) if cohort.shape[1] else ()
        if not sides:
            raise ShapeError(
                "a query needs scores against the cohort", path="input.query_bank_sims"
            )
        return self._standardized(fitted, batch, options, sides)

    def _standardized(
        self, fitted: Fitted, batch: Batch, options: Options, sides: tuple[Array, Array]
    ) -> Answer:
        live = self.live(fitted, batch)
        std = fitted["item_std"]
        constant = np.flatnonzero(sides[1] == 0)
        # A side without deviation has no unit: its mean is subtracted, and it is told.
        std, spread = np.where(std == 0, 1.0, std), np.where(sides[1] == 0, 1.0, sides[1])
        of_query = (live.scores.values - of_rows(sides[0], live)) / of_rows(spread, live)
        mean = self._beside_unknown(fitted["item_bias"])
        of_item = (live.scores.values - live.of_items(mean)) / live.of_items(
            self._beside_unknown(std)
        )
        values = (of_item + of_query) / 2
        shape = batch.array("sims").shape if live.whole else None
        scores = values.reshape(shape) if shape else live.scores.with_values(values)
        answer = Answer({"scores": scores})
        if len(constant):
            answer = answer.flagged("constant", constant)
        if len(live.unknown):
            answer = answer.flagged("unknown_item", live.scores.positions(live.unknown))
        parts = {"query_mean": sides[0].tolist(), "query_std": sides[1].tolist()}
        return replace(answer, explain=parts) if options.explain else answer

    def _beside_unknown(self, numbers: Array) -> Array:
        missing = self.unknown_item == "raw" or not len(numbers)
        return np.append(numbers, np.nan if missing else np.mean(numbers))
