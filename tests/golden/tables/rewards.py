"""Golden words of rewards, choices and fields."""

from __future__ import annotations

from collections.abc import Mapping

from tests.golden import derive, plays
from tests.golden.answers import entries, read
from tests.golden.case import Case
from tests.golden.request import Members
from tests.golden.tables.entry import Entry, Rule
from tests.golden.tables.rules import same, turned

SCALING: dict[str, Rule] = {
    "center": same("center_scope"),
    "scale": same("scale_scope"),
    "ddof": same("ddof"),
    "eps": same("eps"),
    "eps_mode": turned("eps_mode", {"add": "add_std", "floor": "floor"}),
    "singleton": same("on_few"),
    "missing": turned("missing", {"exclude_then_zero": "skip"}),
    "zero_std": same("on_constant"),
}


def _rewards(case: Case) -> Members:
    return {"rewards": case.input["rewards"], "groups": case.input["groups"]}


def _weights(case: Case) -> Members:
    return {"weights": case.input["weights"]}


def _choices(case: Case) -> Members:
    words = {"choices": "texts", "unconditional": "baseline_loglikelihoods"}
    return {words.get(name, name): value for name, value in case.input.items()}


def _cells(case: Case) -> Members:
    rows = [entries(row) for row in entries(case.input["rows"])]
    labels = [[str(label) for label in row[:-1]] for row in rows]
    return {"x": [row[-1] for row in rows], "groups": labels}


REWARDS_TABLE: Mapping[str, Entry] = {
    "group_rewards": Entry(
        method="group_rewards",
        play=plays.stateless,
        params=SCALING,
        off={"eps": 0.0},
        given=_rewards,
        readings={"advantages": (read("output.advantages"),)},
    ),
    "multi_rewards": Entry(
        method="multi_rewards",
        play=plays.stateless,
        params={
            **SCALING,
            "order": same("order"),
            "final": turned("final", {"batch_zscore": "batch_z_score"}),
        },
        off={},
        settings=_weights,
        given=_rewards,
        readings={"advantages": (read("output.advantages", by=derive.squeezed),)},
    ),
    "bnpo_rewards": Entry(
        method="beta_rewards",
        play=plays.stateless,
        params={
            "min_value": same("lower"),
            "max_value": same("upper"),
            "weight_cap": same("weight_cap"),
        },
        off={},
        given=_rewards,
        readings={
            "advantages": (read("output.advantages"),),
            "alpha": (read("output.alpha"),),
            "beta": (read("output.beta"),),
        },
    ),
    "choice_normalize": Entry(
        method="choice_scores",
        play=plays.varied,
        params={},
        off={},
        given=_choices,
        readings={
            "scores": (read("varied.scores"),),
            "argmax": (read("varied.argmax", by=derive.each_only),),
        },
    ),
    "group_ratio": Entry(
        method="group_ratio",
        play=plays.stateless,
        params={
            "by": same("group_by"),
            "zero_mean": turned("zero_denominator", {"nan": "missing"}),
        },
        off={"scope": "request"},
        given=_cells,
        readings={
            "ratio": (read("output.y"),),
            "mean_ratio": (read("output.mean_ratio", by=derive.only),),
        },
    ),
}
