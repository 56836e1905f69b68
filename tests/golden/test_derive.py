from __future__ import annotations

from typing import Any

import numpy as np
from numpy.testing import assert_allclose

from tests.golden import derive

SCATTER = np.array([[8.0, 2.0], [2.0, 4.0]])


def test_gram_and_cosine() -> None:
    y = np.array([[3.0, 4.0], [0.0, 2.0]])
    assert derive.gram(y).tolist() == [[25.0, 8.0], [8.0, 4.0]]
    assert_allclose(derive.cosine(y), [[1.0, 0.8], [0.8, 1.0]])


def test_covariances() -> None:
    assert derive.covariance(SCATTER, 5, 1).tolist() == [[2.0, 0.5], [0.5, 1.0]]
    assert_allclose(derive.shrunk_covariance(SCATTER, 4, 0.5), [[1.75, 0.25], [0.25, 1.25]])


def test_the_spectrum_of_a_full_whitening_is_one() -> None:
    values, vectors = np.linalg.eigh(SCATTER / 4)
    spectrum = derive.output_spectrum(vectors / np.sqrt(values), SCATTER, 5, 1)
    assert_allclose(spectrum, [1.0, 1.0])


def test_the_spectrum_starts_with_the_largest() -> None:
    spectrum = derive.output_spectrum(np.eye(2), np.diag([1.0, 9.0]), 2, 1)
    assert spectrum.tolist() == [9.0, 1.0]


def test_rankings_leave_ties_to_the_lowest_index() -> None:
    scores = np.array([[0.5, 0.9, 0.5, 0.9]])
    assert derive.ranking(scores).tolist() == [[1, 3, 0, 2]]
    assert derive.top1(scores).tolist() == [1]


def test_reranked_ids_leave_ties_to_the_smaller_string() -> None:
    assert derive.reranked([[9, 10, 2]], [[0.5, 0.5, 0.7]]) == [[2, 10, 9]]


def test_similarities_are_cosines_of_the_named_rows() -> None:
    bank, gallery = np.array([[1.0, 0.0], [0.0, 3.0]]), np.array([[3.0, 4.0]])
    assert_allclose(derive.similarities(bank, gallery, np.array([1.0])), [[0.8]])


def test_ranges_over_groups() -> None:
    sent = {"a": [1.0, 5.0], "b": [4.0, 3.0]}
    assert derive.level_ranges(sent).tolist() == [3.0, 2.0]
    assert derive.level_ranges_after(sent, np.array([0.0, 1.0, 2.0, 3.0])).tolist() == [2.0, 2.0]


def test_series_entries() -> None:
    values = np.array([1.0, np.nan, 3.0])
    assert derive.missing_count(values) == 1
    assert derive.at(values, np.array([2.0, 0.0])).tolist() == [3.0, 1.0]
    assert derive.pairs(np.array([[1.0], [2.0]]), np.array([3.0, 4.0])).tolist() == [[1, 3], [2, 4]]
    assert derive.squeezed(np.zeros((2, 1, 3))).shape == (2, 3)


def test_only_axes_of_length_1_follow_the_expected_shape() -> None:
    assert derive.squeezed_as(np.zeros((2, 1)), np.zeros(2)).shape == (2,)
    assert derive.squeezed_as(np.zeros((1, 1)), 0.5).shape == ()
    assert derive.squeezed_as(np.zeros((2, 3)), np.zeros((3, 2))).shape == (2, 3)


def test_constant_windows_are_those_flagged() -> None:
    loc = np.zeros((2, 1, 2))
    assert derive.constant_windows({"constant": [[1, 0]]}, loc).tolist() == [
        [False, False],
        [True, False],
    ]
    assert not derive.constant_windows({}, loc).any()


def test_quantiles_by_level() -> None:
    found = derive.by_level(np.arange(4.0).reshape(1, 2, 1, 2), {"0.1": [], "0.9": []})
    assert {level: np.asarray(row).tolist() for level, row in found.items()} == {
        "0.1": [0.0, 2.0],
        "0.9": [1.0, 3.0],
    }


def test_answers_go_back_to_what_was_sent() -> None:
    assert derive.by_document({"q": {"a": 1, "b": 2}}, [[0.0, 1.0]]) == {"q": {"a": 0.0, "b": 1.0}}
    assert derive.by_hit([[["a", 9]], []], [[0.5], []]) == [[["a", 0.5]], []]
    assert derive.by_group({"g": [1, 2], "h": [3]}, np.array([4.0, 5.0, 6.0])) == {
        "g": [4.0, 5.0],
        "h": [6.0],
    }


def test_fused_scores_have_queries_only_where_runs_had() -> None:
    answers: dict[str, derive.Fused] = {"q": {"output": {"ids": ["a"], "scores": [0.5]}}}
    assert derive.fused_scores(answers, {"q": {"a": 0.5}}) == {"q": {"a": 0.5}}
    assert derive.fused_scores(answers, {"a": 0.5}) == {"a": 0.5}


def test_contributions_are_added_by_run() -> None:
    parts = [
        {"run": "a", "contribution": 0.5},
        {"run": "b", "contribution": 0.0},
        {"run": "a", "contribution": 0.25},
    ]
    explained: list[dict[str, Any]] = [{"id": "d", "parts": parts}]
    assert derive.contributions(explained) == {"d": [0.75, 0.0]}


def test_a_case_may_drop_the_missing_values_that_a_series_begins_with() -> None:
    values = np.array([np.nan, np.nan, 1.0, np.nan])
    assert_allclose(derive.dropped(values, {"drop": True}), [1.0, np.nan])
    assert len(derive.dropped(values, {})) == 4


def test_padding_is_cut_off_where_windows_are_of_unequal_length() -> None:
    padded = np.array([[[1.0], [2.0]], [[3.0], [np.nan]]])
    cut = derive.unpadded(padded, [padded[0], padded[1, :1]])
    assert [part.tolist() for part in cut] == [[[1.0], [2.0]], [[3.0]]]
    assert derive.unpadded(padded, padded) is padded
