"""Isotonic: pools, bounds, directions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import isotonic_regression

from normalizers import Isotonic, errors
from tests.unit.scores.calibration.samples import LABELS, SCORES

FIT = {"labels": [0, 1, 0, 1]}


def test_equal_scores_count_as_one_and_pools_do_not_fall() -> None:
    x, at = np.unique(SCORES, return_inverse=True)
    weights = np.bincount(at).astype(float)
    means = np.bincount(at, LABELS) / weights
    expected = isotonic_regression(means, weights=weights).x
    found = Isotonic().fit(SCORES, labels=LABELS).transform(x)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15)
    assert (np.diff(found) >= 0).all()
    assert 0 <= found.min() <= found.max() <= 1


def test_lower_is_better_never_rises() -> None:
    curve = Isotonic(higher_is_better=False).fit([4.0, 3.0, 2.0, 1.0], **FIT)
    assert curve.transform([0.0, 1.5, 2.5, 4.0]).tolist() == [1.0, 0.75, 0.5, 0.0]
    assert curve.fitted_["x_thresholds"].tolist() == [1.0, 2.0, 3.0, 4.0]
    assert curve.fitted_["y_thresholds"].tolist() == [1.0, 0.5, 0.5, 0.0]


@pytest.mark.parametrize(
    ("out_of_bounds", "expected"),
    [("clip", [0.0, 1.0]), ("linear", [0.0, 1.0]), ("missing", [np.nan, np.nan])],
)
def test_beyond_the_fitted_scores(out_of_bounds, expected) -> None:
    curve = Isotonic(out_of_bounds=out_of_bounds).fit([1.0, 2.0, 3.0, 4.0], **FIT)
    answer = curve.apply_to(scores=[0.5, 2.5, 9.0])
    np.testing.assert_array_equal(answer["probabilities"], [expected[0], 0.5, expected[1]])
    assert answer.flags["out_of_range"].tolist() == [[0, 0], [0, 2]]
    assert ("missing" in answer.flags) == (out_of_bounds == "missing")


def test_the_line_goes_on_but_not_out_of_0_to_1() -> None:
    curve = Isotonic(out_of_bounds="linear").fit([1.0, 1.0, 2.0, 2.0, 2.0], labels=[0, 1, 0, 1, 1])
    np.testing.assert_allclose(
        curve.transform([0.0, 3.0, 9.0, -9.0]), [1 / 3, 5 / 6, 1.0, 0.0], rtol=1e-14
    )


def test_out_of_bounds_can_be_refused_with_its_place() -> None:
    curve = Isotonic(out_of_bounds="error").fit([1.0, 2.0, 3.0, 4.0], **FIT)
    assert curve.transform([1.0, 4.0]).tolist() == [0.0, 1.0]
    with pytest.raises(errors.InvalidInput, match="out_of_bounds") as caught:
        curve.transform([[2.0], [3.0, 4.5]])
    assert caught.value.path == "input.scores[1][1]"


def test_there_is_no_inverse() -> None:
    with pytest.raises(errors.UnsupportedOperation):
        Isotonic().fit([1.0, 2.0], labels=[0, 1]).inverse_transform([0.5])


@pytest.mark.parametrize(
    ("labels", "higher_is_better", "warned"),
    [
        ([1, 1, 0, 0], True, True),
        ([0, 0, 1, 1], True, False),
        ([1, 1, 0, 0], False, False),
        ([0, 0, 1, 1], False, True),
        ([1, 0, 0, 1], True, False),
        ([1, 0, 0, 1], False, False),
    ],
)
def test_labels_that_fall_with_the_score_are_told(labels, higher_is_better, warned) -> None:
    curve = Isotonic(higher_is_better=higher_is_better).fit([1.0, 2.0, 3.0, 4.0], labels=labels)
    codes = [one.code for one in curve.version_.fitted.warnings]
    assert ("negative_slope" in codes) == warned


def test_a_perfect_fit_has_no_loss() -> None:
    report = Isotonic().fit([1.0, 2.0, 3.0], labels=[0, 0, 1]).report_
    assert report["log_loss"] == 0.0
