"""Process rewards: scores of the steps of an answer, moved to agree in sign with its outcome."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

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
    like,
    lists,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput
from normalizers.kernels import segments
from normalizers.normalizer import Normalizer


class ProcessRewards(Normalizer):
    """Combine the score of each step with the outcome of its trajectory.

    r = s / max + outcome - shift for every step but the last, which has the outcome itself. With
    outcomes 0 and 1 and a shift of 1 the steps of right answers lie in [0, 1], those of wrong
    ones in [-1, 0]: agreement of signs is the point.

    Notes
    -----
    A trajectory of one step has its outcome. A step score is invalid where the maximum is not
    above 0, the score is negative or above it, or either is missing: its reward is missing (and
    flagged so), or with `invalid_step` ``zero`` outcome - shift, as the released code has it, or
    it is refused. Scores of last steps are not read. Outcomes are any numbers; a missing one is
    refused. The way back gives the scores of all steps but the last, from the rewards, the
    maxima and the outcomes. Constants and ties need no rule. Cost O(N).

    References
    ----------
    "PPR", arXiv 2509.25598 (github.com/Zhuohao-Li/ppr verl/utils/reward_score/process_reward.py).

    Examples
    --------
    >>> from normalizers import ProcessRewards
    >>> steps, most = [[3.0, 1.0, 0.0]], [[4.0, 4.0, 4.0]]
    >>> for outcome in (1.0, 0.0):
    ...     rewards = ProcessRewards().transform(steps, step_max=most, outcomes=[outcome])
    ...     print(rewards[0].tolist())
    [0.75, 0.25, 1.0]
    [-0.25, -0.75, 0.0]
    """

    name = "process_rewards"
    family = "rewards"
    kinds = ("stateless",)
    aliases = {"renorm": {}, "ppr": {}}
    traits = Traits(way_back="lossy", way_back_bound=1e-12)
    takes = Fields(
        step_scores=lists(screened=False, help="score of each step, a list a trajectory"),
        step_max=lists(screened=False, help="largest score that each step can have"),
        outcomes=floats("q", help="outcome reward of each trajectory"),
    )
    gives = Fields(rewards=like("step_scores", lists(help="reward of each step")))
    inverse_takes = Fields(
        rewards=lists(screened=False, help="reward of each step"),
        step_max=lists(screened=False, help="largest score that each step can have"),
        outcomes=floats("q", help="outcome reward of each trajectory"),
    )
    example = Example(
        input={
            "step_scores": [[3.0, 1.0, 0.0], [2.0, 4.0]],
            "step_max": [[4.0, 4.0, 4.0], [4.0, 4.0]],
            "outcomes": [1.0, 0.0],
        }
    )

    shift: float | None = param(
        default=None,
        default_value=1.0,
        affects="answer",
        help="what is subtracted from the sum of step score and outcome",
    )
    invalid_step: Literal["missing", "zero", "error"] | None = param(
        default=None,
        default_value="missing",
        affects="answer",
        help="a step without a valid score: missing, a score of 0, or refused",
    )

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the rewards; the parts behind them are the shares of the maxima."""
        scores = batch.ragged("step_scores")
        last = _last_steps(scores)
        shares = self._shares(scores, batch.ragged("step_max").values, last)
        outcome = _of_steps(batch.array("outcomes"), scores)
        rewards = np.where(last, outcome, shares + outcome - unwrap(self.shift))
        answer = Answer({"rewards": scores.with_values(rewards)})
        if not options.explain:
            return answer
        told = {"shift": self.shift, "outcomes": batch.array("outcomes").tolist()}
        return replace(answer, explain=told)

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the scores of all steps but the last."""
        rewards = batch.ragged("rewards")
        outcome = _of_steps(batch.array("outcomes"), rewards)
        shares = rewards.values - outcome + unwrap(self.shift)
        scores = shares * batch.ragged("step_max").values
        last = _last_steps(rewards)
        return Answer({"step_scores": rewards.with_values(np.where(last, np.nan, scores))})

    def _shares(self, scores: Ragged, most: Array, last: Array) -> Array:
        s = scores.values
        valid = (most > 0) & (s >= 0) & (s <= most) & np.isfinite(most)
        if self.invalid_step == "error" and not (valid | last).all():
            part, step = scores.position(int(np.argmin(valid | last)))
            raise InvalidInput(
                "a step score lies between 0 and its maximum, which is above 0",
                path=f"input.step_scores[{part}][{step}]",
            )
        shares = np.divide(s, most, out=np.full(len(s), np.nan), where=valid)
        return np.where(valid, shares, 0.0) if self.invalid_step == "zero" else shares


def _of_steps(outcomes: Array, lists: Ragged) -> Array:
    """Return the outcome of every step's trajectory."""
    return segments.broadcast(outcomes, lists) if len(lists.values) else np.zeros(0)


def _last_steps(lists: Ragged) -> Array:
    """Return which values end their list, boolean of shape (N,)."""
    last = np.zeros(len(lists.values), dtype=bool)
    last[lists.offsets[1:][lists.lengths > 0] - 1] = True
    return last
