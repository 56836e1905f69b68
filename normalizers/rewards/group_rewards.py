"""Group rewards: advantages of rewards relative to their prompt, or to the batch."""

from __future__ import annotations

from dataclasses import replace

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
    like,
    param,
    unwrap,
)
from normalizers.rewards.base.advantages import (
    AdvantageRules,
    CenterScope,
    OnConstant,
    OnFew,
    ScaleScope,
    advantages_of,
    told_of,
)
from normalizers.rewards.base.group_deviation import GroupDeviation
from normalizers.rewards.base.observed import Missing, observed


class GroupRewards(GroupDeviation):
    """Turn rewards into advantages: a = (r - center) / scale, by the group of each row.

    The center is the group's mean, the batch's, the mean of the other rows of the group
    (``leave_one_out``) or none; the scale is the deviation of the group or of all rewards of the
    batch, with `eps` added or as a floor, or none.

    Notes
    -----
    A missing reward is no zero: it is left out of all statistics, its advantage is 0 and it is
    flagged ``missing`` (`missing` ``zero`` takes it as 0, ``error`` refuses it); infinities are
    refused. A group of one reward has no deviation: `on_few` says 0, the reward itself
    (``identity``) or a refusal, flagged ``insufficient``. A group without spread beyond the
    rounding of the type it was sent in is flagged ``constant``: about its own mean its advantages
    are exactly 0, about another center `on_constant` decides, and nothing is divided by an
    epsilon. The report holds n, mean, deviation and zero variance of each group itself, whatever
    the scale in use. No bit depends on the order of rows. Groups need not be contiguous. There is
    no way back; the report holds what was subtracted and what divided. Ties stay ties.
    Cost O(n log n).

    References
    ----------
    huggingface/trl trainer/grpo_trainer.py; verl core_algos.py; OpenRLHF experience_maker.py;
    SJTU-DENG-Lab/LightningRL reward/rl_reward.py; "Dr. GRPO", arXiv 2503.20783.

    Examples
    --------
    >>> from normalizers import GroupRewards
    >>> method = GroupRewards(scale_scope="none")
    >>> method.transform([1.0, 0.0, 0.0, 1.0], groups=["a", "a", "a", "a"]).tolist()
    [0.5, -0.5, -0.5, 0.5]
    """

    name = "group_rewards"
    family = "rewards"
    kinds = ("stateless",)
    aliases = {
        "grpo": {},
        "dr_grpo": {"scale_scope": "none"},
        "rloo": {"center_scope": "leave_one_out", "scale_scope": "none"},
    }
    presets = {
        "grpo": {"center_scope": "group", "scale_scope": "group", "ddof": 1, "eps": 1e-4},
        "trl_group": {"center_scope": "group", "scale_scope": "group", "ddof": 1, "eps": 1e-4},
        "trl_batch": {"center_scope": "group", "scale_scope": "batch", "ddof": 1, "eps": 1e-4},
        "dr_grpo": {"center_scope": "group", "scale_scope": "none"},
        "trl_none": {"center_scope": "group", "scale_scope": "none"},
        "verl": {
            "center_scope": "group",
            "scale_scope": "group",
            "ddof": 1,
            "eps": 1e-6,
            "on_few": "identity",
        },
        "openrlhf": {
            "center_scope": "group",
            "scale_scope": "group",
            "ddof": 1,
            "eps": 1e-9,
            "on_few": "error",
        },
        "rloo": {"center_scope": "leave_one_out", "scale_scope": "none"},
        "population": {"center_scope": "group", "scale_scope": "group", "ddof": 0, "eps": 0.0},
    }
    traits = Traits(batch_invariant=False)
    takes = Fields(
        rewards=floats("n 1", flat="column", screened=False, help="one reward a row"),
        groups=labels("n j", help="the group (prompt) of each row"),
    )
    gives = Fields(
        advantages=like("rewards", floats("n 1", flat="column", help="advantage of each row"))
    )
    examples = (
        Example(
            input={
                "rewards": [1.0, 0.0, 0.0, 1.0, 0.5, 0.5],
                "groups": ["a", "a", "a", "a", "b", "b"],
            }
        ),
        Example(
            {"center_scope": "leave_one_out", "scale_scope": "batch"},
            input={"rewards": [1.0, 0.0, 0.5, 0.25], "groups": ["a", "a", "b", "b"]},
            name="batch",
        ),
    )

    center_scope: CenterScope | None = param(
        default=None,
        default_value="group",
        affects="answer",
        help="whose mean is subtracted: the group's, the batch's, that of the other rows, none",
    )
    scale_scope: ScaleScope | None = param(
        default=None,
        default_value="group",
        affects="answer",
        help="whose deviation divides: that of the group, of all rewards, none",
    )
    missing: Missing | None = param(
        default=None,
        default_value="skip",
        affects="answer",
        help="a missing reward: left out with advantage 0, a reward of 0, or refused",
    )
    on_few: OnFew | None = param(
        default=None,
        default_value="zero",
        affects="answer",
        help="a group of one: 0, the reward itself, or refused",
    )
    on_constant: OnConstant | None = param(
        default=None,
        default_value="zero",
        affects="answer",
        help="a group without spread about another center than its own: 0, 0.5, unchanged, refused",
    )

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the advantages; the parts behind them are centers and scales by row."""
        x = observed(batch.array("rewards"), unwrap(self.missing), "input.rewards")[:, 0]
        groups, dtype = batch.labels("groups"), batch.form("rewards").dtype
        found = advantages_of(x, groups, self._rules, dtype, "input.groups")
        answer = Answer({"advantages": found.values[:, None]}, report=told_of(found, groups))
        for flag, where in (
            ("missing", found.missing),
            ("constant", found.constant),
            ("insufficient", found.insufficient),
        ):
            answer = answer.flagged(flag, np.flatnonzero(where))
        if not options.explain:
            return answer
        parts = {"center": found.loc.tolist(), "scale": found.scale.tolist()}
        return replace(answer, explain=parts)

    @property
    def _rules(self) -> AdvantageRules:
        return AdvantageRules(
            unwrap(self.center_scope),
            unwrap(self.scale_scope),
            unwrap(self.ddof),
            unwrap(self.eps),
            unwrap(self.eps_mode),
            unwrap(self.on_few),
            unwrap(self.on_constant),
        )
