"""A normalizer without a fit makes its version once, and again where a parameter has changed."""

from __future__ import annotations

import pytest

from normalizers import MinMax, ReciprocalRankFusion, WeightedSum
from normalizers.errors import InvalidParams

RUNS = [{"ids": ["a", "b"], "scores": [2.0, 1.0]}, {"ids": ["c", "a"], "scores": [9.0, 3.0]}]


def test_small_calls_find_the_version_of_the_call_before() -> None:
    method = ReciprocalRankFusion(weights=[0.5, 0.5])
    assert method.version_ is method.version_


def test_small_calls_follow_a_parameter_that_was_set() -> None:
    method = MinMax()
    assert method.transform([3.0, 1.0]).tolist() == [1.0, 0.0]
    method.set_params(higher_is_better=False)
    assert method.transform([3.0, 1.0]).tolist() == [0.0, 1.0]
    method.floor = 0.25
    assert method.transform([3.0, 1.0]).tolist() == [0.25, 1.0]


def test_small_calls_follow_weights_that_were_changed_in_place() -> None:
    weights = [1.0, 0.0]
    method = WeightedSum(weights=weights)
    before = method.apply_to(RUNS)
    weights[:] = [0.0, 1.0]
    assert method.apply_to(RUNS)["ids"].tolist() != before["ids"].tolist()


def test_small_calls_refuse_a_parameter_that_is_equal_but_of_another_type() -> None:
    method = MinMax(clip=True)
    method.transform([3.0, 1.0])
    method.clip = 1  # type: ignore[assignment]
    with pytest.raises(InvalidParams):
        method.transform([3.0, 1.0])


def test_small_calls_follow_the_normalizer_that_a_fusion_holds() -> None:
    inner = MinMax()
    method = WeightedSum(normalizer=inner)
    before = method.apply_to(RUNS)["scores"].tolist()
    inner.floor = 0.5
    assert method.apply_to(RUNS)["scores"].tolist() != before


def test_a_fit_comes_before_the_version_without_one() -> None:
    method = MinMax()
    method.transform([3.0, 1.0])
    assert method.fit([0.0, 10.0]).transform([5.0]).tolist() == [0.5]
