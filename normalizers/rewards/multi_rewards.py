"""Multi rewards: several rewards of a row, normalized and added up, or added up and normalized."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, TypeAlias

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
    labels,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.data.labels import Labels
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.rewards.base.advantages import (
    AdvantageRules,
    Advantages,
    EpsMode,
    OnConstant,
    OnFew,
    ScaleScope,
    advantages_of,
    told_of,
)
from normalizers.rewards.base.components import component_weights, ranged
from normalizers.rewards.base.group_deviation import GroupDeviation
from normalizers.rewards.base.group_table import group_table
from normalizers.rewards.base.observed import Missing, observed

Component: TypeAlias = Literal["z_score", "min_max", "coefficient"]
Final: TypeAlias = Literal["batch_z_score", "group_z_score", "group_center", "none"]
SCOPES: dict[Final, tuple[str, str]] = {
    "batch_z_score": ("batch", "batch"),
    "group_z_score": ("group", "group"),
    "group_center": ("group", "none"),
}


class MultiRewards(GroupDeviation):
    """Turn several rewards of a row into one advantage.

    With `order` ``normalize_then_sum`` every component is normalized inside its group (`component`:
    z-score, min-max, or as it is with its weight as coefficient), the weighted sum is normalized
    again as `final` says. With ``sum_then_normalize`` the weighted sum of the rewards is
    normalized inside its group as `group_rewards` does.

    Notes
    -----
    A missing component is left out of the statistics of its column and adds 0; a row with none is
    missing as a whole: out of the final statistics, with advantage 0 and the flag ``missing``.
    Infinities are refused. A component without spread in a group adds 0 (``min_max``: 0.5, times
    its weight). A group of one reward follows `on_few` and is flagged ``insufficient``. The report
    counts the missing values of each component. There is no way back. No bit depends on the order
    of rows. Ties stay ties. Cost O(k n log n).

    References
    ----------
    "GDPO", arXiv 2601.05242, from its formula, and huggingface/trl
    `multi_objective_aggregation`; "LightningRL", arXiv 2603.13319 (SJTU-DENG-Lab/LightningRL).

    Examples
    --------
    >>> from normalizers import MultiRewards
    >>> method = MultiRewards(component="min_max", final="none", weights=[1.0, 0.5])
    >>> method.transform([[1.0, 2.0], [0.0, 4.0]], groups=["a", "a"]).tolist()
    [[1.0], [0.5]]
    """

    name = "multi_rewards"
    family = "rewards"
    kinds = ("stateless",)
    aliases = {"gdpo": {}, "lightning_rl": {}}
    presets = {
        "gdpo": {
            "order": "normalize_then_sum",
            "component": "z_score",
            "ddof": 1,
            "eps": 1e-4,
            "final": "batch_z_score",
            "final_ddof": 1,
            "final_eps": 1e-4,
        },
        "lightning_rl": {
            "order": "normalize_then_sum",
            "component": "z_score",
            "ddof": 0,
            "eps": 0.0,
            "final": "batch_z_score",
            "final_ddof": 1,
            "final_eps": 1e-8,
            "final_eps_mode": "floor",
        },
    }
    traits = Traits(batch_invariant=False)
    takes = Fields(
        rewards=floats("n k", flat="column", screened=False, help="rewards, a column a component"),
        groups=labels("n j", help="the group (prompt) of each row"),
    )
    gives = Fields(advantages=floats("n 1", flat="column", help="advantage of each row"))
    examples = (
        Example(
            input={
                "rewards": [[1.0, 0.2], [0.0, 0.4], [1.0, 0.1], [0.0, 0.1]],
                "groups": ["a", "a", "b", "b"],
            }
        ),
        Example(
            {"order": "sum_then_normalize", "scale_scope": "batch"},
            input={"rewards": [[1.0, 0.2], [0.0, 0.4]], "groups": ["a", "a"]},
            name="sum",
        ),
        Example(
            {"component": "min_max", "final": "group_center"},
            input={"rewards": [[1.0, 0.2], [0.0, 0.4]], "groups": ["a", "a"]},
            name="min_max",
        ),
    )

    weights: list[float] | dict[str, float] | None = param(
        default=None,
        resolves="1 for each component",
        affects="answer",
        help="weight of each component, in order or by the name of its column",
    )
    component: Component | list[Component] | None = param(
        default=None,
        default_value="z_score",
        affects="answer",
        help="how each component is normalized inside its group, or a word for each",
    )
    order: Literal["normalize_then_sum", "sum_then_normalize"] | None = param(
        default=None, default_value="normalize_then_sum", affects="answer", help="what comes first"
    )
    scale_scope: ScaleScope | None = param(
        default=None,
        default_value="group",
        affects="answer",
        help="whose deviation divides a z-score: that of the group, of all rewards, none",
    )
    final: Final | None = param(
        default=None,
        default_value="batch_z_score",
        affects="answer",
        help="how the sum of normalized components is normalized",
    )
    final_ddof: int | None = param(
        default=None, default_value=1, ge=0, affects="answer", help="ddof of the final deviation"
    )
    final_eps: float | None = param(
        default=None, default_value=1e-4, ge=0, affects="answer", help="epsilon of the final scale"
    )
    final_eps_mode: EpsMode | None = param(
        default=None, default_value="add_std", affects="answer", help="where the final epsilon goes"
    )
    missing: Missing | None = param(
        default=None,
        default_value="skip",
        affects="answer",
        help="a missing component: left out and adding 0, a reward of 0, or refused",
    )
    on_few: OnFew | None = param(
        default=None,
        default_value="zero",
        affects="answer",
        help="a group of one: 0, the reward itself, or refused",
    )
    on_constant: OnConstant | None = param(
        default=None,
        resolves="zero; half for min_max",
        affects="answer",
        help="a component without spread: 0, 0.5, unchanged, refused",
    )

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the advantages; the parts behind them are the components' shares of the sum."""
        x = observed(batch.array("rewards"), unwrap(self.missing), "input.rewards")
        groups, dtype = batch.labels("groups"), batch.form("rewards").dtype
        weights = component_weights(self.weights, x.shape[1], batch.columns)
        rules: AdvantageRules | None
        if self.order == "sum_then_normalize":
            parts, few = np.nan_to_num(x) * weights, np.zeros(len(x), dtype=bool)
            rules = self._rules("group", unwrap(self.scale_scope))
        else:
            shares, few = self._normalized(x, groups, dtype)
            parts, rules = shares * weights, self._final_rules()
        # In one order in memory, so that each sum is in one order too.
        sums = np.ascontiguousarray(parts).sum(axis=1)
        total = np.where(np.isnan(x).all(axis=1), np.nan, sums)
        found = _of_total(total, groups, rules)
        lost = np.isnan(x).sum(axis=0).tolist()
        told = {"components": {"missing": lost}, **told_of(found, groups)}
        answer = Answer({"advantages": found.values[:, None]}, report=told)
        answer = answer.flagged("missing", np.flatnonzero(found.missing))
        answer = answer.flagged("constant", np.flatnonzero(found.constant))
        answer = answer.flagged("insufficient", np.flatnonzero(found.insufficient | few))
        explained = {"components": parts.tolist()}
        return replace(answer, explain=explained) if options.explain else answer

    def _normalized(self, x: Array, groups: Labels, dtype: str) -> tuple[Array, Array]:
        """Return each component normalized inside its group, and which rows had too few."""
        words = self._words(x.shape[1])
        shares, few = np.zeros_like(x), np.zeros(len(x), dtype=bool)
        for column, word in enumerate(words):
            values = x[:, column]
            if word == "coefficient":
                shares[:, column] = np.nan_to_num(values)
            elif word == "min_max":
                shares[:, column] = self._ranged(values, groups, dtype)
            else:
                rules = self._rules("group", unwrap(self.scale_scope))
                found = advantages_of(values, groups, rules, dtype, "input.groups")
                shares[:, column], few = found.values, few | found.insufficient
        return shares, few

    def _ranged(self, values: Array, groups: Labels, dtype: str) -> Array:
        table = group_table(values, groups.codes, len(groups.keys), 1, dtype)
        flat = table.constant | (table.n == 1)
        if self.on_constant == "error" and flat.any():
            raise InvalidInput("a component has no spread, and on_constant is 'error'")
        fixed = {"zero": 0.0, "keep": np.nan}.get(self.on_constant or "half", 0.5)
        return ranged(values, groups, flat, fixed)

    def _words(self, k: int) -> list[Component]:
        word = unwrap(self.component)
        words: list[Component] = word if isinstance(word, list) else [word] * k  # type: ignore[list-item]
        if len(words) != k:
            raise InvalidParams(f"{len(words)} words for {k} components", path="params.component")
        return words

    def _rules(self, center: str, scale: str) -> AdvantageRules:
        return AdvantageRules(
            center,  # type: ignore[arg-type]
            scale,  # type: ignore[arg-type]
            unwrap(self.ddof),
            unwrap(self.eps),
            unwrap(self.eps_mode),
            unwrap(self.on_few),
            self.on_constant or "zero",
        )

    def _final_rules(self) -> AdvantageRules | None:
        if self.final == "none":
            return None
        center, scale = SCOPES[unwrap(self.final)]
        return replace(
            self._rules(center, scale),
            ddof=unwrap(self.final_ddof),
            eps=unwrap(self.final_eps),
            eps_mode=unwrap(self.final_eps_mode),
            on_constant="zero",
        )


def _of_total(total: Array, groups: Labels, rules: AdvantageRules | None) -> Advantages:
    """Return the advantages of the sums; without rules the sums themselves."""
    if rules is not None:
        return advantages_of(total, groups, rules, "float64", "input.groups")
    plain = AdvantageRules("none", "none")
    return advantages_of(total, groups, plain, "float64", "input.groups")
