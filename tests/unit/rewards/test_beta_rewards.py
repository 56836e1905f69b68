"""Advantages weighted by a beta density of the means of groups."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import BetaRewards
from normalizers.errors import InvalidInput, InvalidParams

QUARTERS = [1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0]
GROUPS = ["a"] * 4 + ["b"] * 4 + ["c"] * 4


def test_three_quarters_give_exactly_the_shape_of_grpo() -> None:
    answer = BetaRewards().apply_to(QUARTERS, groups=GROUPS)
    assert answer.output["alpha"] == pytest.approx(1.5, rel=1e-15)
    assert answer.output["beta"] == pytest.approx(1.5, rel=1e-15)
    p = np.array([0.25, 0.5, 0.75])
    weights = np.asarray(answer.output["group_weights"])
    # Proportional to (p (1 - p))^(-1/2): GRPO but for a constant.
    ratio = weights * np.sqrt(p * (1 - p))
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-14)


def test_shapes_of_one_are_reinforce_with_a_baseline() -> None:
    answer = BetaRewards(moments=[0.5, 0.25]).apply_to(QUARTERS, groups=GROUPS)
    assert (answer.output["alpha"], answer.output["beta"]) == (1.0, 1.0)
    baseline = np.repeat([0.25, 0.5, 0.75], 4)
    np.testing.assert_allclose(answer.output["advantages"], QUARTERS - baseline, rtol=1e-15)


def test_one_prompt_has_the_uniform_weight() -> None:
    answer = BetaRewards().apply_to([1, 0, 0], groups=["a"] * 3)
    assert np.asarray(answer.output["group_weights"]).tolist() == [1.0]
    assert "degenerate" not in answer.flags


@pytest.mark.parametrize("rewards", [[0] * 4, [1] * 4, [0, 1, 1, 0]])
def test_groups_of_one_mean_have_weight_1_and_say_so(rewards: list[int]) -> None:
    answer = BetaRewards().apply_to(rewards, groups=["a", "a", "b", "b"])
    assert np.isfinite(answer.output["advantages"]).all()  # type: ignore[arg-type]
    assert np.asarray(answer.output["group_weights"]).tolist() == [1.0, 1.0]
    assert answer.flags["degenerate"].tolist() == [0, 1, 2, 3]
    assert answer.report["degenerate"] is True  # type: ignore[index]


def test_a_density_of_0_gives_the_cap() -> None:
    rewards = [1, 1, 0, 0, 1, 0, 0, 1, 1, 1, 1, 1, 0, 1]
    groups = ["a", "a", "b", "b", "c", "c", "d", "d", "e", "e", "f", "f", "g", "g"]
    answer = BetaRewards(weight_cap=100.0).apply_to(rewards, groups=groups)
    weights = np.asarray(answer.output["group_weights"])
    assert answer.output["alpha"] > 1  # type: ignore[operator]
    assert weights.max() == pytest.approx(100.0)


def test_a_group_of_one_is_not_centred_zero_or_refused() -> None:
    rewards, groups = [1.0, 1.0, 0.0], ["c", "a", "a"]
    raw = BetaRewards(moments=[0.5, 0.25]).apply_to(rewards, groups=groups)
    assert raw.output["advantages"][0] == 1.0  # type: ignore[index]
    assert raw.flags["insufficient"].tolist() == [0]
    zero = BetaRewards(moments=[0.5, 0.25], on_few="zero").transform(rewards, groups=groups)
    assert zero[0] == 0.0
    with pytest.raises(InvalidInput, match="'c'"):
        BetaRewards(on_few="error").transform(rewards, groups=groups)


def test_rewards_lie_between_the_ends_and_missing_ones_are_left_out() -> None:
    with pytest.raises(InvalidInput) as refused:
        BetaRewards().transform([0.5, 1.5], groups=["a", "a"])
    assert refused.value.path == "input.rewards[1]"
    points = BetaRewards(lower=0, upper=10).transform([10, 0, 0, 10], groups=["a", "a", "b", "b"])
    np.testing.assert_allclose(points, [0.5, -0.5, -0.5, 0.5])
    answer = BetaRewards().apply_to([1, None, 0, 1], groups=["a", "a", "b", "b"])
    assert answer.flags["missing"].tolist() == [1]
    assert answer.output["advantages"][1] == 0.0  # type: ignore[index]
    for wrong in ({"lower": 1.0}, {"moments": [2.0, 1.0]}, {"moments": [0.5]}):
        with pytest.raises(InvalidParams):
            BetaRewards(**wrong).transform([0.5], groups=["a"])  # type: ignore[arg-type]
