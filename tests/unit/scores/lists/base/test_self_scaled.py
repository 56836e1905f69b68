"""Lists measured by their own sum, length, ends or order."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import (
    L2,
    BandedMinMax,
    Max,
    Rank,
    ReciprocalRank,
    Sum,
    TheoreticalMinMax,
    errors,
)

LISTS = [[3.0, 1.0, 2.0], [5.0], []]


def test_sum_gives_scores_back() -> None:
    answer = Sum().apply_to(scores=LISTS)
    assert answer["loc"].tolist() == [1.0, 5.0, 0.0]
    assert answer["scale"].tolist() == [3.0, 0.0, 0.0]
    back = Sum().inverse_transform(answer["values"], loc=answer["loc"], scale=answer["scale"])
    assert [part.tolist() for part in back] == LISTS


def test_a_sum_beyond_a_float_is_refused() -> None:
    with pytest.raises(errors.InvalidInput, match="too far apart"):
        Sum().transform([-1.7e308, 1.7e308])


def test_l2_of_zeros_is_flagged() -> None:
    answer = L2().apply_to(scores=[[0.0, 0.0], [3.0, 4.0], []])
    assert [part.tolist() for part in answer["values"]] == [[0.0, 0.0], [0.6, 0.8], []]
    assert answer.flags["zero_norm"].tolist() == [0]
    assert answer["scale"].tolist() == [0.0, 5.0, 0.0]


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1e160, 1e307])
def test_l2_neither_overflows_nor_underflows(size: float) -> None:
    assert L2().transform(np.array([3.0, 4.0]) * size) == pytest.approx([0.6, 0.8], rel=1e-14)


def test_max_of_a_sample() -> None:
    answer = Max().fit([2.0, 10.0]).apply_to(scores=[[5.0, 20.0], [-10.0]])
    assert [part.tolist() for part in answer["values"]] == [[0.5, 1.0], [-1.0]]
    assert answer.flags["clipped"].tolist() == [[0, 1]]
    assert answer.flags["out_of_range"].tolist() == [[0, 1], [1, 0]]
    assert Max(clip=False).fit([2.0, 10.0]).transform([20.0]).tolist() == [2.0]
    with pytest.raises(errors.FitError, match="min_max"):
        Max().fit([-1.0, 0.0])


def test_max_of_negative_scores_where_lower_is_better() -> None:
    method = Max(higher_is_better=False)
    answer = method.apply_to(scores=[-4.0, -1.0, 2.0])
    assert answer["values"].tolist() == [1.0, 0.25, -0.5]
    assert method.inverse_transform(
        answer["values"], loc=answer["loc"], scale=answer["scale"]
    ).tolist() == [-4.0, -1.0, 2.0]


def test_tmm_needs_its_worst_score() -> None:
    for params in ({}, {"similarity": "dot"}):
        with pytest.raises(errors.InvalidParams) as caught:
            TheoreticalMinMax(**params).transform([1.0])
        assert caught.value.path == "params.theoretical_min"
    assert TheoreticalMinMax(similarity="bm25").transform([4.0, 1.0]).tolist() == [1.0, 0.25]
    named = TheoreticalMinMax(similarity="cosine", theoretical_min=0.0)
    assert named.transform([1.0, 0.5]).tolist() == [1.0, 0.5]


def test_tmm_clamps_what_lies_below_the_worst_score() -> None:
    answer = TheoreticalMinMax(theoretical_min=0.0).apply_to(scores=[2.0, -1.0])
    assert answer["values"].tolist() == [1.0, 0.0]
    assert answer.flags["clipped"].tolist() == [[0, 1]]
    plain = TheoreticalMinMax(theoretical_min=0.0, clip=False).transform([2.0, -1.0])
    assert plain.tolist() == [1.0, -0.5]


def test_tmm_keeps_a_weak_lone_hit_weak_against_a_sample() -> None:
    method = TheoreticalMinMax(theoretical_min=0.0).fit([1.0, 20.0])
    assert method.transform([[2.0], [20.0]]) == [pytest.approx([0.1]), pytest.approx([1.0])]
    assert method.inverse_transform([0.1]).tolist() == pytest.approx([2.0])


def test_a_narrow_list_of_a_band_still_beats_absence() -> None:
    answer = BandedMinMax().apply_to(scores=LISTS)
    assert answer["values"][0].min() == pytest.approx(61 / 63)
    assert answer["values"][1].tolist() == [1.0]
    assert answer["band"].tolist() == pytest.approx([61 / 63, 1.0, 1.0])
    assert BandedMinMax(on_constant="keep").transform([7.0, 7.0]).tolist() == [7.0, 7.0]
    with pytest.raises(errors.ShapeError) as caught:
        BandedMinMax().version_.inverse(
            {"values": [[1.0]], "band": [1.0, 1.0], "loc": [0.0, 0.0], "scale": [1.0, 1.0]}
        )
    assert caught.value.path == "input.band"


@pytest.mark.parametrize(
    ("ties", "expected"),
    [
        ("position", [1.0, 0.75, 0.5, 0.25]),
        ("average", [0.875, 0.875, 0.5, 0.25]),
        ("min", [1.0, 1.0, 0.5, 0.25]),
    ],
)
def test_ranks_of_equal_scores(ties: str, expected: list[float]) -> None:
    assert Rank(ties=ties).transform([9.0, 9.0, 5.0, 1.0]).tolist() == expected


def test_equal_scores_keep_their_places_in_both_directions() -> None:
    for up in (True, False):
        assert Rank(higher_is_better=up).transform([2.0, 2.0]).tolist() == [1.0, 0.5]


def test_reciprocal_ranks_give_ranks_back() -> None:
    method = ReciprocalRank()
    assert method.inverse_transform(method.transform([5.0, 9.0])).round(9).tolist() == [2.0, 1.0]
    with pytest.raises(errors.InvalidInput):
        method.inverse_transform([0.5])
    with pytest.raises(errors.InvalidParams):
        ReciprocalRank(k=-1.0).transform([1.0])


def test_explained_ranks_are_plain_numbers() -> None:
    answer = Rank(nan_policy="omit").apply_to(scores=[3.0, float("nan"), 9.0], explain=True)
    assert answer.explain == [{"n": 3, "ranks": [2.0, None, 1.0]}]
