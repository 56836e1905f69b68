"""Boltzmann weights of percentiles."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    like,
    lists,
    param,
    unwrap,
)
from normalizers.contract.spellings import Spelling, reciprocal
from normalizers.data.ragged import Ragged
from normalizers.scores.lists.percentile import Percentile


class Boltzmann(Percentile):
    """Weigh percentiles exponentially: ``value = exp((p - 1) / temperature)``.

    ``p`` is the percentile of the score in the list itself (``scope: query``) or in a stored
    sample (``scope: fitted``), with the kinds of ``percentile``. The lower the temperature, the
    more the best scores count; values lie between ``exp(-1 / temperature)`` and 1.

    Notes
    -----
    The temperature is the same for every list, so lists of different length stay comparable.
    Equal scores get equal values, and no strictly increasing map of the scores changes any.
    Missing scores follow `nan_policy` and are never counted. Scores beyond a stored sample are
    flagged ``out_of_range``. A list of equal scores gives ``exp(-1 / (2 temperature))``
    throughout. The inverse of the fitted scope is approximate, as that of ``percentile``.
    Cost O(N log N).

    References
    ----------
    A weight of this form stands in "PhaseGraph", arXiv 2603.28886; the fixed temperature and the
    form with the percentile itself are definitions of this library.

    Examples
    --------
    >>> from normalizers import Boltzmann
    >>> Boltzmann(temperature=1.0, kind="weak").transform([9.0, 5.0]).round(4).tolist()
    [1.0, 0.6065]
    """

    name = "boltzmann"
    example = Example(
        fit={"scores": [12.7, 9.3, 8.0, 8.0, 3.2, 0.4]},
        input={"scores": [[9.3, 8.0, 5.0], [14.1], []]},
    )

    temperature: float | None = param(
        default=None,
        default_value=0.5,
        affects="answer",
        gt=0,
        help="how evenly percentiles are weighed",
    )
    beta: float | None = param(
        default=None,
        affects="answer",
        gt=0,
        spells=Spelling("temperature", reciprocal),
        help="1 / temperature, in its place",
    )

    @property
    def gives(self) -> Fields:
        """Weights."""
        return Fields(values=like("scores", lists(help="weights above 0 and up to 1")))

    @property
    def inverse_temperature(self) -> float:
        """The factor of the percentile in the exponent."""
        return 1 / unwrap(self.temperature)

    def normalized(self, fitted: Fitted, scores: Ragged, options: Options) -> Answer:
        """Return the weight of every score."""
        answer = super().normalized(fitted, scores, options)
        shares = cast(Ragged, answer.canonical("values")).values
        weights = np.exp((shares - 1) * self.inverse_temperature)
        return replace(answer, output={"values": scores.with_values(weights)})

    def restored(self, fitted: Fitted, batch: Batch) -> Answer:
        """Return a score for each weight."""
        weights = batch.ragged("values")
        # ln 0 = -inf is a share beyond the sample, which `out_of_bounds` rules; NaN passes.
        positive = np.where(weights.values <= 0, 0.0, weights.values)
        with np.errstate(divide="ignore"):
            shares = 1 + np.log(positive) / self.inverse_temperature
        return super().restored(fitted, batch.replace(values=weights.with_values(shares)))
