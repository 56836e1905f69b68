"""Several rewards of a row: normalized and added up, or added up and normalized."""

from __future__ import annotations

from typing import cast

import numpy as np
import pandas as pd
import pytest

from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.contract import Answer
from normalizers.errors import InvalidParams
from normalizers.normalizer import Normalizer

REWARDS = [[1.0, 0.0], [0.0, 1.0], [1.0, 3.0], [0.0, 5.0]]
GROUPS = ["a", "a", "b", "b"]


def answer(rewards: object, groups: object = GROUPS, **params: object) -> Answer:
    made = cast(Normalizer, CATALOGUE.create("multi_rewards", params))
    return made.apply_to(rewards, groups=groups)


def advantages(rewards: object, groups: object = GROUPS, **params: object) -> np.ndarray:
    return np.ravel(answer(rewards, groups, **params).output["advantages"])  # type: ignore[arg-type]


def test_constant_components_add_0_or_half() -> None:
    rewards = [[1.0, 2.0], [0.0, 2.0]]
    z = answer(rewards, ["a", "a"], final="none")
    assert np.ravel(z.output["advantages"]) == pytest.approx([0.70700679, -0.70700679])  # type: ignore[arg-type]
    half = advantages(rewards, ["a", "a"], component="min_max", final="none")
    assert half.tolist() == [1.5, 0.5]
    zero = advantages(rewards, ["a", "a"], component="min_max", on_constant="zero", final="none")
    assert zero.tolist() == [1.0, 0.0]


def test_lightning_rl_has_two_deviations_in_one_pipeline() -> None:
    found = advantages(REWARDS, preset="lightning_rl")
    # Population z-scores are +1 and -1 in groups of two; the batch's sample deviation divides.
    sums = np.array([0.0, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(found, sums)
    speed = advantages(
        REWARDS, preset="lightning_rl", component=["z_score", "coefficient"], weights=[1.0, 0.1]
    )
    total = np.array([1.0, -1.0, 1.0, -1.0]) + 0.1 * np.array([0.0, 1.0, 3.0, 5.0])
    np.testing.assert_allclose(speed, (total - total.mean()) / total.std(ddof=1))


def test_a_missing_component_adds_nothing_and_a_row_without_any_is_missing() -> None:
    rewards = [[1.0, None], [0.0, 1.0], [None, None], [0.5, 3.0]]
    found = answer(rewards, ["a"] * 4)
    assert found.flags["missing"].tolist() == [2]
    values = np.ravel(found.output["advantages"])  # type: ignore[arg-type]
    assert values[2] == 0.0
    assert found.report["components"] == {"missing": [1, 2]}  # type: ignore[index]
    others = advantages([rewards[0], rewards[1], rewards[3]], ["a"] * 3)
    np.testing.assert_array_equal(values[[0, 1, 3]], others)


def test_final_may_be_of_the_batch_of_the_group_centring_alone_or_none() -> None:
    parts = {
        final: advantages(REWARDS, final=final, weights=[1.0, 2.0])
        for final in ("batch_z_score", "group_z_score", "group_center", "none")
    }
    total = parts["none"]
    np.testing.assert_allclose(parts["group_center"], total, atol=1e-12)
    batch = (total - total.mean()) / (total.std(ddof=1) + 1e-4)
    np.testing.assert_allclose(parts["batch_z_score"], batch)


def test_weights_go_by_the_names_of_columns() -> None:
    frame = pd.DataFrame(REWARDS, columns=["exact", "speed"])
    by_name = advantages(frame, weights={"speed": 2.0, "exact": 0.5})
    np.testing.assert_array_equal(by_name, advantages(REWARDS, weights=[0.5, 2.0]))
    for weights in ({"speed": 1.0}, {"sped": 1.0, "exact": 1.0}):
        with pytest.raises(InvalidParams, match="component"):
            advantages(frame, weights=weights)
    for wrong in ([1.0], [0.0, 0.0], [1.0, -1.0]):
        with pytest.raises(InvalidParams) as refused:
            advantages(REWARDS, weights=wrong)
        assert refused.value.path == "params.weights"


def test_a_group_of_one_is_flagged() -> None:
    found = answer([[1.0, 2.0], [3.0, 1.0], [0.0, 0.0]], ["c", "a", "a"])
    assert 0 in found.flags["insufficient"].tolist()
    assert answer([[1.0, 2.0], [3.0, 1.0]], ["a", "a"], component=["z_score", "min_max"])
    with pytest.raises(InvalidParams, match="words for"):
        advantages(REWARDS, component=["z_score"])
