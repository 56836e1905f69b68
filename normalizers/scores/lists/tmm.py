"""Theoretical min-max: from the worst score a function can give to the best of a list."""

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
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidParams
from normalizers.kernels import segments
from normalizers.kernels.min_max import clamp
from normalizers.scores.lists.base.constant_rule import no_spread
from normalizers.scores.lists.base.interval import Interval
from normalizers.scores.lists.base.loc_scale_of_lists import from_loc_and_scale, with_loc_scale
from normalizers.scores.lists.base.scoped import ScopedScoreMethod, require_one_column
from normalizers.statistics import Extrema

# The worst score of the similarities that have one.
THEORETICAL_MINIMA: Mapping[str, float] = {"bm25": 0.0, "cosine": -1.0, "cosine_distance": 2.0}


class TheoreticalMinMax(ScopedScoreMethod):
    """Scale scores to 0..1 between the theoretically worst score and the best one of the list.

    ``value = (score - worst) / (best - worst)``: `theoretical_min` is the worst score that the
    scoring function can give (0 for BM25, -1 for cosine), in input units also where lower scores
    are better (2 for a cosine distance). The best score is that of the list itself
    (``scope: query``) or of a stored sample (``scope: fitted``).

    Notes
    -----
    Unlike ``min_max`` the weakest hit of a list keeps what it is worth, but a lone hit still
    gives 1 in the query scope. Where the best score is not better than the theoretical minimum
    every value is 0. Missing scores follow `nan_policy`: refused with their position, or left out
    and missing in their place. Ties keep equal values. Values beyond 0..1 are clamped, unless
    `clip` is false, and flagged ``clipped``; scores beyond a stored sample are flagged
    ``out_of_range``. Cost O(N).

    References
    ----------
    Bruch, Gai and Ingber, "An analysis of fusion functions for hybrid retrieval", ACM TOIS 2023.

    Examples
    --------
    >>> from normalizers import TheoreticalMinMax
    >>> TheoreticalMinMax(theoretical_min=-1.0).transform([1.0, 0.5, 0.0]).tolist()
    [1.0, 0.75, 0.5]
    """

    name = "tmm"
    traits = Traits(monotone=True)
    aliases = {"theoretical_min_max": {}}
    example = Example(
        params={"theoretical_min": 0.0}, input={"scores": [[12.7, 9.3, 0.4], [3.0], []]}
    )

    theoretical_min: float | None = param(
        default=None,
        resolves="0 for bm25, -1 for cosine, 2 for cosine_distance; else required",
        affects="answer",
        help="the worst score that the scoring function can give",
    )
    clip: bool | None = param(
        default=None, default_value=True, affects="answer", help="clamp values to 0..1"
    )

    @property
    def worst(self) -> float:
        """The worst score that the scoring function can give.

        Raises
        ------
        InvalidParams
            Where neither it nor a similarity that has one is known.
        """
        worst = THEORETICAL_MINIMA.get(self.similarity or "")
        if self.theoretical_min is None and worst is None:
            raise InvalidParams(
                "name the worst score that the scoring function can give (0 for BM25, -1 for "
                "cosine), or one of these similarities: " + ", ".join(THEORETICAL_MINIMA),
                path="params.theoretical_min",
            )
        return unwrap(worst if self.theoretical_min is None else self.theoretical_min)

    @property
    def gives(self) -> Fields:
        """Values, and for a list's own best score what undoing needs."""
        return self.values_with_scale(
            "scores between 0 and 1",
            "the worst score",
            "the signed width; 0 where there is none",
        )

    @property
    def inverse_takes(self) -> Fields:
        """Values, and for a list's own best score the ``loc`` and ``scale`` of the answer."""
        return self.gives

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The range."""
        return {"extrema": Extrema()} if self.fittable else {}

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Take the theoretical minimum from the similarity."""
        worst = THEORETICAL_MINIMA.get(self.similarity or "")
        return {**super().defaults(statistics), "theoretical_min": worst}

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the ends of the sample."""
        extrema = cast(Extrema, statistics["extrema"])
        require_one_column(len(extrema.min))
        lower, upper = float(extrema.min[0]), float(extrema.max[0])
        arrays = {"lower": np.asarray(lower), "upper": np.asarray(upper)}
        warnings = no_spread("that one score counts as the best") if lower == upper else ()
        return Fitted(arrays, report={"range": [lower, upper]}, warnings=warnings)

    def normalized(self, fitted: Fitted, scores: Ragged, options: Options) -> Answer:
        """Return values between the worst and the best score."""
        interval = self._interval(fitted, scores)
        raw = interval.scale(scores.values, lambda flat, centred: np.zeros(len(flat)))
        values = clamp(raw, 0.0, 1.0) if self.clip else raw
        answer = Answer({"values": scores.with_values(values)})
        answer = self.flag_scores(answer, scores, clipped=(values < raw) | (values > raw))
        answer = self.flag_beyond(answer, fitted, scores)
        if self.gives_loc_scale:
            answer = with_loc_scale(answer, *interval.loc_scale(scores))
        return replace(answer, explain=interval.as_dicts(scores)) if options.explain else answer

    def restored(self, fitted: Fitted, batch: Batch) -> Answer:
        """Return scores from values."""
        values = batch.ragged("values")
        if "scale" in batch:
            scores = from_loc_and_scale(values, batch.array("loc"), batch.array("scale"))
        else:
            scores = self._interval(fitted, values).unscale(values.values, "zero")
        answer = Answer({"scores": values.with_values(scores)})
        ends = bool(self.clip) & ((values.values <= 0) | (values.values >= 1))
        return self.flag_scores(answer, values, clipped=ends)

    def _interval(self, fitted: Fitted, scores: Ragged) -> Interval:
        """Return the worst and the best score, both the worst where no score is better."""
        best = self._best(fitted, scores)
        # A list without a score, whose best is NaN, has no room either.
        reached = np.where(self.sign * best > self.sign * self.worst, best, self.worst)
        lower, upper = np.minimum(self.worst, reached), np.maximum(self.worst, reached)
        return Interval(lower, upper, unwrap(self.higher_is_better))

    def _best(self, fitted: Fitted, scores: Ragged) -> Array:
        """Return the best score that holds for each score, NaN where none is observed."""
        if self.is_fitted_scope:
            best = float(fitted["upper" if self.higher_is_better else "lower"])
            return np.full(len(scores.values), best)
        end = segments.maxima if self.higher_is_better else segments.minima
        return segments.broadcast(end(scores, ~np.isnan(scores.values)), scores)
