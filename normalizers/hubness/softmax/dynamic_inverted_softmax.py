"""Dynamic inverted softmax: only queries that go for a hub are corrected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Literal, cast

import numpy as np
from annotated_types import Gt

from normalizers.bases.bank_statistics import sums_and_counts_of
from normalizers.contract import (
    Answer,
    Batch,
    Fields,
    Fitted,
    Options,
    Statistic,
    Statistics,
    floats,
    integers,
    optional,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.hubness.base.activation import activated, of_rows
from normalizers.hubness.base.bank_fit import OCCURRENCES, PICTURES, item_ids
from normalizers.hubness.base.hub_report import occurrence_report
from normalizers.hubness.base.live import Live
from normalizers.hubness.softmax.inverted_softmax import InvertedSoftmax, sums_of
from normalizers.statistics import ItemCounts


class DynamicInvertedSoftmax(InvertedSoftmax):
    """Correct the scores of a query by `inverted_softmax` if its best item is among the bank's.

    The items that are among the `k` best of any bank query are active; a query whose best raw
    score is of an active item is corrected, as a whole, all others stay as they are. The answer
    tells which are (``activated``), and flags them.

    Notes
    -----
    The best item is that of the raw scores sent, ties the lowest position; of candidates it is
    the query's true best as long as the list holds that. Corrected and raw rows are in the same
    units in the default `output`; ``log`` and ``ratio`` are of activated rows only. A small bank
    activates few items. With `k` of the whole gallery it is `inverted_softmax`. The way back takes
    ``activated``. New items change who is best: fits are merged, not joined.

    See Also
    --------
    InvertedSoftmax : Every query is corrected.

    References
    ----------
    Bogolin et al.: Cross modal retrieval with querybank normalisation, 2022. Code:
    ioanacroi/qb-norm (dynamic_inverted_softmax.py).

    Examples
    --------
    >>> from normalizers import DynamicInvertedSoftmax
    >>> hub = DynamicInvertedSoftmax().fit([[0.9, 0.2, 0.1], [0.9, 0.4, 0.2]])
    >>> hub.transform([[0.8, 0.6, 0.1], [0.1, 0.6, 0.5]]).round(4).tolist()
    [[-0.1347, 0.1991, -0.1063], [0.1, 0.6, 0.5]]
    """

    name = "dynamic_inverted_softmax"
    aliases = {"dis": {}, "querybank": {}, "qb_norm": {"beta": 20.0, "k": 1}}
    presets = {"qb_norm": {"beta": 20.0, "k": 1}}
    traits = replace(InvertedSoftmax.traits, devices=("cpu",))
    gives = Fields(
        scores=floats("q g", flat="row", help="corrected scores, formed as the input"),
        activated=integers("q", help="1 where the query was corrected, else 0"),
    )

    beta: Annotated[float, Gt(0)] | Literal["auto"] | None = param(
        default=None, default_value=20.0, affects="statistics", help="inverse temperature"
    )
    k: int | None = param(
        default=None,
        default_value=1,
        ge=1,
        affects="statistics",
        help="best items of each bank query that are active",
    )

    @property
    def inverse_takes(self) -> Fields:
        """Corrected scores with the rows that were."""
        back = super().inverse_takes
        rows = optional(integers("q", help="which queries were corrected; by default all"))
        return back.with_fields(activated=rows) if back else back

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The log-sum-exp of every item, and how often it is among the best."""
        return {**super().keeps, "item_counts": ItemCounts(self.similarity is not None, k=self.k)}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the bank to the sums of every item, and to its occurrences."""
        beta, k = self.settled_beta(), unwrap(self.k)
        sums, counts = sums_and_counts_of(self.bank(batch), beta, k, item_ids(batch))
        return statistics.replace(
            log_sum_exp=sums_of(statistics).merge(sums),
            item_counts=_counts(statistics).merge(counts),
        )

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the bias of every item, and which are active."""
        fitted, counts = super().solve(statistics), _counts(statistics)
        active = (counts.counts > 0).astype(np.int64)
        share = float(np.mean(active)) if len(active) else None
        return replace(
            fitted,
            arrays={**fitted.arrays, "active": active},
            report={
                **fitted.report,
                "active_items": int(active.sum()),
                "active_share": share,
                OCCURRENCES: occurrence_report(
                    counts.counts, counts.n, unwrap(self.k), counts.item_ids
                ),
                "pictures": list(PICTURES),
            },
        )

    def corrected(self, fitted: Fitted, live: Live) -> Array:
        """Return the scores of activated queries less the bias of their items, the others."""
        rows = of_rows(self._rows(fitted, live), live)
        return np.where(rows, super().corrected(fitted, live), live.scores.values)

    def formed(self, adjusted: Array, fitted: Fitted, live: Live) -> Array:
        """Return activated rows in the form that is asked for."""
        if self.output == "bias":
            return adjusted
        rows = of_rows(self._rows(fitted, live), live)
        formed = adjusted.copy()
        formed[rows] = super().formed(adjusted[rows], fitted, live)
        return formed

    def answered(self, fitted: Fitted, live: Live, adjusted: Array) -> Answer:
        """Return which rows were corrected, and flag them."""
        rows = self._rows(fitted, live)
        answer = Answer({"activated": rows.astype(np.int64)})
        return answer.flagged("activated", np.flatnonzero(rows))

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return scores from corrected scores, adding the bias back where it was subtracted."""
        answer = super().undo(fitted, batch, options)
        if "activated" not in batch:
            return answer
        scores = batch.ragged("scores")
        raw = np.repeat(batch.array("activated") == 0, scores.lengths)
        sign = -1.0 if self.score_type == "distance" else 1.0
        (name,) = answer.output
        back = cast("object", answer.output[name])
        values = np.where(raw, sign * scores.values, back.values)  # type: ignore[attr-defined]
        return replace(answer, output={name: scores.with_values(values)})

    def _rows(self, fitted: Fitted, live: Live) -> Array:
        return activated(live, np.append(fitted["active"] > 0, False))


def _counts(statistics: Statistics) -> ItemCounts:
    return cast(ItemCounts, statistics["item_counts"])
