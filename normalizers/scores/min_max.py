"""Min-max: a list's scores, or any scores against stored ends, on a scale from 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Literal, cast

import numpy as np
from annotated_types import Len

from normalizers.answer import Answer, Options
from normalizers.arrays import Array
from normalizers.batch import Batch
from normalizers.errors import InvalidParams
from normalizers.fields import Fields, floats, like, lists
from normalizers.fitted import Fitted
from normalizers.kernels import segments
from normalizers.kernels.bounded import rescale
from normalizers.kernels.locscale import restore
from normalizers.normalizer import Example
from normalizers.parameters import known, param
from normalizers.ragged import Ragged
from normalizers.scores.ends import (
    PERCENT,
    EndMode,
    Ends,
    fixed_ends,
    observed_ends,
    percentile_ends,
    stored_ends,
)
from normalizers.scores.lists import ListNormalizer, OnConstant, constant_answer
from normalizers.statistics import Extrema, Quantiles, Statistic, Statistics


class MinMax(ListNormalizer):
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
    fitted or fixed ends where a threshold should mean something. Cost O(N).

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
    kinds = ("stateless", "fitted")
    aliases = {
        "minmax": {},
        "relative_score": {},
        "normalize_linear": {},
        "min_max_inverted": {"higher_is_better": False},
    }
    presets = {"opensearch": {"floor": 0.001}}
    example = Example(
        params={"constant_value": 1.0}, given={"scores": [[12.7, 9.3, 0.4], [3.0], []]}
    )

    bounds: Literal["observed", "percentile", "fixed"] | None = param(
        default=None,
        standard="observed",
        affects="statistics",
        help="which ends: smallest and largest score, two percentiles, or fixed numbers",
    )
    lower: float | None = param(
        default=None, affects="answer", help="lower end of fixed bounds, in input units"
    )
    upper: float | None = param(
        default=None, affects="answer", help="upper end of fixed bounds, in input units"
    )
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
        help="distinct scores that a fitted sample keeps exactly",
    )
    clip: bool | None = param(
        default=None,
        resolves="true with percentile or fitted ends, else false",
        affects="answer",
        help="clamp values to 0..1",
    )
    floor: float | None = param(
        default=None, affects="answer", help="values below it are lifted to it"
    )
    on_constant: OnConstant | None = param(
        default=None,
        resolves="value for the list's own ends, scale_one for stored ones",
        affects="answer",
        help="what scores without spread give",
    )
    constant_value: float | None = param(
        default=None,
        resolves="1.0 with on_constant: value",
        affects="answer",
        help="the number that scores without spread give",
    )

    @property
    def gives(self) -> Fields:
        """Values, and for the list's own ends what undoing needs."""
        values = like("scores", lists(help="scores between 0 and 1"))
        if self.is_fitted_scope or self.bounds == "fixed":
            return Fields(values=values)
        return Fields(
            values=values,
            loc=floats("q", help="what was subtracted, by list"),
            scale=floats("q", help="what divided, by list; 0 for a constant list"),
        )

    @property
    def returns(self) -> Fields:
        """Values, and for the list's own ends the ``loc`` and ``scale`` of the answer."""
        if {self.lower_mode, self.upper_mode} & {"ignore", "apply"}:
            return Fields()
        return self.gives

    @property
    def fittable(self) -> bool:
        """Whether it can be fitted: fixed ends need no fit."""
        return super().fittable and self.bounds != "fixed"

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Extrema, or quantiles for percentile bounds."""
        if not self.fittable:
            return {}
        if self.bounds == "percentile":
            return {"quantiles": Quantiles(known(self.quantiles_exact_limit))}
        return {"extrema": Extrema()}

    def resolve(self, statistics: Statistics | None) -> dict[str, object]:
        """Decide what depends on the scope and the kind of bounds."""
        scope = super().resolve(statistics)["scope"]
        own_ends = scope == "query" and self.bounds in (None, "observed")
        decided: dict[str, object] = {"scope": scope, "clip": not own_ends}
        if self.bounds == "percentile":
            decided["quantile_range"] = [5.0, 95.0]
            if scope == "fitted":
                decided["quantiles_exact_limit"] = Quantiles.EXACT_LIMIT
        if self.bounds == "fixed":
            decided |= {"lower_mode": "clip", "upper_mode": "clip", "clip": False}
        return decided | self._on_constant(str(scope))

    def validated(self, path: str = "params") -> MinMax:
        """Return a checked copy; ends that cannot be ends are refused."""
        checked = super().validated(path)
        if checked.bounds == "fixed":
            _check_fixed(checked, path)
        elif checked.given.keys() & {"lower", "upper", "lower_mode", "upper_mode"}:
            raise InvalidParams("lower and upper need bounds: 'fixed'", path=f"{path}.bounds")
        _check_percentiles(checked.quantile_range, path)
        return checked

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the sample to the extrema or quantiles."""
        name = next(iter(statistics))
        kept = cast("Extrema | Quantiles", statistics[name])
        return statistics.replace(**{name: kept.update(batch.ragged("scores").values[:, None])})

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the two ends."""
        if self.bounds == "percentile":
            quantiles = cast(Quantiles, statistics["quantiles"])
            low, high = known(self.quantile_range)
            ends = quantiles.quantile(np.array([low, high]) / PERCENT).reshape(2)
        else:
            extrema = cast(Extrema, statistics["extrema"])
            ends = np.array([extrema.min[0], extrema.max[0]])
        return Fitted({"lower": ends[0], "upper": ends[1]}, report={"range": ends.tolist()})

    def apply(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        """Return values between the ends."""
        scores = given.ragged("scores")
        ends = self._ends(fitted, scores)
        raw = self._values(scores, ends)
        values = self._clamped(raw, scores.values)
        constant = ends.constant & (segments.counts(scores, ~np.isnan(scores.values)) > 0)
        answer = self._with_ends(scores.with_values(self._lifted(values)), ends)
        answer = self.flag_lists(answer, constant=constant)
        answer = self.flag_scores(
            answer, scores, clipped=values != raw, **self._beyond(scores, ends)
        )
        return replace(answer, explain=_parts(scores, ends)) if options.explain else answer

    def undo(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        """Return scores from values."""
        values = given.ragged("values")
        if "loc" in given:
            loc = segments.spread(given.array("loc"), values)
            scale = segments.spread(given.array("scale"), values)
            return Answer({"scores": values.with_values(restore(values.values, loc, scale))})
        ends = self._ends(fitted, values)
        first, last = self._directed(ends)
        width = np.where(segments.spread(ends.constant, values), 1.0, last - first)
        answer = Answer({"scores": values.with_values(restore(values.values, first, width))})
        at_end = (values.values <= 0) | (values.values >= 1)
        return self.flag_scores(answer, values, clipped=at_end & self._clamps)

    @property
    def _clamps(self) -> bool:
        return bool(self.clip) or "clip" in (self.lower_mode, self.upper_mode)

    def _ends(self, fitted: Fitted, scores: Ragged) -> Ends:
        if self.bounds == "fixed":
            return fixed_ends(
                scores,
                -np.inf if self.lower is None else self.lower,
                np.inf if self.upper is None else self.upper,
                known(self.lower_mode),
                known(self.upper_mode),
            )
        if self.is_fitted_scope:
            return stored_ends(scores, float(fitted["lower"]), float(fitted["upper"]))
        if self.bounds == "percentile":
            return percentile_ends(scores, *known(self.quantile_range))
        return observed_ends(scores)

    def _directed(self, ends: Ends) -> tuple[Array, Array]:
        return (ends.lower, ends.upper) if self.higher_is_better else (ends.upper, ends.lower)

    def _values(self, scores: Ragged, ends: Ends) -> Array:
        first, last = self._directed(ends)
        spread = ends.lower < ends.upper
        values = np.full(len(scores.values), np.nan)
        values[spread] = rescale(scores.values[spread], first[spread], last[spread])
        flat = ~spread & ~np.isnan(scores.values)
        centred = scores.values[flat] - first[flat]
        values[flat] = constant_answer(
            scores.values[flat],
            centred if self.higher_is_better else -centred,
            self.on_constant or "value",
            1.0 if self.constant_value is None else self.constant_value,
            self.name,
        )
        return values

    def _clamped(self, values: Array, scores: Array) -> Array:
        if self.clip:
            values = np.clip(values, 0.0, 1.0)
        worst, best = (0.0, 1.0) if self.higher_is_better else (1.0, 0.0)
        if self.lower_mode == "clip":
            values = np.where(scores < known(self.lower), worst, values)
        if self.upper_mode == "clip":
            values = np.where(scores > known(self.upper), best, values)
        return values

    def _lifted(self, values: Array) -> Array:
        return values if self.floor is None else np.maximum(values, self.floor)

    def _beyond(self, scores: Ragged, ends: Ends) -> dict[str, Array]:
        if not self.is_fitted_scope:
            return {}
        return {"out_of_range": (scores.values < ends.lower) | (scores.values > ends.upper)}

    def _with_ends(self, values: Ragged, ends: Ends) -> Answer:
        if "loc" not in self.gives:
            return Answer({"values": values})
        first, last = self._directed(ends)
        starts = values.offsets[:-1][values.lengths > 0]
        loc, scale = np.zeros(len(values)), np.zeros(len(values))
        filled = values.lengths > 0
        loc[filled], scale[filled] = first[starts], (last - first)[starts]
        return Answer({"values": values, "loc": loc, "scale": scale})

    def _on_constant(self, scope: str) -> dict[str, object]:
        if self.on_constant not in (None, "value"):
            return {}
        if self.on_constant is None and self.constant_value is None and scope == "fitted":
            return {"on_constant": "scale_one"}
        return {"on_constant": "value", "constant_value": 1.0}


def _check_fixed(method: MinMax, path: str) -> None:
    if method.named_scope == "fitted":
        raise InvalidParams("fixed bounds need no fit: leave out scope", path=f"{path}.scope")
    for end, mode in (("lower", method.lower_mode), ("upper", method.upper_mode)):
        if getattr(method, end) is None and mode != "ignore":
            raise InvalidParams(f"bounds 'fixed' need '{end}'", path=f"{path}.{end}")
    if method.lower is not None and method.upper is not None and method.lower >= method.upper:
        raise InvalidParams("lower must be below upper", path=f"{path}.lower")


def _check_percentiles(quantile_range: list[float] | None, path: str) -> None:
    if quantile_range is None:
        return
    low, high = quantile_range
    if not 0 <= low < high <= PERCENT:
        raise InvalidParams(
            "quantile_range is two percentiles, 0 <= low < high <= 100",
            path=f"{path}.quantile_range",
        )


def _parts(scores: Ragged, ends: Ends) -> list[dict[str, float]]:
    starts = scores.offsets[:-1]
    return [
        {"lower": float(ends.lower[start]), "upper": float(ends.upper[start])} if length else {}
        for start, length in zip(starts, scores.lengths, strict=True)
    ]
