"""Banded min-max: min-max on a band whose lower end is above 0."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Traits,
    floats,
    like,
    lists,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.kernels import segments
from normalizers.scores.lists.base.constant_rule import ConstantRule
from normalizers.scores.lists.base.interval import Interval
from normalizers.scores.lists.base.loc_scale_of_lists import (
    from_loc_and_scale,
    require_one_a_list,
    with_loc_scale,
)
from normalizers.scores.lists.reciprocal_rank import PUBLISHED_K


class BandedMinMax(ConstantRule):
    """Squeeze min-max onto the band that reciprocal rank fusion spans on the same list.

    ``value = b + (1 - b) (score - lowest) / (highest - lowest)`` with ``b = (k + 1) / (k + n)``
    for a list of n scores: worst over best of ``1 / (k + rank)``. The last hit of a list so still
    counts for more than a document that the list lacks. Where lower scores are better the
    mirrored formula is used.

    Notes
    -----
    Missing scores follow `nan_policy`: refused with their position, or left out of the ends and
    of n, and missing in their place. Ties keep equal values. A lone hit gives 1; in a list
    without spread (maximum = minimum, exactly) min-max is `constant_value` (1.0), and the list is
    flagged ``constant``. The answer carries ``band`` (b), ``loc`` and ``scale`` by list, which
    the inverse takes. Cost O(N).

    References
    ----------
    The band is that of reciprocal rank fusion: Cormack, Clarke and Büttcher, SIGIR 2009.

    Examples
    --------
    >>> from normalizers import BandedMinMax
    >>> BandedMinMax(k=1.0).transform([9.0, 5.0, 1.0]).tolist()
    [1.0, 0.75, 0.5]
    """

    name = "banded_min_max"
    kinds = ("stateless",)
    traits = Traits(monotone=True)
    standard_constant = 1.0
    example = Example(input={"scores": [[12.7, 9.3, 0.4], [3.0], []]})

    k: float | None = param(
        default=None,
        default_value=PUBLISHED_K,
        affects="answer",
        gt=-1,
        help="constant of reciprocal rank fusion: larger ones make the band narrower",
    )

    @property
    def gives(self) -> Fields:
        """Values, and what undoing needs."""
        return Fields(
            values=like("scores", lists(help="scores between the band's lower end and 1")),
            band=floats("q", help="by list, the lower end of the band"),
            loc=floats("q", help="by list, the end that became the lower end of the band"),
            scale=floats("q", help="by list, the signed width; 0 for a constant list"),
        )

    @property
    def inverse_takes(self) -> Fields:
        """Values with the ``band``, ``loc`` and ``scale`` of the answer."""
        return self.gives

    def normalized(self, fitted: Fitted, scores: Ragged, options: Options) -> Answer:
        """Return values within the band."""
        interval = Interval.observed(scores, unwrap(self.higher_is_better))
        observed = ~np.isnan(scores.values)
        flat = interval.degenerate & observed
        line = interval.scale(scores.values, self.of_constant)
        band = self._band(segments.counts(scores, observed))
        values = _on_band(line, segments.broadcast(band, scores))
        if self.on_constant == "keep":
            values = np.where(flat, scores.values, values)
        answer = Answer({"values": scores.with_values(values), "band": band})
        answer = with_loc_scale(answer, *interval.loc_scale(scores))
        answer = self.flag_lists(answer, constant=segments.counts(scores, flat) > 0)
        parts = [
            {"band": low, **part}
            for low, part in zip(band.tolist(), interval.as_dicts(scores), strict=True)
        ]
        return replace(answer, explain=parts) if options.explain else answer

    def restored(self, fitted: Fitted, batch: Batch) -> Answer:
        """Return scores from values."""
        values, band = batch.ragged("values"), batch.array("band")
        require_one_a_list(values, band=band)
        low = segments.broadcast(band, values)
        # The band of one score is the point 1, where every value is the score's.
        line = (values.values - low) / np.where(low == 1, 1.0, 1 - low)
        on_line = values.with_values(line)
        scores = from_loc_and_scale(on_line, batch.array("loc"), batch.array("scale"))
        return Answer({"scores": values.with_values(scores)})

    def _band(self, n: Array) -> Array:
        """Return the lower end of the band of lists of `n` scores."""
        k = unwrap(self.k)
        return np.asarray((k + 1) / (k + np.maximum(n, 1)))


def _on_band(line: Array, band: Array) -> Array:
    """Return the band's point at each share of its way, exact at both ends."""
    # band + (1 - band) may miss 1 by a rounding.
    return np.where(line == 1, 1.0, band + (1 - band) * line)
