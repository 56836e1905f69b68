"""Platt, logistic and temperature: log odds that are a line."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from normalizers import BetaCalibration, Logistic, Platt, TemperatureScaling, errors
from tests.unit.scores.calibration.samples import LABELS, NAN, SCORES, codes


def line(estimator) -> tuple[float, float]:
    return float(estimator.fitted_["a"]), float(estimator.fitted_["b"])


def best(targets: np.ndarray, penalty: float = 0.0) -> np.ndarray:
    def loss(place: np.ndarray) -> float:
        t = place[0] * SCORES + place[1]
        both = targets * np.logaddexp(0, -t) + (1 - targets) * np.logaddexp(0, t)
        return float(both.sum() + penalty * place[0] ** 2 / 2)

    return minimize(loss, np.zeros(2), method="Nelder-Mead", tol=1e-12).x


def test_platt_is_the_optimum_for_smoothed_targets() -> None:
    positives, negatives = LABELS.sum(), (1 - LABELS).sum()
    targets = np.where(LABELS == 1, (positives + 1) / (positives + 2), 1 / (negatives + 2))
    np.testing.assert_allclose(line(Platt().fit(SCORES, labels=LABELS)), best(targets), rtol=1e-5)


@pytest.mark.parametrize("c", [None, 0.01, 1.0])
def test_logistic_is_the_optimum_for_plain_labels(c) -> None:
    expected = best(LABELS, 0.0 if c is None else 1 / c)
    np.testing.assert_allclose(line(Logistic(C=c).fit(SCORES, labels=LABELS)), expected, rtol=1e-5)


@pytest.mark.parametrize("labels", [[0, 0, 1, 1], [1, 1, 0, 0]])
def test_separable_labels_need_a_penalty_or_platt(labels) -> None:
    scores = [1.0, 2.0, 2.0, 3.0]
    with pytest.raises(errors.FitError, match=r"'C'.*'platt'"):
        Logistic().fit(scores, labels=labels)
    assert np.isfinite(Logistic(C=1.0).fit(scores, labels=labels).transform(scores)).all()
    assert np.isfinite(Platt().fit(scores, labels=labels).transform(scores)).all()


def test_a_large_offset_costs_no_digits() -> None:
    eighths = np.round(SCORES * 8) / 8
    near, far = (Platt().fit(eighths + shift, labels=LABELS) for shift in (0.0, 2.0**40))
    np.testing.assert_allclose(
        far.transform(eighths + 2.0**40), near.transform(eighths), rtol=1e-11
    )


@pytest.mark.parametrize("cls", [Platt, Logistic, TemperatureScaling], ids=lambda cls: cls.name)
@pytest.mark.parametrize("exponent", [-990, 990])
def test_any_magnitude_gives_the_same_probabilities(cls, exponent) -> None:
    plain = cls().fit(SCORES - 3, labels=LABELS).transform(SCORES)
    scaled = np.ldexp(SCORES, exponent)
    huge = cls().fit(np.ldexp(SCORES - 3, exponent), labels=LABELS)
    np.testing.assert_allclose(huge.transform(scaled), plain, rtol=1e-11)


@pytest.mark.parametrize("cls", [Platt, Logistic, TemperatureScaling], ids=lambda cls: cls.name)
def test_the_way_back(cls) -> None:
    calibrator = cls().fit(SCORES - 3, labels=LABELS)
    asked = np.array([-9.0, 0.0, 1.5, 6.0])
    np.testing.assert_allclose(
        calibrator.inverse_transform(calibrator.transform(asked)), asked, atol=1e-9
    )
    answer = calibrator.version_.inverse({"probabilities": [[0.0, 0.5], [1.0]]})
    assert answer.flags["clipped"].tolist() == [[0, 0], [1, 0]]
    assert np.isfinite(np.concatenate(answer[calibrator.sent])).all()
    with pytest.raises(errors.InvalidInput) as caught:
        calibrator.inverse_transform([[0.5], [0.2, 1.1]])
    assert caught.value.path == "input.probabilities[1][1]"


def test_no_slope_has_no_way_back() -> None:
    flat = Platt().fit([2.0, 2.0], labels=[0, 1])
    with pytest.raises(errors.UnsupportedOperation, match="same probability"):
        flat.inverse_transform([0.5])


def test_probabilities_never_overflow() -> None:
    steep = Platt().fit(SCORES, labels=LABELS).transform([-1e308, 1e308])
    assert steep.tolist() == [0.0, 1.0]


def test_explain_tells_the_line() -> None:
    calibrator = Platt().fit(SCORES, labels=LABELS)
    explained = calibrator.apply_to(scores=[1.0], explain=True).explain
    assert (explained["a"], explained["b"]) == line(calibrator)


def test_temperature_is_the_optimum() -> None:
    logits = SCORES - 3
    temperature = float(TemperatureScaling().fit(logits, labels=LABELS).fitted_["temperature"])

    def loss(t: float) -> float:
        return float(np.logaddexp(0, np.where(LABELS == 1, -logits, logits) / t).sum())

    assert loss(temperature) < min(loss(temperature * 1.001), loss(temperature / 1.001))


def test_temperatures_that_do_not_exist() -> None:
    with pytest.raises(errors.FitError, match="tells every label"):
        TemperatureScaling().fit([-1.0, -2.0, 3.0], labels=[0, 0, 1])
    with pytest.raises(errors.FitError, match="every logit is 0"):
        TemperatureScaling().fit([0.0, 0.0], labels=[0, 1])
    against = TemperatureScaling().fit([-1.0, -2.0, 3.0], labels=[1, 1, 0])
    assert "negative_slope" in codes(against)
    assert float(against.fitted_["temperature"]) == pytest.approx(3 * np.exp(10))
    assert against.transform([0.0]).tolist() == [0.5]


def test_a_missing_probability_has_no_score() -> None:
    calibrator = Platt(nan_policy="omit").fit(SCORES, labels=LABELS)
    answer = calibrator.version_.inverse({"probabilities": [0.5, NAN]})
    assert answer.flags["missing"].tolist() == [[0, 1]]


FAR = [1.0, 2, 3, 4, 5, 6, 1.7014122e38]
FAR_LABELS = [0, 0, 1, 0, 1, 1, 1]


def test_r2_logistic_is_not_flattened_by_a_far_score() -> None:
    fitted = Logistic().fit(FAR, labels=FAR_LABELS)
    found = fitted.transform([1.0, 3.5, 6.0])
    np.testing.assert_allclose(found, [0.0458664838, 0.5, 0.9541335161], rtol=1e-8)
    assert fitted.report_["log_loss"] == pytest.approx(0.3539981193, rel=1e-9)


def test_r2_a_penalty_of_a_far_score_is_that_of_the_others() -> None:
    near = Logistic(C=1.0).fit(FAR[:6], labels=FAR_LABELS[:6]).transform(FAR[:6])
    far = Logistic(C=1.0).fit(FAR, labels=FAR_LABELS).transform(FAR[:6])
    np.testing.assert_allclose(far, near, atol=1e-9)


@pytest.mark.parametrize("power", [0, 8, 17, 60, 300])
def test_r2_a_far_logit_leaves_the_temperature_to_the_others(power: int) -> None:
    logits, labels = [1.2, -0.4, 0.7, -1.1, 2.0, -0.3], [1, 1, 0, 0, 1, 0]
    expected = TemperatureScaling().fit(logits=logits, labels=labels).fitted_["temperature"]
    far = TemperatureScaling().fit(logits=[*logits, 50 * 10.0**power], labels=[*labels, 1])
    assert float(far.fitted_["temperature"]) == pytest.approx(float(expected), rel=1e-7)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("calibrator", [Logistic, Platt, Logistic(C=0.1), BetaCalibration])
def test_r2_no_fit_is_worse_than_the_base_rate_without_a_word(calibrator, seed: int) -> None:
    rng = np.random.default_rng(seed)
    sent = np.exp(8 * rng.normal(size=30))
    if calibrator is BetaCalibration:
        sent = sent / (1e9 + sent)
    labels = rng.random(30) < 0.3 + 0.4 * (sent > np.median(sent))
    labels[[np.argmin(sent), np.argmax(sent)]] = True, False
    method = calibrator() if isinstance(calibrator, type) else calibrator
    report = method.fit(sent, labels=labels.astype(float)).report_
    told = "worse_than_base" in [warning["code"] for warning in report["warnings"]]
    assert told or report["log_loss"] <= report["base_log_loss"] * (1 + 1e-12)
