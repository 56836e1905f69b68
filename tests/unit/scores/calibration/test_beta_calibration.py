"""Beta calibration: the constrained optimum, its domain, its way back."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from normalizers import BetaCalibration, errors
from tests.unit.scores.calibration.samples import codes


def drawn(seed: int, a: float, b: float, c: float, n: int = 400):
    rng = np.random.default_rng(seed)
    p = rng.beta(2, 3, size=n)
    t = a * np.log(p) - b * np.log1p(-p) + c
    return p, (rng.random(n) < 1 / (1 + np.exp(-t))).astype(float)


def coefficients(estimator) -> list[float]:
    return [float(estimator.fitted_[name]) for name in "abc"]


@pytest.mark.parametrize(
    "truth", [(1.0, 1.0, 0.0), (3.0, -1.0, 1.0), (-1.0, 2.0, 0.0), (0.5, 0.2, 1.0), (-1, -1, 0)]
)
@pytest.mark.parametrize("seed", range(3))
def test_no_better_coefficients_without_a_negative_one(truth, seed) -> None:
    p, labels = drawn(seed, *truth)
    design = np.column_stack([np.log(p), -np.log1p(-p), np.ones(len(p))])

    def loss(place: np.ndarray) -> float:
        return float(np.logaddexp(0, np.where(labels == 1, -1, 1) * (design @ place)).mean())

    found = coefficients(BetaCalibration().fit(p, labels=labels))
    bounds = [(0, None), (0, None), (None, None)]
    best = minimize(loss, [1.0, 1.0, 0.0], bounds=bounds, tol=1e-14)
    assert min(found[:2]) >= 0
    assert loss(np.array(found)) <= best.fun + 1e-12
    np.testing.assert_allclose(found, best.x, atol=2e-3)


def test_probabilities_against_their_labels_give_one_answer() -> None:
    p, labels = drawn(1, -1.0, -1.0, 0.0)
    flat = BetaCalibration().fit(p, labels=labels)
    assert "negative_slope" in codes(flat)
    np.testing.assert_allclose(flat.transform([0.1, 0.9]), labels.mean())
    with pytest.raises(errors.UnsupportedOperation, match="no way back"):
        flat.inverse_transform([0.5])


@pytest.mark.parametrize("wrong", [0.0, 1.0, -0.1, 1.5])
def test_the_input_is_strictly_between_0_and_1(wrong) -> None:
    with pytest.raises(errors.InvalidInput, match="strictly between") as caught:
        BetaCalibration().fit([0.2, wrong], labels=[0, 1])
    assert caught.value.path == "fit.probabilities[1]"
    calibrator = BetaCalibration().fit([0.2, 0.4, 0.6], labels=[0, 1, 0])
    with pytest.raises(errors.InvalidInput) as caught:
        calibrator.transform([[0.5], [wrong]])
    assert caught.value.path == "input.probabilities[1][0]"
    with pytest.raises(errors.InvalidInput) as caught:
        BetaCalibration().fit_statistics(knots={"x": [wrong], "y": [1.0], "counts": [2]})
    assert caught.value.path == "statistics.knots.x[0]"


def test_separable_labels_are_refused() -> None:
    with pytest.raises(errors.FitError, match="separates the labels"):
        BetaCalibration().fit([0.2, 0.4, 0.6], labels=[0, 0, 1])


def test_the_way_back_of_a_curve_with_an_end() -> None:
    p, labels = drawn(2, 3.0, -1.0, 1.0)
    calibrator = BetaCalibration().fit(p, labels=labels)
    a, b, c = coefficients(calibrator)
    assert (a > 0, b) == (True, 0.0)
    back = calibrator.inverse_transform(calibrator.transform(p))
    np.testing.assert_allclose(back, p, rtol=1e-9)
    highest = 1 / (1 + np.exp(-c))
    answer = calibrator.version_.inverse({"probabilities": [highest + 0.01, highest / 2]})
    assert answer["probabilities"][0] == 1.0
    assert answer.flags["clipped"].tolist() == [[0, 0]]


@pytest.mark.parametrize(
    "probabilities, labels, expected",
    [
        ([5.9e-12, 3.4e-10, 5.9e-9], [1, 0, 1], [0.4906, 0.5400, 0.9694]),
        (
            [1e-11, 2e-11, 4e-11, 2e-10, 6e-10, 8e-10, 2e-9, 8e-9],
            [1, 1, 1, 1, 1, 0, 0, 1],
            [0.7467, None, None, None, None, None, None, 0.7648],
        ),
    ],
)
def test_r3_tiny_probabilities_have_a_fit_better_than_the_base_rate(
    probabilities, labels, expected
):
    fitted = BetaCalibration().fit(probabilities=probabilities, labels=labels)
    found = fitted.transform(probabilities)
    for one, wanted in zip(found, expected, strict=True):
        assert wanted is None or one == pytest.approx(wanted, abs=5e-5)
    report = fitted.report_
    assert report["log_loss"] <= report["base_log_loss"]
    assert "worse_than_base" not in [warning["code"] for warning in report["warnings"]]
