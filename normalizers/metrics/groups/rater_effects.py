"""Rater effects: ratings without what is the rater's and not the item's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, NamedTuple, cast

import numpy as np

from normalizers.bases.group_labels import UNKNOWN
from normalizers.bases.groups import GroupNormalizer
from normalizers.bases.weighted_fit import WeightedFit
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
)
from normalizers.data.arrays import Array, string_array
from normalizers.data.labels import Labels
from normalizers.errors import FitError, InvalidParams, NotEnoughData
from normalizers.messages import quoted
from normalizers.statistics import Grouped, Moments

RATER, ITEM = 0, 1
NAMES = ["rater", "item"]
# The effects are solved at once, from one matrix of raters x raters.
MOST_RATERS = 4096


class Ratings(NamedTuple):
    """Mean and weight of the ratings of each rater and item that has some.

    Parameters
    ----------
    raters, items : int64 arrays of shape (k,)
        Numbers of rater and item.
    mean, weight : arrays of shape (k,)
        Of their ratings.
    """

    raters: Array
    items: Array
    mean: Array
    weight: Array


class RaterEffects(WeightedFit, GroupNormalizer):
    """Take the part of each rater out of ratings: y = x - b_r.

    A rating is q_i + b_r and noise: the quality of the item and the effect of the rater, both by
    least squares over all ratings. The effects of the raters add up to 0, so that the level of the
    ratings stays. Unlike z-scores by rater this does not take for severity that a rater saw worse
    items.

    Notes
    -----
    A fit has two labels a row, the rater and the item; a transform has the rater alone. Raters must
    be joined by items that they have in common, directly or through others: without, nothing tells
    severity from quality, and the fit is refused with the raters that are apart. Missing ratings
    are left out, and missing in their place. A rater who gives one number throughout has an effect
    as any other; ties stay ties. A rater that the fit does not know is refused, or passed through.
    Parts merge exactly up to rounding. Cost O(n log n + r^3) for r raters, O(m) for a transform.

    See Also
    --------
    GroupZScore : With keys of pair and annotator, where raters saw comparable items.

    References
    ----------
    The additive model of raters and items, as an analysis of variance with two factors: Searle,
    Linear Models, 1971, chapter 7.

    Examples
    --------
    >>> from normalizers import RaterEffects
    >>> ratings = [80.0, 60.0, 50.0, 30.0, 20.0]
    >>> seen = [["a", "1"], ["a", "2"], ["b", "2"], ["b", "3"], ["b", "4"]]
    >>> fitted = RaterEffects().fit(ratings, groups=seen)
    >>> fitted.transform([60.0, 50.0], groups=["a", "b"]).tolist()
    [55.0, 55.0]
    """

    name = "rater_effects"
    example = Example(
        fit={
            "x": [80.0, 60.0, 50.0, 30.0, 20.0],
            "groups": [["a", "1"], ["a", "2"], ["b", "2"], ["b", "3"], ["b", "4"]],
        },
        input={"x": [60.0, 50.0], "groups": [["a", "2"], ["b", "3"]]},
    )

    reference_kind = None
    higher_is_better = None
    anchor_set = None
    flip = None

    group_by: list[str] | None = param(
        default=None,
        default_value=NAMES,
        min_length=2,
        max_length=2,
        affects="statistics",
        help="names of the two labels: the rater and the item",
    )
    unknown_group: Literal["error", "pass"] | None = param(
        default=None,
        default_value="error",
        affects="solution",
        help="a rater the fit does not know: refused, or passed through",
    )

    @property
    def fits(self) -> Fields:  # type: ignore[override]
        """Ratings with their raters and items."""
        fields = Fields(
            x=floats("n 1", flat="column", help="ratings"),
            groups=labels("n j", help="the rater and the item of each rating"),
        )
        return self.with_weights(fields)

    @property
    def takes(self) -> Fields:  # type: ignore[override]
        """Ratings with their raters."""
        groups = labels("m r", help="the rater of each rating; an item beside it is not needed")
        return Fields(x=floats("m 1", flat="column", help="ratings"), groups=groups)

    @property
    def gives(self) -> Fields:  # type: ignore[override]
        """Ratings without the raters' part."""
        return Fields(y=floats("m 1", flat="column", help="ratings without the rater's part"))

    @property
    def inverse_takes(self) -> Fields:  # type: ignore[override]
        """Ratings without the raters' part, with their raters."""
        groups = labels("m r", help="the rater of each rating")
        return Fields(y=floats("m 1", flat="column", help="without it"), groups=groups)

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Moments of the ratings of each rater and item."""
        return {"moments": Grouped(Moments(weights=self.weight_sums), self.group_names or NAMES)}

    def require_names(self, groups: Labels) -> None:
        """Refuse rows without both labels."""
        given = groups.shape[1]
        if given != len(NAMES):
            raise InvalidParams(
                f"a rating has two labels, the rater and the item; these rows have {given}",
                path="fit.groups",
            )

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the ratings to the moments of their raters and items."""
        # A part without ratings has no labels to count.
        return super().accumulate(statistics, batch) if len(batch.array("x")) else statistics

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the effect of each rater."""
        moments = cast("Grouped[Moments]", statistics["moments"])
        seen = {key: moments[key] for key in moments if moments[key].observed.any()}
        if not seen:
            raise NotEnoughData("no rating has a rater and an item")
        keys = np.array(list(seen), dtype=object)
        raters, rater = np.unique(keys[:, RATER].astype(str), return_inverse=True)
        items, item = np.unique(keys[:, ITEM].astype(str), return_inverse=True)
        if len(raters) > MOST_RATERS:
            raise FitError(f"{len(raters)} raters; at most {MOST_RATERS} are solved at once")
        mean = np.array([group.mean[0] for group in seen.values()])
        weight = np.array([float(group.mass[0]) for group in seen.values()])
        ratings = Ratings(rater, item, mean, weight)
        _require_joined(ratings, raters.tolist(), len(items))
        effect = rater_effects(ratings, len(raters), len(items))
        n = np.bincount(rater, [group.observed[0] for group in seen.values()]).astype(np.int64)
        told = [
            {"keys": [name], "n": int(count), "effect": float(part)}
            for name, count, part in zip(raters.tolist(), n, effect, strict=True)
        ]
        names = string_array(raters.tolist())[:, None]
        report = {
            "group_by": list(self.group_names or NAMES),
            **self.provenance,
            "items": len(items),
            "groups": told,
        }
        return Fitted({"keys": names, "effect": effect, "n": n}, {}, report)

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return ratings without the part of their rater."""
        index = self._raters(fitted, batch.labels("groups"))
        effect = _effects(fitted, index)
        answer = Answer({"y": batch.array("x") - effect})
        answer = answer.flagged("unknown_group", np.flatnonzero(index == UNKNOWN))
        parts = {"effects": effect[:, 0].tolist()}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return ratings with the part of their rater."""
        index = self._raters(fitted, batch.labels("groups"))
        answer = Answer({"x": batch.array("y") + _effects(fitted, index)})
        return answer.flagged("unknown_group", np.flatnonzero(index == UNKNOWN))

    def _raters(self, fitted: Fitted, groups: Labels) -> Array:
        """Return the number of each row's rater; an item beside it is not looked at."""
        raters = Labels.of(groups.rows[:, :1])
        return self.located(fitted, raters, "input.groups")


def rater_effects(ratings: Ratings, raters: int, items: int) -> Array:
    """Return the effects that minimize sum w (mean - q_item - b_rater)^2, which add up to 0.

    The items are eliminated, q_i = sum_r w (mean - b_r) / sum_r w: what is left is one symmetric
    system in the effects, whose only direction without a value is a constant added to all.
    """
    total = np.bincount(ratings.items, ratings.weight, minlength=items)
    share = ratings.weight / total[ratings.items]
    level = np.bincount(ratings.items, ratings.weight * ratings.mean, minlength=items) / total
    right = np.bincount(
        ratings.raters, ratings.weight * (ratings.mean - level[ratings.items]), minlength=raters
    )
    # Weights of rater by item, and their shares: their product is what raters have in common.
    weights, shares = np.zeros((raters, items)), np.zeros((raters, items))
    weights[ratings.raters, ratings.items] = ratings.weight
    shares[ratings.raters, ratings.items] = share
    system = np.diag(weights.sum(axis=1)) - weights @ shares.T
    # Added in the direction of a constant: the sum of the effects is 0, and all else is unchanged.
    system += np.trace(system) / raters**2 if raters > 1 else 1.0
    effects = np.linalg.solve(system, right)
    return np.asarray(effects - effects.mean())


def _require_joined(ratings: Ratings, raters: list[str], items: int) -> None:
    """Refuse raters that no chain of common items joins."""
    reached = np.zeros(len(raters), dtype=bool)
    reached[0] = True
    while True:
        seen = np.zeros(items, dtype=bool)
        seen[ratings.items[reached[ratings.raters]]] = True
        further = reached.copy()
        further[ratings.raters[seen[ratings.items]]] = True
        if np.array_equal(further, reached):
            break
        reached = further
    if not reached.all():
        apart = raters[int(np.argmin(reached))]
        raise FitError(
            f"no items join {quoted(apart)} to {quoted(raters[0])}: {int((~reached).sum())} of "
            f"{len(raters)} raters are apart, and nothing tells their severity from the quality "
            "of what they saw; fit them apart, or group_z_score by rater",
            path="fit.groups",
        )


def _effects(fitted: Fitted, index: Array) -> Array:
    effects = np.append(fitted["effect"], 0.0)
    return np.asarray(effects[index][:, None])
