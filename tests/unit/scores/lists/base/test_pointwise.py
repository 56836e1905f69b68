"""Maps of the score itself: values, ends, the way back, what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from normalizers import Identity, MilvusMap, PositiveMap, Sigmoid, errors
from normalizers.scores.base.similarity import SIMILARITIES

NAN = float("nan")


def test_sigmoid_does_not_overflow() -> None:
    assert Sigmoid().transform([-800.0, 800.0, -1e308, 1e308]).tolist() == [0.0, 1.0, 0.0, 1.0]
    assert Sigmoid(slope=1e300).transform([1e300, -1e300]).tolist() == [1.0, 0.0]


def test_sigmoid_of_a_line() -> None:
    values = Sigmoid(slope=2.0, intercept=-1.0).transform([0.5, 1.0])
    assert values.tolist() == pytest.approx([0.5, 1 / (1 + math.exp(-1.0))])
    assert Sigmoid(slope=2.0, intercept=-1.0).inverse_transform(values).tolist() == pytest.approx(
        [0.5, 1.0]
    )


@pytest.mark.parametrize("slope", [0.0, -1.0])
def test_a_slope_states_no_direction(slope: float) -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        Sigmoid(slope=slope).transform([1.0])
    assert caught.value.path == "params.slope"


def test_sigmoid_undoes_its_ends_as_their_neighbours() -> None:
    answer = Sigmoid().version_.inverse({"values": [0.0, 0.5, 1.0]})
    assert answer["scores"].round(1).tolist() == [-708.4, 0.0, 36.7]
    assert answer.flags["clipped"].tolist() == [[0, 0], [0, 2]]


def test_positive_map_is_continuous_and_comes_back() -> None:
    scores = [-700.0, -1.0, -1e-300, 0.0, 1e-300, 2.5, 1e300]
    values = PositiveMap().transform(scores)
    assert (values > 0).all()
    np.testing.assert_allclose(PositiveMap().inverse_transform(values), scores, atol=1e-15)
    assert PositiveMap().inverse_transform([0.0]).round(1).tolist() == [-708.4]
    with pytest.raises(errors.InvalidInput, match="positive"):
        PositiveMap().inverse_transform([-0.1])


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_milvus_maps_follow_the_direction_of_their_similarity(similarity: str) -> None:
    scores = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    values = MilvusMap(similarity=similarity).transform(scores)
    steps = np.diff(values) if SIMILARITIES[similarity] else -np.diff(values)
    assert (steps > 0).all()
    assert ((values >= 0) & (values <= 1)).all()
    np.testing.assert_allclose(
        MilvusMap(similarity=similarity).inverse_transform(values), scores, atol=1e-14
    )


def test_milvus_maps_of_opposite_products_agree() -> None:
    scores = np.array([-3.0, 0.0, 2.0])
    dot, negative = (MilvusMap(similarity=name) for name in ("dot", "negative_dot"))
    assert dot.transform(scores).tolist() == negative.transform(-scores).tolist()


def test_a_milvus_map_needs_its_similarity() -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        MilvusMap().transform([1.0])
    assert caught.value.path == "params.similarity"
    with pytest.raises(errors.InvalidParams, match="higher_is_better false"):
        MilvusMap(similarity="l2", higher_is_better=True).transform([1.0])


def test_milvus_ends_and_values_beyond_them() -> None:
    answer = MilvusMap(similarity="bm25").version_.inverse({"values": [1.0]})
    assert answer.flags["clipped"].tolist() == [[0, 0]]
    assert np.isfinite(answer["scores"]).all()
    with pytest.raises(errors.InvalidInput, match="beyond"):
        MilvusMap(similarity="bm25").inverse_transform([1.5])


def test_identity_turns_distances_around_and_keeps_missing_scores() -> None:
    method = Identity(higher_is_better=False, nan_policy="omit")
    values = method.transform([0.0, 2.0, NAN])
    assert values[:2].tolist() == [0.0, -2.0]
    assert np.isnan(values[2])
    assert not np.signbit(values[0])
    assert method.inverse_transform([-2.0]).tolist() == [2.0]
