"""Steps of an answer that agree in sign with its outcome."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import ProcessRewards
from normalizers.errors import InvalidInput, NormalizerError, ShapeError

SCORES, MOST = [[3.0, 1.0, 2.0], [4.0]], [[4.0, 4.0, 4.0], [4.0]]


def test_signs_agree_with_the_outcome() -> None:
    right = ProcessRewards().transform(SCORES, step_max=MOST, outcomes=[1.0, 1.0])
    wrong = ProcessRewards().transform(SCORES, step_max=MOST, outcomes=[0.0, 0.0])
    assert [part.tolist() for part in right] == [[0.75, 0.25, 1.0], [1.0]]
    assert [part.tolist() for part in wrong] == [[-0.25, -0.75, 0.0], [0.0]]


def test_any_real_is_an_outcome_and_an_empty_trajectory_has_no_steps() -> None:
    answer = ProcessRewards().transform(
        [[1.0, 0.0], []], step_max=[[2.0, 1.0], []], outcomes=[-3.5, 9.0]
    )
    assert [part.tolist() for part in answer] == [[-4.0, -3.5], []]


@pytest.mark.parametrize("step", [(5.0, 4.0), (-1.0, 4.0), (0.0, 0.0), (None, 4.0), (1.0, None)])
def test_an_invalid_step_is_missing_zero_or_refused(step: tuple[float, float]) -> None:
    given = {"step_scores": [[step[0], 0.0]], "step_max": [[step[1], 1.0]], "outcomes": [1.0]}
    answer = ProcessRewards().apply_to(**given)
    assert np.isnan(answer.output["rewards"][0][0])  # type: ignore[index]
    assert answer.flags["missing"].tolist() == [[0, 0]]
    zero = ProcessRewards(invalid_step="zero").apply_to(**given)
    assert zero.output["rewards"][0].tolist() == [0.0, 1.0]  # type: ignore[index]
    with pytest.raises(InvalidInput) as refused:
        ProcessRewards(invalid_step="error").apply_to(**given)
    assert refused.value.path == "input.step_scores[0][0]"


def test_the_score_of_a_last_step_is_not_read() -> None:
    answer = ProcessRewards(invalid_step="error").apply_to(
        [[1.0, None]], step_max=[[2.0, 0.0]], outcomes=[0.5]
    )
    assert answer.output["rewards"][0].tolist() == [0.0, 0.5]  # type: ignore[index]
    assert not answer.flags


def test_the_way_back_gives_the_scores_before_the_last() -> None:
    fitted = ProcessRewards(shift=0.5)
    rewards = fitted.transform(SCORES, step_max=MOST, outcomes=[0.25, 1.0])
    back = fitted.inverse_transform(rewards, step_max=MOST, outcomes=[0.25, 1.0])
    np.testing.assert_allclose(back[0][:2], SCORES[0][:2])
    assert np.isnan(back[0][2])
    assert np.isnan(back[1][0])


def test_there_is_one_outcome_a_trajectory() -> None:
    with pytest.raises(ShapeError, match="q"):
        ProcessRewards().transform(SCORES, step_max=MOST, outcomes=[1.0])
    with pytest.raises(NormalizerError, match="outcomes"):
        ProcessRewards().transform(SCORES, step_max=MOST, outcomes=[1.0, None])
