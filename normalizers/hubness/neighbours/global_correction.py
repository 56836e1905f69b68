"""Globally corrected retrieval: scores less the rank of their query among a bank for the item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, cast

import numpy as np

from normalizers.bases.bank_statistics import item_quantiles_of
from normalizers.contract import (
    NO_FIELDS,
    Batch,
    Fitted,
    Notice,
    Statistic,
    Statistics,
    param,
)
from normalizers.data.arrays import Array
from normalizers.hubness.base.bank_fit import BankNormalizer, fitted_bias, item_ids
from normalizers.hubness.base.item_bias import ItemBiasNormalizer
from normalizers.hubness.base.item_distributions import held_distributions
from normalizers.hubness.base.live import UNKNOWN, Live
from normalizers.hubness.base.nearest import NEAREST_EXAMPLE
from normalizers.statistics import ItemQuantiles


class GlobalCorrection(BankNormalizer):
    """Subtract from each score its rank among the bank's scores of the same item.

    ``s - rank``, ``rank = 1 + #{b: S[b, j] > s}``: an item is best for the query that it is nearest
    to among all, and equal ranks go by the score.

    Notes
    -----
    Of each item up to 256 distinct scores are kept exactly; beyond that a rank is off by at most
    the ``rank_error`` of the report. Scores are expected between -1 and 1, so that ranks decide.
    A candidate whose item the fit does not know has no rank: its score is missing, with
    ``unknown_item: raw`` it counts as the best. There is no way back.

    References
    ----------
    Dinu et al.: Improving zero-shot learning by mitigating the hubness problem, 2015. Code:
    artetxem/vecmap (eval_translation.py, invnn).

    Examples
    --------
    >>> from normalizers import GlobalCorrection
    >>> hub = GlobalCorrection().fit([[0.9, 0.2], [0.8, 0.4]])
    >>> hub.transform([[0.85, 0.6]]).round(4).tolist()
    [[-1.15, -0.4]]
    """

    name = "global_correction"
    aliases = {"gc": {}, "invnn": {}, "globally_corrected": {}}
    traits = replace(ItemBiasNormalizer.traits, options=frozenset())
    inverse_takes = NO_FIELDS
    strength = None
    center_bias = None
    example = replace(NEAREST_EXAMPLE, params={})

    unknown_item: Literal["mean_bias", "raw", "error"] | None = param(
        default=None,
        default_value="mean_bias",
        affects="answer",
        help="a candidate that the fit does not know: missing, of rank 1, or refused",
    )

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The distribution of every item's similarities."""
        return {"item_quantiles": ItemQuantiles(self.similarity is not None)}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the bank's similarities to those of every item."""
        kept = _kept(statistics).merge(item_quantiles_of(self.bank(batch), item_ids(batch)))
        return statistics.replace(item_quantiles=kept)

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the distribution of every item."""
        kept, sketch = _kept(statistics), _kept(statistics).sketch
        arrays = {"offsets": sketch.offsets, "values": sketch.values, "counts": sketch.counts}
        fitted = fitted_bias(np.zeros(kept.items), kept, {**arrays, "n": np.asarray(kept.n)})
        error = float(np.max(sketch.rank_error, initial=0.0))
        return Fitted(fitted.arrays, fitted.sizes, {"items": kept.items, "rank_error": error})

    def corrected(self, fitted: Fitted, live: Live) -> Array:
        """Return scores less their ranks."""
        scores = live.scores.values
        items = live.items
        if items is None:
            items = np.tile(np.arange(live.gallery), len(live.scores))
        known = items != UNKNOWN
        ranks = np.full(len(scores), 1.0 if self.unknown_item == "raw" else np.nan)
        ranks[known] = 1.0 + held_distributions(fitted).above(items[known], scores[known])
        return np.asarray(scores - ranks)

    def parts(self, fitted: Fitted, live: Live) -> dict[str, object]:
        """Return how many bank queries the ranks are among."""
        return {"bank_rows": int(fitted["n"])}

    def _certified(
        self, fitted: Fitted, live: Live, adjusted: Array, top_k: int
    ) -> tuple[dict[str, object], tuple[Notice, ...]]:
        """Return nothing: what lies outside a list has no bound here."""
        return {}, ()


def _kept(statistics: Statistics) -> ItemQuantiles:
    return cast(ItemQuantiles, statistics["item_quantiles"])
