"""Advantages within a group: whose statistics, missing rewards, groups without spread."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.errors import InvalidInput, NonFiniteError
from normalizers.normalizer import Normalizer

A, B = [1.0, 0.0, 0.0, 1.0], [0.5] * 4
GROUPS = ["a"] * 4 + ["b"] * 4


def made(**params: object) -> Normalizer:
    return cast(Normalizer, CATALOGUE.create("group_rewards", params))


def advantages(rewards: object, groups: object, **params: object) -> np.ndarray:
    return np.asarray(made(**params).transform(rewards, groups=groups))


def test_nemo_4158_a_false_deviation_gives_no_spike() -> None:
    rewards = np.array([0.95] * 7 + [np.nan], dtype=np.float32)
    answer = made(preset="rloo", scale_scope="group").apply_to(rewards, groups=["p"] * 8)
    assert np.abs(answer.output["advantages"]).max() <= 1
    assert answer.report is not None
    assert answer.report["groups"]["zero_variance"] == [True]  # type: ignore[index]
    assert answer.flags["constant"].tolist() == list(range(7))


def test_a_spread_below_the_rounding_of_the_input_s_type_is_none() -> None:
    near = np.nextafter(np.float32(0.95), np.float32(1))
    rewards = np.array([0.95, near, 0.95], dtype=np.float32)
    assert advantages(rewards, ["p"] * 3).tolist() == [0.0, 0.0, 0.0]
    # The same difference in float64 is real.
    wide = advantages(rewards.astype(np.float64), ["p"] * 3, eps=0.0)
    assert np.abs(wide).max() > 0.5


def test_trl_5902_a_missing_reward_is_left_out_and_marked() -> None:
    answer = made().apply_to([1.0, None, 0.0, 1.0], groups=["a"] * 4)
    np.testing.assert_allclose(
        answer.output["advantages"], [0.57725029, 0.0, -1.15450057, 0.57725029], rtol=1e-7
    )
    assert answer.flags["missing"].tolist() == [1]
    told = answer.report["groups"]  # type: ignore[index]
    assert (told["n"], told["missing"]) == ([3], [1])  # type: ignore[index]


def test_trl_3991_group_and_batch_are_two_scales() -> None:
    group = advantages(A + B, GROUPS, preset="trl_group")
    batch = advantages(A + B, GROUPS, preset="trl_batch")
    assert abs(group[0] - batch[0]) > 0.4


def test_trl_6365_zero_variance_is_of_the_group_whatever_the_scale() -> None:
    answer = made(preset="trl_batch").apply_to(A + B, groups=GROUPS)
    told = answer.report["groups"]  # type: ignore[index]
    assert told["zero_variance"] == [False, True]  # type: ignore[index]
    assert told["std"][1] == 0.0  # type: ignore[index]
    assert answer.flags["constant"].tolist() == [4, 5, 6, 7]


def test_verl_3635_the_statistics_of_one_row_are_its_own() -> None:
    answer = made(preset="verl").apply_to([0.7], groups=["c"])
    told = answer.report["groups"]  # type: ignore[index]
    assert (told["mean"], told["std"], told["n"]) == ([0.7], [None], [1])  # type: ignore[index]
    np.testing.assert_allclose(answer.output["advantages"], [0.7 / (1 + 1e-6)])


def test_a_group_of_one_is_zero_itself_or_refused() -> None:
    assert advantages([0.7, 1.0, 0.0], ["c", "a", "a"])[0] == 0.0
    answer = made().apply_to([0.7, 1.0, 0.0], groups=["c", "a", "a"])
    assert answer.flags["insufficient"].tolist() == [0]
    with pytest.raises(InvalidInput, match="'c'"):
        advantages([0.7, 1.0, 0.0], ["c", "a", "a"], preset="openrlhf")
    # Without a deviation nothing is lacking: its own mean is subtracted.
    assert "insufficient" not in made(scale_scope="none").apply_to([0.7], groups=["c"]).flags
    assert advantages([0.7], ["c"], preset="rloo").tolist() == [0.0]


def test_leave_one_out_is_the_mean_of_the_others() -> None:
    rewards = [1.0, 0.25, 0.5, 3.0]
    found = advantages(rewards, ["a"] * 4, preset="rloo")
    others = [(sum(rewards) - r) / 3 for r in rewards]
    np.testing.assert_allclose(found, np.subtract(rewards, others), rtol=1e-14)
    with_gap = advantages([1.0, None, 0.0], ["a"] * 3, preset="rloo")
    assert with_gap.tolist() == [1.0, 0.0, -1.0]


def test_a_constant_group_about_another_center_follows_the_policy() -> None:
    params = {"center_scope": "batch", "scale_scope": "group"}
    found = {
        rule: advantages(A + B, GROUPS, on_constant=rule, **params)[4]
        for rule in ("zero", "half", "keep")
    }
    assert found == {"zero": 0.0, "half": 0.5, "keep": 0.5}
    with pytest.raises(InvalidInput, match="'b'"):
        advantages(A + B, GROUPS, on_constant="error", **params)
    assert advantages(A + B, GROUPS)[4:].tolist() == [0.0] * 4


def test_a_missing_reward_may_be_zero_or_refused_and_an_infinity_never_passes() -> None:
    assert advantages([1.0, None], ["a", "a"], missing="zero", scale_scope="none").tolist() == [
        0.5,
        -0.5,
    ]
    with pytest.raises(NonFiniteError, match=r"input.rewards\[1\]"):
        advantages([1.0, None], ["a", "a"], missing="error")
    with pytest.raises(NonFiniteError, match="infinite"):
        advantages([1.0, np.inf], ["a", "a"])


def test_a_group_without_any_reward_is_zero_and_told() -> None:
    answer = made().apply_to([None, None, 1.0, 0.0], groups=["a", "a", "b", "b"])
    assert answer.output["advantages"][:2].tolist() == [0.0, 0.0]  # type: ignore[index]
    told = answer.report["groups"]  # type: ignore[index]
    assert (told["n"][0], told["mean"][0], told["std"][0]) == (0, None, None)  # type: ignore[index]


def test_no_bit_depends_on_the_order_of_rows_or_on_other_groups() -> None:
    random = np.random.default_rng(0)
    rewards, groups = random.normal(size=200), random.integers(0, 9, size=200)
    whole = advantages(rewards, groups)
    order = random.permutation(200)
    np.testing.assert_array_equal(advantages(rewards[order], groups[order]), whole[order])
    own = groups == 4
    np.testing.assert_array_equal(advantages(rewards[own], groups[own]), whole[own])


def test_groups_may_be_numbers_and_several_labels() -> None:
    by_number = advantages(A, [7, 7, 3, 3])
    by_pair = advantages(A, [["x", 7], ["x", 7], ["x", 3], ["x", 3]])
    np.testing.assert_array_equal(by_number, by_pair)


def test_a_floor_is_no_addition() -> None:
    found = advantages([0.0, 1e-9], ["a", "a"], eps=1e-8, eps_mode="floor")
    np.testing.assert_allclose(found, [-0.05, 0.05])
