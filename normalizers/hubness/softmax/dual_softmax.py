"""Dual softmax: each score weighted by the share of its query among all queries of its item."""

from __future__ import annotations

from typing import Literal

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    floats,
    notice,
    param,
    unwrap,
)
from normalizers.contract.traits import Traits
from normalizers.errors import InvalidInput
from normalizers.normalizer import Normalizer


class DualSoftmax(Normalizer):
    """Weight each score by the softmax over the queries of one item: ``q s softmax_q(s / T)``.

    `output` ``log`` is ``s / T + log_softmax_q(s / T)``, which keeps the order of negative scores
    too.

    Notes
    -----
    Transductive: a score depends on all queries of the request, and repeating a query changes the
    answers of the others. One query is refused, since its softmax is 1 everywhere; `on_few`
    ``identity`` gives its scores as they are, with a warning. A product of
    negative scores moves them towards 0, so that the order in a row may turn. Missing values are
    refused. Cost O(q g).

    References
    ----------
    Cheng et al.: Improving video-text retrieval by multi-stream corpus alignment and dual softmax
    loss, 2021. Code: starmemda/CAMoE (DSL.py).

    Examples
    --------
    >>> from normalizers import DualSoftmax
    >>> DualSoftmax().transform([[0.9, 0.2], [0.9, 0.4]]).round(4).tolist()
    [[0.9, 0.1801], [0.9, 0.4399]]
    """

    name = "dual_softmax"
    family = "hubness"
    kinds = ("stateless",)
    aliases = {"dsl": {}}
    traits = Traits(batch_invariant=False)
    takes = Fields(sims=floats("q g", help="live queries against the gallery"))
    gives = Fields(scores=floats("q g", help="weighted scores"))
    example = Example(input={"sims": [[0.9, 0.2], [0.9, 0.4]]})

    temperature: float | None = param(
        default=None, default_value=1.0, gt=0, affects="answer", help="of the softmax"
    )
    output: Literal["score", "log"] | None = param(
        default=None, default_value="score", affects="answer", help="the product, or its logarithm"
    )

    on_few: Literal["error", "identity"] | None = param(
        default=None,
        default_value="error",
        affects="answer",
        help="one query alone: refused, or its scores as they are",
    )

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return weighted scores."""
        sims = batch.array("sims")
        if len(sims) == 1 and self.on_few == "identity":
            message = "one query has no others to be weighed against: its scores are as they were"
            return Answer({"scores": sims}, warnings=(notice("single_query", message),))
        if len(sims) == 1:
            raise InvalidInput(
                "one query has no others to be weighed against; send all queries, or use a method "
                "that is fitted on a bank",
                path="input.sims",
            )
        with np.errstate(over="ignore", invalid="ignore"):
            scaled = sims / unwrap(self.temperature)
        if not np.isfinite(scaled).all():
            raise InvalidInput("a score over the temperature is too large", path="input.sims")
        largest = np.max(scaled, axis=0, initial=-np.inf)
        shifted = scaled - largest if len(sims) else scaled
        # Summed in ascending order: the order of the queries changes no bit.
        total = np.log(np.sum(np.sort(np.exp(shifted), axis=0), axis=0))
        weights = shifted - total if len(sims) else shifted
        formed = scaled + weights if self.output == "log" else sims * np.exp(weights) * len(sims)
        explain = {"weights": np.exp(weights).tolist()} if options.explain else None
        return Answer({"scores": formed}, explain=explain)
