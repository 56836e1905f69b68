"""Weights of runs."""

from __future__ import annotations

import pytest

from normalizers import errors
from tests.unit.scores.fusion.ranks.rrf.fusion import X, Y, fused, scored


def test_llama_index_21444_weights_count() -> None:
    runs = [{"name": "x", "ids": ["a"]}, {"name": "y", "ids": ["b"]}]
    assert scored(fused(*runs, weights={"x": 4.0, "y": 1.0})) == {"a": 4 / 61, "b": 1 / 61}
    assert scored(fused(*runs, weights=[1.0, 4.0])) == {"b": 4 / 61, "a": 1 / 61}
    shares = fused(*runs, weights=[4, 1], normalize_weights=True)
    assert scored(shares) == {"a": 0.8 / 61, "b": 0.2 / 61}
    assert shares.report == {"weights": [{"run": "x", "weight": 0.8}, {"run": "y", "weight": 0.2}]}


def test_redisvl_weight_zero_means_zero() -> None:
    runs = [{"name": "x", "ids": ["z", "a"]}, {"name": "y", "ids": ["c", "a"]}]
    answer = fused(*runs, weights={"x": 0.0, "y": 1.0})
    assert scored(answer) == {"c": 1 / 61, "a": 1 / 62, "z": 0.0}
    dropped = fused(*runs, weights=[0.0, 1.0], drop_zero_weight=True)
    assert dropped["ids"].tolist() == ["c", "a"]
    assert dropped.extra["total"] == 2
    stretched = fused(*runs, weights=[0.0, 1.0], weight_mode="stretch")
    assert scored(stretched) == scored(answer)


@pytest.mark.parametrize(
    ("weights", "path"),
    [
        ([1.0], "params.weights"),
        ([0.0, 0.0], "params.weights"),
        ([-1.0, 1.0], "params.weights[0]"),
        ({"x": 1.0}, "params.weights"),
        ({"x": 1.0, "y": 1.0, "z": 1.0}, "params.weights.z"),
        ([1e308, 1e308], "params.weights"),
    ],
)
def test_weights_that_are_refused(weights: object, path: str) -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        fused(X, Y, weights=weights)
    assert caught.value.path == path


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([], "0 weights: every run needs one"),
        ({}, "0 weights: every run needs a weight by its name"),
        ([0.0, 0.0], "the weights are all 0; one must be above 0"),
        ({"x": 0.0}, "the weights are all 0; one must be above 0"),
    ],
)
def test_weights_that_say_nothing(weights: object, message: str) -> None:
    with pytest.raises(errors.InvalidParams, match=message):
        fused(X, Y, weights=weights)


def test_weights_by_name_need_names() -> None:
    with pytest.raises(errors.InvalidParams, match="run 1, which has no name"):
        fused(X, {"ids": ["a"]}, weights={"x": 1.0})


def test_qdrants_weights_stretch_the_rank() -> None:
    answer = fused(X, Y, weights=[3.0, 1.0], weight_mode="stretch", k=59.0)
    assert scored(answer)["b"] == 1 / (1 / 3 + 59) + 1 / 62
