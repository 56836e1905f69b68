"""Hubless nearest neighbours: distances less the price of an item in a fair assignment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np

from normalizers.bases.bank_statistics import item_bias_of, transport_bias
from normalizers.bases.direction import ScoreType
from normalizers.contract import Batch, Example, Fitted, Statistic, Statistics, param, unwrap
from normalizers.hubness.base.bank_fit import fitted_bias, item_ids
from normalizers.hubness.base.tempered import TemperedNormalizer
from normalizers.statistics import ItemBias


class Hnn(TemperedNormalizer):
    """Add to each negated distance the price of its item: ``p_j - D[q, j]``.

    p are the item potentials of the entropic transport of bank queries to items, equal mass on
    both sides, at a `temperature` (the source's eps). The bias subtracted is -p, up to a constant.

    Notes
    -----
    The source climbs the dual by gradient steps; here the same problem is solved by `iterations`
    rounds of Sinkhorn's scaling, in logarithms. Fitted at once: all rounds need the whole bank.

    See Also
    --------
    Sinkhorn : The same of similarities, one round by default.

    References
    ----------
    Huang et al.: Hubless nearest neighbor search for bilingual lexicon induction, 2019. Code:
    baidu-research/HNN (HNN.py).

    Examples
    --------
    >>> from normalizers import Hnn
    >>> hub = Hnn(temperature=0.1).fit([[0.1, 0.8], [0.1, 0.6]])
    >>> hub.transform([[0.2, 0.4]]).argmax(axis=1).tolist()
    [1]
    """

    name = "hnn"
    aliases = {"hubless_nearest_neighbor": {}}
    example = Example(
        params={"beta": 10.0},
        fit={"bank_sims": [[0.1, 0.8, 0.9], [0.2, 0.6, 0.7]], "gallery_ids": ["a", "b", "c"]},
        input={"candidate_ids": [["a", "b"], ["c"]], "candidate_scores": [[0.2, 0.3], [0.5]]},
    )

    score_type: ScoreType | None = param(
        default=None,
        default_value="distance",
        affects="statistics",
        help="distances, which are negated, or similarities",
    )
    iterations: int | None = param(
        default=None, default_value=100, ge=1, affects="statistics", help="rounds of the scaling"
    )

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The bias of every item."""
        return {"item_bias": ItemBias(self.similarity is not None)}

    @property
    def streams(self) -> bool:
        """Whether a fit may be added up: it may not."""
        return False

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Find the price of every item."""
        bank = self.bank(batch)
        bias = transport_bias(bank, self.settled_beta(), unwrap(self.iterations))
        kept = cast(ItemBias, statistics["item_bias"])
        return statistics.replace(item_bias=kept.merge(item_bias_of(bank, bias, item_ids(batch))))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the bias of every item."""
        kept, beta = cast(ItemBias, statistics["item_bias"]), self.settled_beta()
        return fitted_bias(kept.item_bias, kept, {"beta": np.asarray(beta)}, {"beta": beta})
