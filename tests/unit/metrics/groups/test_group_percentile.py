from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import percentileofscore

from normalizers import GroupPercentile
from normalizers.errors import InvalidInput, NotEnoughData

ANCHORS = [1.0, 2.0, 2.0, 3.0, 5.0]
X = [0.0, 1.0, 2.0, 2.5, 5.0, 9.0]


@pytest.mark.parametrize("kind", ["strict", "weak", "mean", "rank"])
def test_shares_are_those_of_scipy(kind: str) -> None:
    fitted = GroupPercentile(kind=kind).fit(ANCHORS, groups=["fr"] * 5)
    expected = percentileofscore(ANCHORS, X, kind=kind) / 100
    assert np.allclose(fitted.transform(X, groups=["fr"] * 6), expected, rtol=1e-15)


def test_two_columns_and_two_groups_have_samples_of_their_own() -> None:
    x = np.array([[1.0, 10.0], [2.0, 30.0], [3.0, 20.0], [5.0, 1.0]])
    fitted = GroupPercentile(kind="weak").fit(x, groups=["a", "a", "b", "b"])
    answer = fitted.apply_to([[1.0, 30.0], [1.0, 30.0]], groups=["a", "b"])
    assert answer["y"].tolist() == [[0.5, 1.0], [0.0, 1.0]]
    assert answer.flags["out_of_range"].tolist() == [1]


def test_lower_is_better_turns_only_with_flip() -> None:
    turned = GroupPercentile(higher_is_better=False, flip=True).fit(ANCHORS, groups=["fr"] * 5)
    negated = GroupPercentile().fit(-np.array(ANCHORS), groups=["fr"] * 5)
    asked = {"groups": ["fr"] * 6}
    assert np.allclose(turned.transform(X, **asked), negated.transform(-np.array(X), **asked))
    kept = GroupPercentile(higher_is_better=False).fit(ANCHORS, groups=["fr"] * 5)
    plain = GroupPercentile().fit(ANCHORS, groups=["fr"] * 5)
    assert np.array_equal(kept.transform(X, **asked), plain.transform(X, **asked))


def test_a_constant_group_gives_a_half_and_missing_is_missing() -> None:
    fitted = GroupPercentile().fit([3.5, 3.5, np.nan], groups=["fr"] * 3)
    answer = fitted.transform([3.5, 3.4, np.nan], groups=["fr"] * 3)
    assert answer[:2].tolist() == [0.5, 0.0]
    assert np.isnan(answer[2])


def test_unknown_groups_are_refused_or_stand_among_all() -> None:
    fitted = GroupPercentile(unknown_group="global").fit([1.0, 2.0, 3.0], groups=["a", "a", "b"])
    answer = fitted.apply_to([2.0], groups=["z"])
    assert answer["y"].tolist() == [0.5]
    assert answer.flags["unknown_group"].tolist() == [0]
    with pytest.raises(InvalidInput, match="'z'"):
        GroupPercentile().fit([1.0], groups=["a"]).transform([1.0], groups=["z"])


def test_the_way_back_is_a_quantile_of_the_group() -> None:
    fitted = GroupPercentile().fit(ANCHORS, groups=["fr"] * 5)
    back = fitted.inverse_transform([0.0, 0.5, 1.0], groups=["fr"] * 3)
    assert back.tolist() == np.quantile(ANCHORS, [0.0, 0.5, 1.0]).tolist()


def test_stored_quantiles_serve_in_place_of_anchors_and_rank_needs_their_number() -> None:
    table = {"quantiles": {"fr": {"p": [0.0, 0.5, 1.0], "v": [[1.0], [3.0], [5.0]]}}}
    fitted = GroupPercentile().fit_statistics(**table)
    assert fitted.transform([2.0], groups=["fr"]).tolist() == [0.25]
    with pytest.raises(NotEnoughData, match="n of the stored"):
        GroupPercentile(kind="rank").fit_statistics(**table)


def test_a_group_without_a_score_is_no_group_to_rank_among() -> None:
    with pytest.raises(NotEnoughData, match="fr"):
        GroupPercentile().fit([np.nan, 1.0], groups=["fr", "de"])
