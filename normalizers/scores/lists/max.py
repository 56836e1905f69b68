"""Max: scores divided by the largest one of their list, or of a stored sample."""

from __future__ import annotations

from collections.abc import Mapping
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
    Statistic,
    Statistics,
    Traits,
    param,
)
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import FitError, InvalidInput
from normalizers.kernels import segments
from normalizers.kernels.min_max import clamp
from normalizers.scores.lists.base.constant_rule import no_spread
from normalizers.scores.lists.base.loc_scale_of_lists import from_loc_and_scale, with_loc_scale
from normalizers.scores.lists.base.scoped import ScopedScoreMethod, require_one_column
from normalizers.statistics import Extrema

HINT = "use 'min_max', or set higher_is_better"


class Max(ScopedScoreMethod):
    """Divide scores by the largest one.

    ``value = score / highest``, the largest score of the list itself (``scope: query``) or of a
    stored sample (``scope: fitted``). Where lower scores are better all scores change their sign
    first.

    Notes
    -----
    A list, or a sample, whose largest score is not above 0 is refused: dividing by it would turn
    the order around. Missing scores follow `nan_policy`: refused with their position, or left out
    and missing in their place. Ties keep equal values, and a list of equal positive scores gives
    1. Values above 1 are clamped to it in the fitted scope, unless `clip` is false, and flagged
    ``clipped``; scores beyond the sample are flagged ``out_of_range``. Cost O(N).

    References
    ----------
    Lee, "Combining multiple evidence from different properties of weighting schemes", SIGIR 1995;
    the normalizer ``max`` of ranx.

    Examples
    --------
    >>> from normalizers import Max
    >>> Max().transform([8.0, 4.0, -2.0]).tolist()
    [1.0, 0.5, -0.25]
    """

    name = "max"
    traits = Traits(monotone=True)
    example = Example(input={"scores": [[12.7, 9.3, 0.4], [3.0], []]})

    clip: bool | None = param(
        default=None,
        resolves="true in the fitted scope, else false",
        affects="answer",
        help="clamp values to at most 1",
    )

    @property
    def gives(self) -> Fields:
        """Values, and for a list's own maximum what undoing needs."""
        return self.values_with_scale(
            "scores in units of the largest",
            "0: nothing is subtracted",
            "the largest score; 0 for an empty list",
        )

    @property
    def inverse_takes(self) -> Fields:
        """Values, and for a list's own maximum the ``loc`` and ``scale`` of the answer."""
        return self.gives

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The range."""
        return {"extrema": Extrema()} if self.fittable else {}

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Clamp in the fitted scope."""
        decided = super().defaults(statistics)
        return {**decided, "clip": decided["scope"] == "fitted"}

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the ends of the sample."""
        extrema = cast(Extrema, statistics["extrema"])
        require_one_column(len(extrema.min))
        lower, upper = float(extrema.min[0]), float(extrema.max[0])
        if self._highest(lower, upper) <= 0:
            raise FitError(f"the largest score of the sample is not above 0: {HINT}")
        arrays = {"lower": np.asarray(lower), "upper": np.asarray(upper)}
        warnings = no_spread("that one score becomes 1") if lower == upper else ()
        return Fitted(arrays, report={"range": [lower, upper]}, warnings=warnings)

    def normalized(self, fitted: Fitted, scores: Ragged, options: Options) -> Answer:
        """Return scores in units of the largest."""
        highest = self._of_lists(fitted, scores)
        # 0 stands for a list without a score: nothing there is divided.
        divisor = segments.broadcast(np.where(highest > 0, highest, 1.0), scores)
        raw = self.directed(scores).values / divisor + 0.0
        values = clamp(raw, high=1.0) if self.clip else raw
        answer = Answer({"values": scores.with_values(values)})
        answer = self.flag_scores(answer, scores, clipped=raw > values)
        answer = self.flag_beyond(answer, fitted, scores)
        if self.gives_loc_scale:
            answer = with_loc_scale(answer, np.zeros(len(scores)), self.sign * highest + 0.0)
        parts = [{"highest": self.sign * high + 0.0} for high in highest.tolist()]
        return replace(answer, explain=parts) if options.explain else answer

    def restored(self, fitted: Fitted, batch: Batch) -> Answer:
        """Return ``value highest``."""
        values = batch.ragged("values")
        if "scale" in batch:
            scores = from_loc_and_scale(values, batch.array("loc"), batch.array("scale"))
        else:
            highest = self._highest(float(fitted["lower"]), float(fitted["upper"]))
            scores = values.values * (self.sign * highest)
        answer = Answer({"scores": values.with_values(scores)})
        return self.flag_scores(answer, values, clipped=bool(self.clip) & (values.values >= 1))

    def _highest(self, lower: float, upper: float) -> float:
        """Return the largest score in the direction in which more is better."""
        return upper if self.higher_is_better else -lower

    def _of_lists(self, fitted: Fitted, scores: Ragged) -> Array:
        """Return the divisor of each list, 0 where nothing is observed."""
        if self.is_fitted_scope:
            highest = self._highest(float(fitted["lower"]), float(fitted["upper"]))
            return np.full(len(scores), highest)
        found = segments.maxima(self.directed(scores), ~np.isnan(scores.values))
        wrong = np.flatnonzero(found <= 0)
        if len(wrong):
            more = f" ({len(wrong)} of them)" if len(wrong) > 1 else ""
            raise InvalidInput(
                f"the largest score of a list is not above 0{more}: {HINT}",
                path=f"input.scores[{int(wrong[0])}]",
                positions=[(int(wrong[0]),)],
            )
        return np.nan_to_num(found)
