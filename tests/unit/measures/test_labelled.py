"""Pooled measures: beside scikit-learn, with ties, weights and one class only."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import (
    average_precision_score,
    brier_score_loss,
    f1_score,
    precision_recall_curve,
    roc_auc_score,
)
from sklearn.metrics import log_loss as reference_log_loss

from normalizers.measures.labelled import (
    Labelled,
    auc,
    average_precision,
    best_threshold,
    f1,
)
from normalizers.measures.probabilities import brier, log_loss
from normalizers.measures.reliability import calibration_error, reliability
from normalizers.measures.threshold_curve import threshold_curve

RANDOM = np.random.default_rng(3)
LABELS = RANDOM.random(200) < 0.3
SCORES = np.round(RANDOM.random(200) * 0.7 + 0.3 * LABELS, 1)  # many ties
UNITS = RANDOM.integers(0, 20, 200)


def rows() -> Labelled:
    return Labelled.of(SCORES, LABELS, UNITS, 20)


def test_as_scikit_learn_says() -> None:
    assert auc(rows()) == pytest.approx(roc_auc_score(LABELS, SCORES))
    assert average_precision(rows()) == pytest.approx(average_precision_score(LABELS, SCORES))
    assert f1(rows(), 0.5) == pytest.approx(f1_score(LABELS, SCORES >= 0.5))
    assert brier(rows()) == pytest.approx(brier_score_loss(LABELS, SCORES))
    inside = Labelled.of(np.clip(SCORES, 0.01, 0.99), LABELS)
    expected = reference_log_loss(LABELS, np.clip(SCORES, 0.01, 0.99))
    assert log_loss(inside) == pytest.approx(expected)


def test_the_curve_is_that_of_scikit_learn() -> None:
    precision, recall, thresholds = precision_recall_curve(LABELS, SCORES)
    curve = threshold_curve(rows())
    np.testing.assert_allclose(curve.threshold[::-1], thresholds)
    np.testing.assert_allclose(curve.precision[::-1], precision[:-1])
    np.testing.assert_allclose(curve.recall[::-1], recall[:-1])


def test_a_long_curve_keeps_its_ends_and_its_best() -> None:
    scores = np.random.default_rng(0).random(5000)
    labels = scores + np.random.default_rng(1).normal(0, 0.3, 5000) > 0.9
    long = Labelled.of(scores, labels)
    curve = threshold_curve(long, 20)
    assert len(curve.threshold) <= 21
    assert curve.threshold[[0, -1]].tolist() == [scores.max(), scores.min()]
    best = best_threshold(long)
    assert best in curve.threshold
    assert curve.f1.max() == f1(long, best)


def test_weights_are_repetitions() -> None:
    counts = np.random.default_rng(2).multinomial(20, np.full(20, 1 / 20))
    often = np.repeat(np.arange(200), counts[UNITS])
    repeated = Labelled.of(SCORES[often], LABELS[often])
    weighted = rows().weighted(counts)
    for measure in (auc, average_precision, brier, log_loss):
        assert measure(weighted) == pytest.approx(measure(repeated)), measure.__name__
    assert f1(weighted, 0.5) == pytest.approx(f1(repeated, 0.5))
    assert best_threshold(weighted) == best_threshold(repeated)
    for binning in ("mass", "width"):
        assert calibration_error(weighted, 10, binning) == pytest.approx(
            calibration_error(repeated, 10, binning)
        )


@pytest.mark.parametrize("label", [True, False])
def test_one_class_only(label: bool) -> None:
    one = Labelled.of(np.array([0.1, 0.9]), np.array([label, label]))
    assert np.isnan(auc(one))
    assert np.isnan(average_precision(one)) == (not label)
    assert np.isnan(f1(one, 0.5)) == (not label)
    assert (best_threshold(one) is None) == (not label)
    assert brier(one) >= 0


def test_no_rows() -> None:
    none = Labelled.of(np.empty(0), np.empty(0))
    for measure in (auc, average_precision, brier, log_loss, calibration_error):
        assert np.isnan(measure(none)), measure.__name__


def test_equal_scores_of_both_classes_order_nothing() -> None:
    assert auc(Labelled.of(np.zeros(4), np.array([1, 0, 1, 0]))) == 0.5


def test_a_certain_mistake_costs_much_and_not_everything() -> None:
    assert log_loss(Labelled.of(np.array([0.0]), np.array([1]))) == pytest.approx(-np.log(1e-6))


def test_bins_of_equal_width() -> None:
    diagram = reliability(rows(), 4, "width")
    for index, (lower, upper) in enumerate(zip(diagram.lower, diagram.upper, strict=True)):
        inside = (lower <= SCORES) & ((upper > SCORES) | (upper == 1))
        assert diagram.weight[index] == inside.sum()
        assert diagram.predicted[index] == pytest.approx(SCORES[inside].mean())
        assert diagram.observed[index] == pytest.approx(LABELS[inside].mean())


def test_an_empty_bin_has_no_shares() -> None:
    diagram = reliability(Labelled.of(np.array([0.1, 1.0]), np.array([0, 1])), 4, "width")
    assert diagram.weight.tolist() == [1, 0, 0, 1]
    assert np.isnan(diagram.predicted).tolist() == [False, True, True, False]


def test_bins_of_equal_mass_hold_as_many_rows() -> None:
    scores = np.random.default_rng(4).random(1000)
    labels = np.random.default_rng(5).random(1000) < scores
    diagram = reliability(Labelled.of(scores, labels), 10, "mass")
    in_order = np.argsort(scores)
    assert diagram.weight.tolist() == [100.0] * 10
    for index, part in enumerate(np.split(in_order, 10)):
        assert diagram.predicted[index] == pytest.approx(scores[part].mean())
        assert diagram.observed[index] == pytest.approx(labels[part].mean())
        assert diagram.lower[index] == scores[part].min()
        assert diagram.upper[index] == scores[part].max()


def test_the_order_of_equal_probabilities_does_not_matter() -> None:
    shuffled = np.random.default_rng(6).permutation(200)
    assert calibration_error(rows()) == pytest.approx(
        calibration_error(Labelled.of(SCORES[shuffled], LABELS[shuffled])), abs=1e-15
    )
