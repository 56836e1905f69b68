"""Measures of vectors against SciPy, scikit-learn and the report of a fit."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import average_precision_score

from normalizers import Whitening
from normalizers.errors import InvalidInput
from normalizers.evaluation.evaluate import evaluate
from normalizers.measures import vectors
from normalizers.measures.vectors import Pairs, Vectors

X = np.random.default_rng(0).normal(size=(40, 5)) * [3.0, 1.0, 1.0, 0.5, 0.2] + 1.0


def test_whiteness_is_that_of_the_fit_report() -> None:
    report = Whitening().fit(X).report_
    sample = Vectors(X, np.ones(len(X)))
    assert vectors.average_cosine(sample) == pytest.approx(report["average_cosine"])
    assert vectors.isoscore(sample) == pytest.approx(report["isoscore"])
    assert vectors.participation_ratio(sample) == pytest.approx(report["participation_ratio"])
    assert vectors.mean_energy(sample) == pytest.approx(report["mean_energy_fraction"])


@pytest.mark.parametrize("size", [1e-150, 1e150])
def test_the_unit_of_vectors_does_not_matter(size: float) -> None:
    large, plain = (Vectors(X * by, np.ones(len(X))) for by in (size, 1.0))
    for function in (vectors.average_cosine, vectors.isoscore, vectors.mean_energy):
        assert function(large) == pytest.approx(function(plain))


def test_rows_count_as_often_as_they_are_drawn() -> None:
    counts = np.random.default_rng(1).integers(0, 3, len(X))
    drawn = Vectors(np.repeat(X, counts, axis=0), np.ones(counts.sum()))
    weighted = Vectors(X, np.ones(len(X))).weighted(counts)
    for function in (vectors.average_cosine, vectors.participation_ratio, vectors.mean_energy):
        assert function(weighted) == pytest.approx(function(drawn))


def test_cosines_and_classes_are_judged_as_peers_do() -> None:
    rng = np.random.default_rng(2)
    cosines, known = rng.normal(size=30), rng.integers(0, 5, 30).astype(float)
    found = vectors.cosine_spearman(Pairs(cosines, known, np.ones(30)))
    assert found == pytest.approx(spearmanr(cosines, known).statistic)
    classes = rng.integers(0, 4, len(X))
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    precisions = vectors.class_precision(Vectors(X, np.ones(len(X)), classes))
    for row in range(5):
        others = np.delete(np.arange(len(X)), row)
        peer = average_precision_score(classes[others] == classes[row], unit[others] @ unit[row])
        assert precisions[row] == pytest.approx(peer)


def test_a_request_measures_vectors_before_and_after() -> None:
    white = Whitening(eps=0, shrinkage="none").fit(X).transform(X)
    named = ["isoscore", "average_cosine"]
    answer = evaluate(named, vectors=white, baseline={"vectors": X})
    told = json.dumps(answer.as_dict())
    assert "isoscore" in told


def test_pairs_and_classes_are_read_with_the_vectors() -> None:
    pairs = {
        "pair_first": [0, 1, 2],
        "pair_second": [3, 4, 5],
        "pair_similarities": [1.0, 2.0, 0.0],
    }
    evaluate(["cosine_spearman"], vectors=X, **pairs)
    evaluate(["class_precision"], vectors=X, classes=["a", "b"] * 20)
    with pytest.raises(InvalidInput, match="pair_first"):
        evaluate(["cosine_spearman"], vectors=X)
    with pytest.raises(InvalidInput, match="0 to 39") as caught:
        evaluate(["cosine_spearman"], vectors=X, **{**pairs, "pair_first": [0, 40, 1]})
    assert caught.value.path.endswith("pair_first[1]")


def test_one_row_alone_has_no_direction_in_use() -> None:
    alone = Vectors(X, np.ones(len(X))).weighted(np.eye(len(X))[0] * 40)
    assert np.isnan(vectors.isoscore(alone))


def test_recall_of_neighbours_counts_the_rows_of_a_class_among_the_nearest() -> None:
    rows = np.array([[1.0, 0.0], [1.0, 0.1], [1.0, 0.2], [0.0, 1.0], [0.1, 1.0]])
    classes = ["a", "a", "b", "b", "a"]
    found = evaluate(["neighbour_recall@1", "neighbour_recall"], vectors=rows, classes=classes)
    # Nearest of each row: 1 (a), 2 (b), 1 (a), 4 (a), 3 (b).
    assert [one.value for one in found.results] == [pytest.approx(1 / 5), 1.0]
