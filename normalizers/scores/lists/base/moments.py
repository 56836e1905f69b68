"""Location and scale of score lists: deviations from a mean, and what each method makes of them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Fields,
    Fitted,
    Options,
    Statistics,
    Traits,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import FitError, InvalidInput
from normalizers.kernels import list_scales, segments
from normalizers.kernels.loc_scale import restore, standardize
from normalizers.scores.base.score_method import in_place
from normalizers.scores.lists.base.constant_rule import ConstantRule
from normalizers.scores.lists.base.loc_scale_of_lists import require_one_a_list, with_loc_scale
from normalizers.scores.lists.base.ranged_moments import RangedMoments
from normalizers.scores.lists.base.scoped import (
    require_one_column,
    require_storable_scores,
)
from normalizers.statistics import Extrema, Moments


@dataclass(frozen=True)
class Deviations:
    """Directed scores in deviations from a mean.

    Parameters
    ----------
    z : array of shape (N,)
        NaN where a score is missing; the difference itself where the scale is 0.
    loc, scale : array of shape (q,)
        By list, ``directed score = loc + scale z``; the scale is 0 without spread.
    """

    z: Array
    loc: Array
    scale: Array


class MomentList(ConstantRule, RangedMoments):
    """Base of the methods that map ``z = (score - mean) / std`` by one increasing function."""

    traits = Traits(monotone=True)

    ddof: int | None = param(
        default=None,
        default_value=0,
        ge=0,
        le=1,
        affects="solution",
        help="the variance is the sum of squares over n - ddof",
    )

    @property
    def gives(self) -> Fields:
        """Values, and for a list's own statistics what undoing needs."""
        return self.values_with_scale(
            "normalized scores", "the mean", "the signed deviation; 0 for a constant list"
        )

    @property
    def inverse_takes(self) -> Fields:
        """Values, and for a list's own statistics the ``loc`` and ``scale`` of the answer."""
        return self.gives

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the scores; one too large or too small to be squared is refused."""
        require_storable_scores(batch)
        return super().accumulate(statistics, batch)

    @abstractmethod
    def curve(self, z: Array) -> Array:
        """Return the value at each deviation; NaN stays NaN."""

    @abstractmethod
    def deviation(self, values: Array) -> tuple[Array, Array]:
        """Return the deviation that gives each value, and which values lie at an end."""

    def solve(self, statistics: Statistics) -> Fitted:
        """Return mean and deviation, and the range where it is known."""
        moments = cast(Moments, statistics["moments"])
        require_one_column(len(moments.mean))
        extrema = cast("Extrema | None", statistics.get("extrema"))
        # The range is exact where it is known; moments know equal scores up to rounding.
        constant = moments.constant if extrema is None else extrema.constant
        scale = 0.0 if constant[0] else float(moments.std(unwrap(self.ddof))[0])
        if np.isnan(scale):
            raise FitError("one score has no deviation with ddof 1: fit more, or name ddof: 0")
        arrays = {"loc": moments.mean[0], "scale": np.asarray(scale)}
        report: dict[str, object] = {"mean": float(moments.mean[0]), "std": scale}
        if extrema is not None:
            arrays |= {"lower": extrema.min[0], "upper": extrema.max[0]}
            report["range"] = [float(extrema.min[0]), float(extrema.max[0])]
        return Fitted(
            {name: np.asarray(number) for name, number in arrays.items()},
            report=report,
            warnings=self.constant_warnings(constant=scale == 0),
        )

    def normalized(self, fitted: Fitted, scores: Ragged, options: Options) -> Answer:
        """Return the value of every score."""
        found = self._against(fitted, scores) if self.is_fitted_scope else self._own(scores)
        observed = ~np.isnan(scores.values)
        flat = observed & (segments.broadcast(found.scale, scores) == 0)
        raw = self.curve(found.z)
        values = np.array(self.adjusted(raw, scores))
        clipped = self.clips & ((values < raw) | (values > raw))
        values[flat] = self.of_constant(scores.values[flat], values[flat])
        answer = Answer({"values": scores.with_values(values)})
        answer = self.flag_lists(answer, constant=segments.counts(scores, flat) > 0)
        answer = self.flag_scores(answer, scores, clipped=clipped & ~flat)
        answer = self.flag_beyond(answer, fitted, scores)
        if self.gives_loc_scale:
            loc, scale = self.sign * found.loc + 0.0, self.sign * found.scale + 0.0
            answer = with_loc_scale(answer, loc, scale)
        return replace(answer, explain=self._parts(scores, found)) if options.explain else answer

    def restored(self, fitted: Fitted, batch: Batch) -> Answer:
        """Return the score of every value."""
        values = batch.ragged("values")
        loc, scale = self._sent(fitted, batch, values)
        flat = segments.broadcast(scale == 0, values)
        middle = self.curve(np.zeros(1))
        # Scores without spread are all at their mean: the deviation 0, whatever they became.
        z, at_an_end = self.deviation(np.where(flat, middle, values.values))
        restored = restore(z, segments.broadcast(loc, values), segments.broadcast(scale, values))
        if self.is_fitted_scope and self.on_constant == "keep":
            restored = np.where(flat, values.values, restored)
        scores = np.where(np.isnan(values.values), np.nan, restored)
        answer = Answer({"scores": values.with_values(scores)})
        return self.flag_scores(answer, values, clipped=at_an_end)

    @property
    def clips(self) -> bool:
        """Whether `adjusted` clamps values."""
        return False

    def adjusted(self, values: Array, scores: Ragged) -> Array:
        """Return the values as a variant of the method has them."""
        return values

    def _own(self, scores: Ragged) -> Deviations:
        observed = ~np.isnan(scores.values)
        kept = segments.compress(self.directed(scores), observed)
        own = list_scales.standard_scores(kept, unwrap(self.ddof))
        if np.isinf(own.scale).any():
            raise InvalidInput(
                "a list's scores lie too far apart for a float64", path="input.scores"
            )
        return Deviations(in_place(own.values, observed), own.loc, own.scale)

    def _against(self, fitted: Fitted, scores: Ragged) -> Deviations:
        loc, scale = float(fitted["loc"]), float(fitted["scale"])
        # Without a spread (x - loc) / 1 is what scale_one answers; other rules replace it.
        z = self.sign * standardize(scores.values, loc, scale or 1.0)
        return Deviations(z, np.full(len(scores), self.sign * loc), np.full(len(scores), scale))

    def _sent(self, fitted: Fitted, batch: Batch, values: Ragged) -> tuple[Array, Array]:
        """Return by list the signed ``loc`` and ``scale``; a scale of 0 where only `loc` counts."""
        if "loc" in batch:
            require_one_a_list(values, loc=batch.array("loc"), scale=batch.array("scale"))
            return batch.array("loc"), batch.array("scale")
        loc, scale = float(fitted["loc"]), float(fitted["scale"])
        if not scale and self.on_constant == "scale_one":
            scale = 1.0
        return np.full(len(values), loc), np.full(len(values), self.sign * scale)

    def _parts(self, scores: Ragged, found: Deviations) -> list[dict[str, object]]:
        n = segments.counts(scores, ~np.isnan(scores.values))
        return [
            {"n": int(count), "mean": self.sign * mean + 0.0, "std": std}
            for count, mean, std in zip(n, found.loc.tolist(), found.scale.tolist(), strict=True)
        ]
