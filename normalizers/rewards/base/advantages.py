"""Rewards relative to their group or batch: what is subtracted, what divides, and its edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from normalizers.bases.group_labels import shown_groups
from normalizers.data.arrays import Array
from normalizers.data.labels import Labels
from normalizers.errors import InvalidInput
from normalizers.kernels.epsilon import effective_scale
from normalizers.rewards.base.group_table import GroupTable, group_table

CenterScope: TypeAlias = Literal["group", "batch", "leave_one_out", "none"]
ScaleScope: TypeAlias = Literal["group", "batch", "none"]
EpsMode: TypeAlias = Literal["add_std", "floor"]
OnFew: TypeAlias = Literal["zero", "identity", "error"]
OnConstant: TypeAlias = Literal["zero", "half", "keep", "error"]
FIXED = {"zero": 0.0, "half": 0.5}
OF_THE_GROUP = ("group", "leave_one_out")


@dataclass(frozen=True)
class AdvantageRules:
    """How rewards become advantages; the words are those of the parameters."""

    center_scope: CenterScope = "group"
    scale_scope: ScaleScope = "group"
    ddof: int = 1
    eps: float = 1e-4
    eps_mode: EpsMode = "add_std"
    on_few: OnFew = "zero"
    on_constant: OnConstant = "zero"


@dataclass(frozen=True)
class Advantages:
    """Advantages of rows, with what was subtracted and what divided.

    Parameters
    ----------
    values, loc, scale : arrays of shape (n,)
        By row; 0, 0 and 1 where the reward is missing.
    groups, batch : GroupTable
        Of each group by itself, and of all rows; never of the scale in use.
    missing, constant, insufficient : bool arrays of shape (n,)
        Rows without a reward, of a group without spread, and of one with too few rewards.
    """

    values: Array
    loc: Array
    scale: Array
    groups: GroupTable
    batch: GroupTable
    missing: Array
    constant: Array
    insufficient: Array


def advantages_of(
    x: Array, labels: Labels, rules: AdvantageRules, dtype: str, path: str
) -> Advantages:
    """Return the advantages of rewards ``(n,)``, NaN being a missing one.

    Raises
    ------
    InvalidInput
        A group with too few rewards, or one without spread, where that is refused.
    """
    codes, groups = labels.codes, len(labels.keys)
    table = group_table(x, codes, groups, rules.ddof, dtype)
    everyone = group_table(x, np.zeros_like(codes), 1, rules.ddof, dtype)
    few = _few(rules, table, everyone)
    if rules.on_few == "error" and few.any():
        raise InvalidInput(
            f"too few rewards for what is asked of {shown_groups(labels.keys[few])}; on_few "
            "'zero' gives 0, 'identity' the rewards themselves",
            path=path,
        )
    loc, factor = _locations(rules, table, everyone)
    scale = _scales(rules, table, everyone)
    # Rounding of the mean is no advantage.
    own = table.constant[codes] & (rules.center_scope in OF_THE_GROUP)
    centred = np.where(own, 0.0, x - loc[codes])
    values = centred * factor[codes] / np.where(scale == 0, 1.0, scale)[codes]
    undivided = _undivided(rules, table, everyone)
    values = _of_constants(values, x, undivided[codes], rules, labels, path)
    few_rows = few[codes]
    values = np.where(few_rows, _of_few(x, rules), values)
    lost = np.isnan(x)
    return Advantages(
        np.where(lost, 0.0, values),
        np.where(lost | few_rows, 0.0, loc[codes]),
        np.where(lost | few_rows | (scale == 0)[codes], 1.0, (scale / factor)[codes]),
        table,
        everyone,
        lost,
        table.constant[codes] & ~lost,
        few_rows & ~lost,
    )


def told_of(found: Advantages, labels: Labels) -> dict[str, object]:
    """Return what a report says of the groups and of all rows, a list a column."""
    batch = {name: column[0] for name, column in found.batch.plain().items()}
    return {"groups": {"keys": labels.keys.tolist(), **found.groups.plain()}, "batch": batch}


def _few(rules: AdvantageRules, table: GroupTable, everyone: GroupTable) -> Array:
    """Return which groups lack what their rows are divided by, or compared with."""
    lacks = np.zeros(len(table.n), dtype=bool)
    if rules.scale_scope == "group":
        lacks |= (table.n <= rules.ddof) | (table.n == 1)
    if rules.scale_scope == "batch":
        lacks |= everyone.n[0] <= rules.ddof
    if rules.center_scope == "leave_one_out":
        lacks |= table.n == 1
    return lacks & (table.n > 0)


def _locations(
    rules: AdvantageRules, table: GroupTable, everyone: GroupTable
) -> tuple[Array, Array]:
    """Return what is subtracted from the rows of each group, and what the difference is times."""
    ones = np.ones(len(table.n))
    match rules.center_scope:
        case "none":
            return ones * 0.0, ones
        case "batch":
            return ones * np.nan_to_num(everyone.mean[0]), ones
        case "leave_one_out":
            # r - (sum - r) / (n - 1) = n / (n - 1) (r - mean): no two sums cancel.
            return np.nan_to_num(table.mean), table.n / np.maximum(table.n - 1, 1)
        case _:
            return np.nan_to_num(table.mean), ones


def _scales(rules: AdvantageRules, table: GroupTable, everyone: GroupTable) -> Array:
    if rules.scale_scope == "none":
        return np.ones(len(table.n))
    std = table.std if rules.scale_scope == "group" else np.full(len(table.n), everyone.std[0])
    return effective_scale(np.nan_to_num(std), rules.eps, rules.eps_mode)


def _undivided(rules: AdvantageRules, table: GroupTable, everyone: GroupTable) -> Array:
    """Return the groups whose rows would be divided by an epsilon alone, or by 0."""
    if rules.scale_scope == "group":
        return table.constant
    if rules.scale_scope == "batch":
        return np.full(len(table.n), everyone.constant[0])
    return np.zeros(len(table.n), dtype=bool)


def _of_constants(
    values: Array, x: Array, where: Array, rules: AdvantageRules, labels: Labels, path: str
) -> Array:
    """Return the values with what the rule says of sets without spread."""
    if rules.on_constant == "error" and where.any():
        keys = labels.keys[np.unique(labels.codes[where])]
        raise InvalidInput(
            f"no spread, and on_constant is 'error': {shown_groups(keys)}", path=path
        )
    if rules.center_scope in OF_THE_GROUP:
        return values  # exactly 0 already
    return np.where(where, FIXED.get(rules.on_constant, x), values)


def _of_few(x: Array, rules: AdvantageRules) -> Array:
    if rules.on_few != "identity":
        return np.zeros_like(x)
    # Mean 0 and deviation 1, as the trainer that keeps the raw score has it.
    return np.asarray(x / effective_scale(np.ones(()), rules.eps, rules.eps_mode))
