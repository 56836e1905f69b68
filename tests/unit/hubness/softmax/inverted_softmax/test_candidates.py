"""Candidates: restricted, named, unknown, certified."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import logsumexp

from normalizers import InvertedSoftmax
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, InvalidParams


def test_candidates_are_the_restriction_of_the_whole_result(
    bank: np.ndarray, sims: np.ndarray
) -> None:
    method = InvertedSoftmax().fit(bank)
    whole = method.transform(sims)
    chosen = [[5, 1, 0], [2], [], [3, 4]]
    answer = method.apply_to(
        candidate_ids=chosen,
        candidate_scores=[sims[row, places].tolist() for row, places in enumerate(chosen)],
    )
    for row, part in enumerate(answer.output["scores"]):
        np.testing.assert_array_equal(part, whole[row, chosen[row]])


def test_candidates_by_name_with_offsets_answer_in_their_form(bank: np.ndarray) -> None:
    method = InvertedSoftmax(beta=4.0).fit(bank, gallery_ids=list("abcdef"))
    answer = method.apply_to(
        candidate_ids=["f", "a", "c"],
        candidate_scores=np.array([0.5, 0.5, 0.5], dtype=np.float32),
        offsets=[0, 2, 3],
    )
    scores = answer.output["scores"]
    assert isinstance(scores, Ragged)
    assert scores.values.dtype == np.float32
    assert scores.offsets.tolist() == [0, 2, 3]
    h = logsumexp(4.0 * bank, axis=0) / 4
    np.testing.assert_allclose(scores.values, 0.5 - h[[5, 0, 2]], rtol=1e-6)


@pytest.mark.parametrize(
    "params, subtracted",
    [
        ({}, "mean"),
        ({"unknown_item": "raw"}, "nothing"),
        ({"center_bias": True}, "nothing"),
        ({"strength": 0.5}, "half of the mean"),
    ],
)
def test_scikit_hubness_59_an_item_the_fit_does_not_know(
    bank: np.ndarray, params: dict[str, object], subtracted: str
) -> None:
    method = InvertedSoftmax(beta=20.0, **params).fit(bank)
    answer = method.apply_to(
        candidate_ids=[[1, 2], [-1, 99]], candidate_scores=[[0.5, 0.5], [0.5, 0.6]]
    )
    mean = float(np.mean(logsumexp(20 * bank, axis=0) / 20))
    expected = {"mean": mean, "nothing": 0.0, "half of the mean": mean / 2}[subtracted]
    np.testing.assert_allclose(answer.output["scores"][1], np.array([0.5, 0.6]) - expected)
    assert answer.flags["unknown_item"].tolist() == [[1, 0], [1, 1]]


def test_an_unknown_item_can_be_refused(bank: np.ndarray) -> None:
    method = InvertedSoftmax(beta=20.0, unknown_item="error").fit(bank)
    with pytest.raises(InvalidInput) as caught:
        method.apply_to(candidate_ids=[[1], [0, 6]], candidate_scores=[[0.5], [0.5, 0.5]])
    assert caught.value.path == "input.candidate_ids[1][1]"
    with pytest.raises(InvalidParams):
        InvertedSoftmax(unknown_item="unknown").fit(bank)


def test_a_candidate_stands_once_in_a_list(bank: np.ndarray) -> None:
    method = InvertedSoftmax(beta=20.0).fit(bank)
    with pytest.raises(InvalidInput) as caught:
        method.apply_to(candidate_ids=[[1], [0, 3, 0]], candidate_scores=[[0.5], [0.5, 0.4, 0.5]])
    assert caught.value.path == "input.candidate_ids[1][2]"


def test_a_list_is_certified_when_nothing_outside_could_be_better() -> None:
    method = InvertedSoftmax().fit_statistics(
        log_sum_exp={"beta": 1.0, "item_bias": [0.0, 0.5, 0.1, 0.3]}
    )
    ids, scores = [[1, 2, 3], [2, 0]], [[0.9, 0.8, 0.2], [0.3, 0.29]]
    answer = method.apply_to(candidate_ids=ids, candidate_scores=scores)
    # First list: the best is 0.8 - 0.1, an outsider reaches 0.2 - 0.0.
    np.testing.assert_allclose(answer.report["min_margin"], [0.5, 0.0], atol=1e-15)
    assert answer.report["certified"] == [True, False]
    assert [noted.code for noted in answer.warnings] == ["not_certified"]
    two = method.apply_to(candidate_ids=ids, candidate_scores=scores, top_k=2)
    np.testing.assert_allclose(two.report["min_margin"], [0.2, -0.09], atol=1e-15)
    three = method.apply_to(candidate_ids=ids, candidate_scores=scores, top_k=3)
    assert three.report["min_margin"][1] is None
    assert three.report["certified"][1] is False
    everything = method.apply_to(
        candidate_ids=[[0, 1, 2, 3]], candidate_scores=[[0.0, 0.0, 0.0, 0.0]], top_k=4
    )
    assert everything.report == {"top_k": 4, "min_margin": [None], "certified": [True]}


def test_certified_lists_never_miss_a_better_item(generator: np.random.Generator) -> None:
    bank, live = generator.uniform(size=(40, 30)), generator.uniform(size=(60, 30))
    method = InvertedSoftmax().fit(bank)
    whole = method.transform(live)
    order = np.argsort(-live, axis=1)[:, :4]
    answer = method.apply_to(
        candidate_ids=order.tolist(), candidate_scores=np.take_along_axis(live, order, 1).tolist()
    )
    certified = np.array(answer.report["certified"])
    assert 0 < certified.sum() < 60
    best = [ids[np.argmax(part)] for ids, part in zip(order, answer.output["scores"], strict=True)]
    np.testing.assert_array_equal(np.array(best)[certified], whole.argmax(axis=1)[certified])


def test_kiez_one_candidate_is_enough(bank: np.ndarray) -> None:
    answer = InvertedSoftmax().fit(bank).apply_to(candidate_ids=[["3"]], candidate_scores=[[0.4]])
    assert np.isfinite(answer.output["scores"][0]).all()


def test_top_k_has_no_meaning_for_the_whole_gallery(bank: np.ndarray, sims: np.ndarray) -> None:
    with pytest.raises(InvalidParams):
        InvertedSoftmax().fit(bank).apply_to(sims=sims, top_k=2)


def test_k18_positions_are_as_good_as_names(bank: np.ndarray, sims: np.ndarray) -> None:
    method = InvertedSoftmax(beta=4.0).fit(bank, gallery_ids=list("abcdef"))
    chosen = [[5, 1, 0], [2], [], [3, 4]]
    scores = [sims[row, places].tolist() for row, places in enumerate(chosen)]
    named = method.apply_to(
        candidate_ids=[["abcdef"[place] for place in places] for places in chosen],
        candidate_scores=scores,
    )
    placed = method.apply_to(candidate_positions=chosen, candidate_scores=scores)
    for mine, theirs in zip(named.output["scores"], placed.output["scores"], strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert named.report == placed.report
    back = method.inverse_to(placed.output["scores"], candidate_positions=chosen)
    for mine, theirs in zip(back.output["candidate_scores"], scores, strict=True):
        np.testing.assert_allclose(mine, theirs)


def test_scikit_hubness_59_a_missing_neighbour_is_not_the_last_item(bank: np.ndarray) -> None:
    method = InvertedSoftmax(beta=4.0).fit(bank)
    with pytest.raises(InvalidInput, match="at least 0") as caught:
        method.apply_to(candidate_positions=[[1], [2, -1]], candidate_scores=[[0.1], [0.2, 0.3]])
    assert caught.value.path == "input.candidate_positions[1][1]"
    answer = method.apply_to(candidate_positions=[[1, 99]], candidate_scores=[[0.1, 0.2]])
    assert answer.flags["unknown_item"].tolist() == [[0, 1]]
    with pytest.raises(InvalidInput, match="twice") as caught:
        method.apply_to(candidate_positions=[[1], [2, 3, 2]], candidate_scores=[[0.1], [0] * 3])
    assert caught.value.path == "input.candidate_positions[1][2]"
