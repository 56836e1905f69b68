"""Linear anchors: a line from the scores of a group to quality."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, NamedTuple, cast

import numpy as np

from normalizers.bases.group_labels import UNKNOWN, shown_groups
from normalizers.bases.weighted_fit import rows_of
from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistic,
    Statistics,
    floats,
    labels,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.errors import FitError, InvalidParams, NotEnoughData, UnsupportedOperation
from normalizers.messages import quoted_key
from normalizers.metrics.base.group_tables import key_table
from normalizers.metrics.base.quality_maps import QualityMap
from normalizers.statistics import Extrema, Grouped, Knots, Scatter
from normalizers.statistics.base.magnitude import rounding_bound

SCORE, QUALITY = 0, 1


class Line(NamedTuple):
    """Co-moments of the scores and qualities of a group, and the line through them."""

    n: int
    score: float
    quality: float
    score_spread: float
    product: float
    quality_spread: float

    @property
    def is_flat(self) -> bool:
        """Whether the scores have no spread beyond rounding."""
        return self.score_spread <= float(rounding_bound(self.n, np.asarray(self.score)))

    def regression(self, prior: float = 0.0, strength: float = 0.0) -> float:
        """Return the slope of quality on score, drawn to `prior` by so much spread."""
        # Divided before it is added: the product of two spreads may overflow.
        whole = self.score_spread + strength
        return self.product / whole + prior * (strength / whole)


class AnchorLinear(QualityMap):
    """Turn scores into quality by a line for each group: y = a_g + b_g x.

    With `regression` ``quality_on_score`` the line is that of least squares of quality on score,
    which predicts best; ``score_on_quality_inverted`` fits score on quality and goes back,
    y = (x - a) / b, which undoes the loss of a metric on designed levels. `fit_on` ``level_means``
    counts each level of quality once. `slope_prior` ``pooled`` draws the slope to that of all
    groups, b = (S_xx b_g + k b_pooled) / (S_xx + k), for groups with few anchors.

    Notes
    -----
    k is `prior_scatter`, by default the mean S_xx of the groups; the pooled slope is the sum of
    S_xq over that of S_xx within the groups, and the line goes through the means of its group. A
    group whose scores have no spread has no slope of its own: it is refused without a prior.
    Below 20 anchors a group without a prior is warned of. Rows with a missing score or quality are
    left out of the fit; a missing score is missing in its place. Scores beyond the anchors are
    flagged ``out_of_range`` and follow the line. An unknown group is refused, unless
    `unknown_group` is ``global``. Ties stay ties. The way back is exact but for a slope of 0, which
    has none. Parts merge exactly up to rounding. Cost O(n log n) for a fit, O(m) for a transform.

    See Also
    --------
    LinkMeanSigma : Scores on the scale of others, without shrinking to the mean.

    References
    ----------
    Least squares as ``scipy.stats.linregress``; both directions: Kolen and Brennan, Test Equating,
    Scaling, and Linking. The prior is our definition.

    Examples
    --------
    >>> from normalizers import AnchorLinear
    >>> fitted = AnchorLinear().fit(
    ...     [10.0, 20.0, 30.0], groups=["fr"] * 3, qualities=[-20.0, -10.0, 0.0]
    ... )
    >>> fitted.transform([15.0, 40.0], groups=["fr", "fr"]).tolist()
    [-15.0, 10.0]
    """

    name = "anchor_linear"
    optional_statistics = frozenset({"extrema"})
    example = Example(
        fit={
            "x": [10.0, 20.0, 20.0, 30.0, 40.0, 50.0],
            "groups": ["fr"] * 3 + ["si"] * 3,
            "qualities": [-25.0, -15.0, -20.0, -25.0, -10.0, 0.0],
        },
        input={"x": [15.0, 35.0], "groups": ["fr", "si"]},
    )

    regression: Literal["quality_on_score", "score_on_quality_inverted"] | None = param(
        default=None,
        default_value="quality_on_score",
        affects="solution",
        help="quality on score, to predict; or score on quality and back, to undo",
    )
    fit_on: Literal["rows", "level_means"] | None = param(
        default=None,
        default_value="rows",
        affects="statistics",
        help="every anchor, or the mean score of each level of quality once",
    )
    slope_prior: Literal["none", "pooled"] | None = param(
        default=None,
        default_value="none",
        affects="solution",
        help="what the slope of a group with few anchors is drawn to",
    )
    prior_scatter: float | None = param(
        default=None,
        resolves="the mean S_xx of the groups with slope_prior: pooled",
        gt=0,
        affects="solution",
        help="sum of squares of scores that the pooled slope counts as",
    )

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Co-moments of score and quality in each group, or its levels; and the range of scores."""
        names = self.group_names
        ends = {"extrema": Grouped(Extrema(), names)}
        if self.fit_on == "level_means":
            return {"knots": Grouped(Knots(), names), **ends}
        return {"scatter": Grouped(Scatter(weights=self.weight_sums), names), **ends}

    @property
    def inverse_takes(self) -> Fields:  # type: ignore[override]
        """Qualities with their groups."""
        return Fields(
            y=floats("m 1", flat="column", help="quality"),
            groups=labels("m j", help="the group of each row"),
        )

    def check(self, path: str) -> None:
        """Refuse the strength of a prior that is not there."""
        super().check(path)
        if self.prior_scatter is not None and self.slope_prior != "pooled":
            raise InvalidParams("it goes with slope_prior 'pooled'", path=f"{path}.prior_scatter")
        inverted = self.regression == "score_on_quality_inverted"
        if inverted and self.slope_prior == "pooled":
            raise InvalidParams(
                "the prior is a slope of quality on score; it goes with that regression",
                path=f"{path}.slope_prior",
            )

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the anchors that have score and quality to the statistics of their groups."""
        groups = batch.labels("groups")
        self.require_names(groups)
        scores, qualities = batch.array("x")[:, 0], batch.array("qualities")
        there = ~(np.isnan(scores) | np.isnan(qualities))
        rows = [part[there] for part in rows_of(batch, np.column_stack([scores, qualities]))]
        kept, (pairs, *weights) = groups.take(there), rows
        parts: dict[str, Statistic] = {}
        if "scatter" in statistics:
            scatter = cast("Grouped[Scatter]", statistics["scatter"])
            parts["scatter"] = scatter.update(kept, pairs, *weights)
        else:
            knots = cast("Grouped[Knots]", statistics["knots"])
            columns = pairs[:, QUALITY], pairs[:, SCORE]
            parts["knots"] = knots.update(kept, *columns, *weights)
        extrema = cast("Grouped[Extrema] | None", statistics.get("extrema"))
        if extrema is not None:
            parts["extrema"] = extrema.update(kept, pairs[:, :1], *weights)
        return statistics.replace(**parts)

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the line of each group."""
        groups = _lines(statistics)
        if not groups:
            raise NotEnoughData("no group has an anchor with score and quality")
        keys, lines = key_table(groups), list(groups.values())
        slopes = self._slopes(keys, lines)
        ends = [_ends(statistics, key) for key in groups]
        told = [
            {"keys": key, "n": line.n, "slope": slope, "intercept": _intercept(line, slope),
             **({} if end is None else {"min": end[0], "max": end[1]})}
            for key, line, slope, end in zip(keys.tolist(), lines, slopes, ends, strict=True)
        ]  # fmt: skip
        n = np.array([line.n for line in lines])
        if self.unknown_group == "global":
            whole = _pooled_line(statistics)
            lines, slopes = [*lines, whole], [*slopes, self._slopes(keys[:1], [whole])[0]]
            ends.append(_ends(statistics, None))
        arrays = {
            "keys": keys,
            "n": n,
            "slope": np.array(slopes),
            "intercept": np.array([_intercept(*of) for of in zip(lines, slopes, strict=True)]),
            "score": np.array([line.score for line in lines]),
            "quality": np.array([line.quality for line in lines]),
        }
        if all(end is not None for end in ends):
            arrays |= {"min": np.array([end[0] for end in ends if end]),
                       "max": np.array([end[1] for end in ends if end])}  # fmt: skip
        told_of = self.notices_of(keys, n, "slope_prior 'pooled' leans on all groups")
        few = () if self.slope_prior == "pooled" else told_of
        return Fitted(arrays, {"j": keys.shape[1]}, self.told_of(told), few)

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the height of its group's line at each score."""
        x, index = batch.array("x")[:, 0], self.places(fitted, batch)
        # About the means of the group: intercept + slope x loses the digits of scores far from 0.
        score, quality, slope = (fitted[name][index] for name in ("score", "quality", "slope"))
        y = quality + slope * (x - score)
        beyond = self.beyond(fitted, index, x) if "min" in fitted.arrays else np.zeros(len(x), bool)
        answer = self.flagged(Answer({"y": y[:, None]}), index, beyond, "linear")
        return replace(answer, explain=_parts(fitted, index)) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the scores that give these qualities.

        Raises
        ------
        UnsupportedOperation
            The line of a group is level.
        """
        y, index = batch.array("y")[:, 0], self.places(fitted, batch)
        score, quality, slope = (fitted[name][index] for name in ("score", "quality", "slope"))
        if (slope == 0).any():
            row = int(np.argmax(slope == 0))
            group = quoted_key(batch.labels("groups").rows[row].tolist())
            raise UnsupportedOperation(f"the line of {group} has slope 0 and no inverse")
        answer = Answer({"x": (score + (y - quality) / slope)[:, None]})
        return answer.flagged("unknown_group", np.flatnonzero(index == UNKNOWN))

    def _slopes(self, keys: Array, lines: list[Line]) -> list[float]:
        if self.regression == "score_on_quality_inverted":
            level = np.array([line.product == 0 or line.quality_spread == 0 for line in lines])
            self._refuse(keys, level, "the scores do not change with quality: slope 0 has no")
            return [line.quality_spread / line.product for line in lines]
        flat = np.array([line.is_flat for line in lines])
        if self.slope_prior != "pooled":
            self._refuse(keys, flat, "the scores have no spread, which gives no")
            return [line.regression() for line in lines]
        spread = sum(line.score_spread for line in lines)
        if not spread > 0 or flat.all():
            raise FitError("no group has scores with a spread, which gives no slope", path="fit.x")
        prior = sum(line.product for line in lines) / spread
        strength = unwrap(self.prior_scatter) if self.prior_scatter else spread / len(lines)
        return [line.regression(prior, strength) for line in lines]

    def _refuse(self, keys: Array, wrong: Array, told: str) -> None:
        if not wrong.any():
            return
        named = shown_groups(keys[wrong]) if len(wrong) == len(keys) else "all groups together"
        advice = "" if self.slope_prior == "pooled" else "; slope_prior 'pooled' takes that of all"
        if self.regression == "score_on_quality_inverted":
            advice = ""
        raise FitError(f"{told} slope: {named}{advice}", path="fit.x")


def _lines(statistics: Statistics) -> dict[tuple[str, ...], Line]:
    if "scatter" in statistics:
        scatter = cast("Grouped[Scatter]", statistics["scatter"])
        return {key: _of_scatter(scatter[key]) for key in scatter if not scatter[key].is_empty}
    knots = cast("Grouped[Knots]", statistics["knots"])
    return {key: _of_levels(knots[key]) for key in knots if not knots[key].is_empty}


def _pooled_line(statistics: Statistics) -> Line:
    if "scatter" in statistics:
        return _of_scatter(cast("Grouped[Scatter]", statistics["scatter"]).pooled())
    return _of_levels(cast("Grouped[Knots]", statistics["knots"]).pooled())


def _of_scatter(scatter: Scatter) -> Line:
    products = scatter.scatter if scatter.uncounted is None else scatter.covariance(1)
    score, quality = scatter.mean.tolist()
    (spread, product), (_, other) = products.tolist()
    return Line(scatter.n, score, quality, spread, product, other)


def _of_levels(knots: Knots) -> Line:
    rows = Scatter().update(np.column_stack([knots.mean, knots.x]))
    return _of_scatter(rows)._replace(n=knots.n)


def _intercept(line: Line, slope: float) -> float:
    return line.quality - slope * line.score


def _ends(statistics: Statistics, key: tuple[str, ...] | None) -> tuple[float, float] | None:
    extrema = cast("Grouped[Extrema] | None", statistics.get("extrema"))
    if extrema is None or extrema.is_empty or (key is not None and key not in extrema):
        return None
    found = extrema.pooled() if key is None else extrema[key]
    return float(found.min[0]), float(found.max[0])


def _parts(fitted: Fitted, index: Array) -> dict[str, object]:
    keys = fitted["keys"].tolist()
    return {
        "groups": [
            {
                "keys": "all groups together" if group < 0 else keys[group],
                "slope": float(fitted["slope"][group]),
                "intercept": float(fitted["intercept"][group]),
            }
            for group in np.unique(index).tolist()
        ]
    }
