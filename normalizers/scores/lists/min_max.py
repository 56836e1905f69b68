"""Min-max: a list's scores, or any scores against stored ends, on a scale from 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Literal, cast

import numpy as np
from annotated_types import Len

from normalizers.contract import (
    NO_FIELDS,
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
from normalizers.kernels import segments
from normalizers.kernels.min_max import clamp, scaled_alone
from normalizers.scores.lists.base.bounds import PERCENT, Bounds, EndMode, check_bounds
from normalizers.scores.lists.base.constant_rule import ConstantRule
from normalizers.scores.lists.base.interval import Interval
from normalizers.scores.lists.base.loc_scale_of_lists import from_loc_and_scale, with_loc_scale
from normalizers.scores.lists.base.scoped import ScopedScoreMethod, require_one_column
from normalizers.statistics import Extrema, Quantiles


class MinMax(ConstantRule, ScopedScoreMethod):
    """Scale scores to 0..1 between a lower and an upper end.

    ``value = (score - lower) / (upper - lower)``; where lower scores are better the mirrored
    ``(upper - score) / (upper - lower)``. The ends are those of the list itself (``scope: query``),
    of a stored sample (``scope: fitted``), percentiles of either, or fixed numbers.

    Notes
    -----
    Missing scores follow `nan_policy`: refused with their position, or left out of the ends and
    missing in their place. Ties keep equal values. A list without spread (maximum = minimum,
    exactly) gives `constant_value` (1.0) and is flagged ``constant``; a stored sample without
    spread gives the difference to it. With the list's own ends a weak lone hit scores 1.0: use
    fitted or fixed ends where a threshold should mean something. Scores beyond a stored sample
    are flagged ``out_of_range`` and their share stands in the report. Monotone, except for the
    end mode ``apply``. Cost O(N), O(N log N) for percentiles.

    The list's own ends come back as ``loc`` and ``scale``, which the inverse takes; stored and
    fixed ends are known to it. Values that may have been clamped or lifted come back as the end
    and are flagged ``clipped``.

    References
    ----------
    Lee, "Analyses of multiple evidence combination", SIGIR 1997, for the formula; the modes of
    fixed ends are those of OpenSearch's normalization processor.

    Examples
    --------
    >>> from normalizers import MinMax
    >>> MinMax().transform([12.0, 7.0, 2.0]).tolist()
    [1.0, 0.5, 0.0]
    >>> MinMax().fit([0.0, 10.0]).transform([[5.0], [20.0, 1.0]])
    [array([0.5]), array([1. , 0.1])]
    """

    name = "min_max"
    traits = Traits(monotone=True)
    standard_constant = 1.0
    aliases = {
        "minmax": {},
        "relative_score": {},
        "normalize_linear": {},
        "min_max_inverted": {"higher_is_better": False},
    }
    presets = {
        "opensearch": {"floor": 0.001, "floor_lifts": "zero"},
        "elasticsearch": {"constant_value": 1.0},
        "weaviate": {"constant_value": 1.0},
        "vespa": {"constant_value": 0.5, "nan_policy": "propagate"},
        "llama_index": {"on_constant": "one_if_positive"},
        "ranx": {"constant_value": 0.0},
        "sklearn": {"constant_value": 0.0},
    }
    example = Example(input={"scores": [[12.7, 9.3, 0.4], [3.0], []]})

    bounds: Bounds | None = param(
        default=None,
        default_value="observed",
        fits_when=lambda bounds: bounds != "fixed",
        affects="statistics",
        help="which ends: smallest and largest score, two percentiles, or fixed numbers",
    )
    lower: float | None = param(default=None, affects="answer", help="lower end of fixed bounds")
    upper: float | None = param(default=None, affects="answer", help="upper end of fixed bounds")
    lower_mode: EndMode | None = param(
        default=None,
        resolves="clip with fixed bounds",
        affects="answer",
        help="what a score below a fixed lower end does",
    )
    upper_mode: EndMode | None = param(
        default=None,
        resolves="clip with fixed bounds",
        affects="answer",
        help="what a score above a fixed upper end does",
    )
    quantile_range: Annotated[list[float], Len(2, 2)] | None = param(
        default=None,
        resolves="[5, 95] with percentile bounds",
        affects="solution",
        help="the two percentiles, 0..100",
    )
    quantiles_exact_limit: int | None = param(
        default=None,
        resolves="1,000,000 with fitted percentile bounds",
        affects="statistics",
        ge=1,
        help="distinct scores that a fitted sample keeps; more are sketched",
    )
    floor_lifts: Literal["below", "zero"] | None = param(
        default=None,
        default_value="below",
        affects="answer",
        help="which values become floor: all below it, or exactly 0 as OpenSearch does",
    )
    clip: bool | None = param(
        default=None,
        resolves="true with percentile or fitted ends, else false",
        affects="answer",
        help="clamp values to 0..1",
    )

    @property
    def gives_loc_scale(self) -> bool:
        """Whether the ends are those of the list itself."""
        return super().gives_loc_scale and self.bounds != "fixed"

    @property
    def gives(self) -> Fields:
        """Values, and for the list's own ends what undoing needs."""
        return self.values_with_scale(
            "scores between 0 and 1",
            "the end that became 0",
            "the signed width; 0 for a constant list",
        )

    @property
    def inverse_takes(self) -> Fields:
        """Values, and for the list's own ends the ``loc`` and ``scale`` of the answer."""
        own_end = {self.lower_mode, self.upper_mode} & {"ignore", "apply"}
        return NO_FIELDS if own_end else self.gives

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Extrema, or quantiles for percentile bounds."""
        if not self.fittable:
            return {}
        if self.bounds == "percentile":
            return {"quantiles": Quantiles(self.quantiles_exact_limit or Quantiles.EXACT_LIMIT)}
        return {"extrema": Extrema()}

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Decide what depends on the scope and the kind of bounds."""
        decided = super().defaults(statistics)
        is_fitted = decided["scope"] == "fitted"
        decided["clip"] = is_fitted
        if self.bounds == "percentile":
            decided |= {"quantile_range": [5.0, 95.0], "clip": True}
            if is_fitted:
                decided["quantiles_exact_limit"] = Quantiles.EXACT_LIMIT
        if self.bounds == "fixed":
            decided |= {"lower_mode": "clip", "upper_mode": "clip"}
        return decided

    def check(self, path: str) -> None:
        """Refuse ends that cannot be ends."""
        check_bounds(self.bounds, self.scope, self.explicit_params, path)

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the two ends."""
        if self.bounds == "percentile":
            quantiles = cast(Quantiles, statistics["quantiles"])
            ends = quantiles.quantile(np.array(unwrap(self.quantile_range)) / PERCENT)
        else:
            extrema = cast(Extrema, statistics["extrema"])
            ends = np.stack([extrema.min, extrema.max])
        require_one_column(ends.shape[1])
        arrays = {"lower": np.asarray(ends[0, 0]), "upper": np.asarray(ends[1, 0])}
        warnings = self.constant_warnings(constant=bool(ends[0, 0] == ends[1, 0]))
        return Fitted(arrays, report={"range": ends[:, 0].tolist()}, warnings=warnings)

    def normalized(self, fitted: Fitted, scores: Ragged, options: Options) -> Answer:
        """Return values between the ends."""
        if len(scores) == 1 and self._by_own_ends and not options.explain:
            scaled = scaled_alone(scores.values, higher_is_better=bool(self.higher_is_better))
            if scaled is not None:
                values, loc, scale = scaled
                output = {"values": scores.with_values(values)}
                return Answer({**output, "loc": np.array([loc]), "scale": np.array([scale])})
        interval = self._interval(fitted, scores)
        # The rule of a sample whose ends meet is for every score, wherever it lies.
        sided = not self.is_fitted_scope and self.on_constant != "keep"
        raw = interval.scale(scores.values, self.of_constant, sided=sided)
        values = self._clamped(raw, scores.values, interval)
        answer = Answer({"values": scores.with_values(values)})
        if self.gives_loc_scale:
            answer = with_loc_scale(answer, *interval.loc_scale(scores))
        flat = segments.counts(scores, interval.degenerate & ~np.isnan(scores.values)) > 0
        answer = self.flag_lists(answer, constant=flat)
        answer = self.flag_scores(answer, scores, clipped=(values < raw) | (values > raw))
        answer = self.flag_beyond(answer, fitted, scores)
        return replace(answer, explain=interval.as_dicts(scores)) if options.explain else answer

    def restored(self, fitted: Fitted, batch: Batch) -> Answer:
        """Return scores from values."""
        values = batch.ragged("values")
        if "loc" in batch:
            scores = from_loc_and_scale(values, batch.array("loc"), batch.array("scale"))
        else:
            interval = self._interval(fitted, values)
            scores = interval.unscale(values.values, unwrap(self.on_constant))
        clamps = bool(self.clip) or "clip" in (self.lower_mode, self.upper_mode)
        clamped = clamps & ((values.values <= 0) | (values.values >= 1))
        answer = Answer({"scores": values.with_values(scores)})
        return self.flag_scores(answer, values, clipped=clamped)

    def lifted(self, values: Array, floor: float) -> Array:
        """Return values with those below `floor`, or those of 0, lifted to it."""
        if self.floor_lifts == "zero":
            return np.where(values == 0, floor, values)
        return super().lifted(values, floor)

    def was_lifted(self, values: Array, floor: float) -> Array:
        """Return which values a floor may have lifted."""
        return values == floor if self.floor_lifts == "zero" else super().was_lifted(values, floor)

    @property
    def _by_own_ends(self) -> bool:
        """Whether the ends are what a list observes, and nothing is clamped."""
        return self.bounds == "observed" and not (self.clip or self.is_fitted_scope)

    def _interval(self, fitted: Fitted, scores: Ragged) -> Interval:
        """Return the ends of each score, whichever bounds were chosen."""
        higher = unwrap(self.higher_is_better)
        if self.is_fitted_scope:
            lower, upper = float(fitted["lower"]), float(fitted["upper"])
            return Interval.stored(scores, lower, upper, higher)
        if self.bounds == "percentile":
            return Interval.percentiles(scores, unwrap(self.quantile_range), higher)
        observed = Interval.observed(scores, higher)
        if self.bounds == "fixed":
            below: EndMode = unwrap(self.lower_mode)
            above: EndMode = unwrap(self.upper_mode)
            return observed.fixed(scores.values, self.lower, self.upper, below, above)
        return observed

    def _clamped(self, values: Array, scores: Array, interval: Interval) -> Array:
        if self.lower_mode == "clip":
            values = np.where(scores < interval.lower, interval.below, values)
        if self.upper_mode == "clip":
            values = np.where(scores > interval.upper, 1.0 - interval.below, values)
        if not self.clip:
            return values
        # What on_constant names stays even outside 0..1; scale_one answers a difference, which is
        # clamped as others are.
        chosen = interval.degenerate & (self.on_constant != "scale_one")
        return np.where(chosen, values, clamp(values, 0.0, 1.0))
