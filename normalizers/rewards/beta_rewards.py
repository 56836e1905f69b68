"""Beta rewards: advantages weighted by how rare the mean reward of their group is."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from normalizers.bases.group_labels import shown_groups
from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Traits,
    floats,
    labels,
    like,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.normalizer import Normalizer
from normalizers.rewards.base.group_table import GroupTable, group_table
from normalizers.rewards.base.observed import Missing, observed

MOMENTS = 2  # mean and variance


class BetaShape(NamedTuple):
    """The shape of a beta distribution of group means, and the moments it follows from."""

    alpha: float
    beta: float
    mean: float
    variance: float
    degenerate: bool


class BetaRewards(Normalizer):
    """Subtract the group's mean p and weight by one over a beta density of p.

    With R the reward in 0..1 between `lower` and `upper`, p the mean R of a group, m and v mean
    and variance (ddof 1) of p over the groups: c = m (1 - m) / v - 1, alpha = max(1, 1 + c m / 3),
    beta = max(1, 1 + c (1 - m) / 3); a = min(weight_cap, 1 / pdf(p; alpha, beta)) (R - p).

    Notes
    -----
    alpha = beta = 1 is REINFORCE with a baseline, alpha = beta = 3/2 GRPO but for a constant. With
    one group m is 0 and v is 1: the weight is 1. Groups of one mean (v = 0, all rewards 0 or all
    1) get weight 1 too, flagged ``degenerate``. A group of one reward is flagged
    ``insufficient``: `on_few` ``baseline_zero`` takes p = 0 as the source does, so that its reward
    is not centred, ``zero`` gives 0. `moments` ``[m, v]`` are those of another batch, frozen.
    A reward outside `lower` and `upper` is refused; a missing one is left out of its group, with
    advantage 0 and the flag ``missing``. The density is computed in logarithms; one of 0 gives
    the cap. No bit depends on the order of rows. There is no way back. Cost O(n log n).

    References
    ----------
    "BNPO", arXiv 2506.02864 (github.com/changyi7231/BNPO recipe/bnpo/src/bnpo_ray_trainer.py).

    Examples
    --------
    >>> from normalizers import BetaRewards
    >>> rewards, groups = [1, 0, 0, 0, 1, 1, 1, 0], ["a"] * 4 + ["b"] * 4
    >>> BetaRewards(moments=[0.5, 0.0625]).transform(rewards, groups=groups).round(4).tolist()
    [0.6802, -0.2267, -0.2267, -0.2267, 0.2267, 0.2267, 0.2267, -0.6802]
    """

    name = "beta_rewards"
    family = "rewards"
    kinds = ("stateless",)
    aliases = {"bnpo": {}, "bnpo_rewards": {}}
    traits = Traits(batch_invariant=False)
    takes = Fields(
        rewards=floats("n 1", flat="column", screened=False, help="one reward a row"),
        groups=labels("n j", help="the group (prompt) of each row"),
    )
    gives = Fields(
        advantages=like("rewards", floats("n 1", flat="column", help="advantage of each row")),
        alpha=floats("", help="first shape of the beta density"),
        beta=floats("", help="second shape of the beta density"),
        group_weights=floats("g", help="weight of each group, in the order of its label"),
    )
    example = Example(
        input={
            "rewards": [1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0],
            "groups": ["a", "a", "a", "a", "b", "b", "b", "b"],
        }
    )

    lower: float | None = param(
        default=None, default_value=0.0, affects="answer", help="the reward that counts as 0"
    )
    upper: float | None = param(
        default=None, default_value=1.0, affects="answer", help="the reward that counts as 1"
    )
    weight_cap: float | None = param(
        default=None, default_value=1e6, gt=0, affects="answer", help="largest weight of a group"
    )
    moments: list[float] | None = param(
        default=None,
        resolves="those of the request's groups",
        affects="answer",
        min_length=2,
        max_length=2,
        help="mean and variance of the means of groups, stored elsewhere",
    )
    missing: Missing | None = param(
        default=None,
        default_value="skip",
        affects="answer",
        help="a missing reward: left out with advantage 0, a reward of 0, or refused",
    )
    on_few: Literal["baseline_zero", "zero", "error"] | None = param(
        default=None,
        default_value="baseline_zero",
        affects="answer",
        help="a group of one: not centred, 0, or refused",
    )

    def check(self, path: str) -> None:
        """Refuse ends that leave nothing between them, and moments that no means have."""
        lower = 0.0 if self.lower is None else self.lower
        upper = 1.0 if self.upper is None else self.upper
        if not lower < upper:
            raise InvalidParams("lower is below upper", path=f"{path}.upper")
        if self.moments is not None:
            mean, variance = self.moments
            if not (0 <= mean <= 1 and variance >= 0):
                raise InvalidParams(
                    "moments are a mean in 0..1 and a variance, not negative",
                    path=f"{path}.moments",
                )

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the advantages; the parts behind them are the groups' means and weights."""
        sent = observed(batch.array("rewards"), unwrap(self.missing), "input.rewards")[:, 0]
        x = self._shares(sent)
        groups = batch.labels("groups")
        table = group_table(x, groups.codes, len(groups.keys), 1, batch.form("rewards").dtype)
        baseline, single = self._baselines(table, groups.keys)
        shape = self._shape(baseline[table.n > 0])
        weights = self._weights(baseline, shape)
        centred = np.where(np.isnan(x), 0.0, x - baseline[groups.codes])
        values = weights[groups.codes] * centred
        answer = Answer(
            {
                "advantages": values[:, None],
                "alpha": np.asarray(shape.alpha),
                "beta": np.asarray(shape.beta),
                "group_weights": weights,
            },
            report={
                "groups": {"keys": groups.keys.tolist(), **table.plain()},
                "means": {"mean": shape.mean, "variance": shape.variance},
                "degenerate": shape.degenerate,
            },
        )
        lost = np.isnan(x)
        answer = answer.flagged("missing", np.flatnonzero(lost))
        answer = answer.flagged("insufficient", np.flatnonzero(single[groups.codes] & ~lost))
        if shape.degenerate:
            answer = answer.flagged("degenerate", np.flatnonzero(~lost))
        parts = {"baseline": baseline.tolist(), "weights": weights.tolist()}
        return replace(answer, explain=parts) if options.explain else answer

    def _shares(self, x: Array) -> Array:
        lower, upper = unwrap(self.lower), unwrap(self.upper)
        outside = (x < lower) | (x > upper)
        if outside.any():
            row = int(np.argmax(outside))
            raise InvalidInput(
                f"a reward is between {lower:g} and {upper:g}; that of row {row} is not",
                path=f"input.rewards[{row}]",
            )
        return np.asarray((x - lower) / (upper - lower))

    def _baselines(self, table: GroupTable, keys: Array) -> tuple[Array, Array]:
        """Return what is subtracted from each group, and which groups have one reward."""
        single = table.n == 1
        if self.on_few == "error" and single.any():
            raise InvalidInput(
                f"one reward alone: {shown_groups(keys[single])}; on_few 'baseline_zero' takes it",
                path="input.groups",
            )
        baseline = np.where(table.n > 0, np.nan_to_num(table.mean), 0.0)
        if self.on_few == "baseline_zero":
            baseline = np.where(single, 0.0, baseline)
        return baseline, single

    def _shape(self, means: Array) -> BetaShape:
        if self.moments is not None:
            mean, variance = self.moments
        elif len(means) < MOMENTS:
            mean, variance = 0.0, 1.0
        else:
            ordered = group_table(means, np.zeros(len(means), dtype=np.int64), 1, 1, "float64")
            mean, variance = float(ordered.mean[0]), float(ordered.std[0]) ** 2
        if variance == 0:
            return BetaShape(1.0, 1.0, mean, variance, degenerate=True)
        spread = mean * (1 - mean) / variance - 1
        alpha, beta = (max(1.0, 1 + spread * part / 3) for part in (mean, 1 - mean))
        return BetaShape(alpha, beta, mean, variance, degenerate=False)

    def _weights(self, p: Array, shape: BetaShape) -> Array:
        """Return min(cap, 1 / density) of each group's mean."""
        alpha, beta = shape.alpha, shape.beta
        norm = math.lgamma(alpha) + math.lgamma(beta) - math.lgamma(alpha + beta)
        log_weight = norm - _times_log(alpha - 1, p) - _times_log(beta - 1, 1 - p)
        # Beyond the cap the exponential itself may overflow.
        cap = unwrap(self.weight_cap)
        return np.exp(np.minimum(log_weight, math.log(cap))) if cap > 0 else np.zeros_like(p)


def _times_log(factor: float, p: Array) -> Array:
    """Return factor log p, 0 for a factor of 0 whatever p, -inf where p is 0."""
    if factor == 0:
        return np.zeros_like(p)
    with np.errstate(divide="ignore"):
        return np.asarray(factor * np.log(p))
