"""Balanced assignment of a block of queries to items, so that no item takes all of them."""

from __future__ import annotations

import numpy as np

from normalizers.bases.direction import ScoreType
from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Traits,
    floats,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput
from normalizers.kernels.logspace import log_softmax
from normalizers.normalizer import Normalizer


class SinkhornAssignment(Normalizer):
    """Assign queries to items by Sinkhorn's scaling: every item gets about equal mass.

    ``A = (D - mean) / sd`` over all distances, ``Q = exp(-beta (A - min A))``, then `iterations`
    rounds: each item's mass to 1/g, each query's to 1/q. The rows of the answer add up to 1.

    Notes
    -----
    Transductive: the answer for a query depends on all others. Rows are exact after the last half
    of a round, item masses only roughly equal; the report has their ends. The deviation is that
    of a sample; ``a D + b`` with a > 0 gives the same assignment. Equal distances, and one alone,
    are assigned evenly; one query of several items is refused. Everything is a logarithm. Missing
    values are refused. Cost O(q g) a round.

    See Also
    --------
    Sinkhorn : Fitted on a bank, one query at a time.

    References
    ----------
    Zhang et al.: Preventing local pitfalls in vector quantization via optimal transport, 2024.
    Code: zbr17/OptVQ (src/optvq/models/quantizer.py).

    Examples
    --------
    >>> from normalizers import SinkhornAssignment
    >>> SinkhornAssignment().transform([[0.0, 1.0], [0.2, 1.0]]).round(2).tolist()
    [[0.86, 0.14], [0.12, 0.88]]
    """

    name = "sinkhorn_assignment"
    family = "hubness"
    kinds = ("stateless",)
    aliases = {"balanced_assignment": {}, "optvq": {}}
    traits = Traits(batch_invariant=False)
    takes = Fields(sims=floats("q g", help="distances of queries to items, or similarities"))
    gives = Fields(scores=floats("q g", help="shares of each query; rows add up to 1"))
    example = Example(input={"sims": [[0.0, 1.0], [0.2, 1.0]]})

    beta: float | None = param(
        default=None, default_value=10.0, gt=0, affects="answer", help="of standardized distances"
    )
    iterations: int | None = param(
        default=None, default_value=5, ge=1, le=10_000, affects="answer", help="rounds"
    )
    score_type: ScoreType | None = param(
        default=None,
        default_value="distance",
        affects="answer",
        help="distances, or similarities, which are negated",
    )

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the assignment."""
        sims = np.ascontiguousarray(batch.array("sims"))
        if not sims.size:
            return Answer({"scores": sims})
        if len(sims) == 1 and sims.shape[1] > 1:
            raise InvalidInput(
                "one query alone gets an equal share of every item; send all queries that items "
                "are shared among",
                path="input.sims",
            )
        logarithms = self._exponents(sims if self.score_type == "distance" else -sims)
        for _ in range(unwrap(self.iterations)):
            logarithms = _of_items(logarithms)
            logarithms = log_softmax(logarithms, axis=1)
        shares = np.exp(logarithms)
        masses = np.sort(shares, axis=0).mean(axis=0)
        report = {"item_mass_min": float(masses.min()), "item_mass_max": float(masses.max())}
        explain = {"item_masses": masses.tolist()} if options.explain else None
        return Answer({"scores": shares}, report=report, explain=explain)

    def _exponents(self, distances: Array) -> Array:
        # Divided by the largest first: neither the mean nor a square overflows.
        largest = float(np.max(np.abs(distances)))
        scaled = distances / largest if largest else distances
        if scaled.max() == scaled.min():
            return np.zeros_like(scaled)
        spread = float(np.std(np.sort(scaled, axis=None), ddof=1))
        return np.asarray(-unwrap(self.beta) * (scaled - scaled.min()) / spread)


def _of_items(logarithms: Array) -> Array:
    """Return the log-softmax over queries, summed in ascending order: theirs changes no bit."""
    shifted = logarithms - np.max(logarithms, axis=0)
    return np.asarray(shifted - np.log(np.sum(np.sort(np.exp(shifted), axis=0), axis=0)))
