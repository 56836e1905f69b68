"""Logistic fits against an optimum found another way, on data of any size."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from normalizers.errors import FitError
from normalizers.kernels.logistic_fit import fit_logistic, separates
from tests.unit.kernels.exact_logistic import most_likely_probabilities

RNG = np.random.default_rng(8)
FEATURES = RNG.normal(size=(200, 2))
LABELS = (RNG.random(200) < 1 / (1 + np.exp(-FEATURES @ [1.0, -2.0] - 0.5))).astype(float)
NONE = np.zeros(2)


def probabilities(x, labels):
    x = np.asarray(x)[:, None]
    labels = np.asarray(labels)
    fit = fit_logistic(x, labels, 1 - labels, np.zeros(1))
    assert fit.converged
    return expit(fit.log_odds(x))


def hard_data(seed):
    """Return scores of one of many kinds that overlap, with their labels."""
    rng = np.random.default_rng(seed)
    while True:
        n = int(rng.integers(5, 12))
        x = [
            rng.normal(size=n),
            np.exp(8 * rng.normal(size=n)),
            np.append(rng.normal(size=n - 1), rng.choice([-1, 1]) * 10.0 ** rng.uniform(3, 200)),
            rng.normal(size=n) * 10.0 ** rng.uniform(-200, 200),
            rng.normal(size=n) + 10.0 ** rng.uniform(0, 12),
            np.where(rng.random(n) < 0.4, 1e-20 * rng.random(n), 1 + rng.random(n)),
        ][seed % 6]
        labels = rng.integers(0, 2, n).astype(float)
        positive, negative = x[labels > 0], x[labels == 0]
        if not len(positive) or not len(negative):
            continue
        if positive.min() < negative.max() and negative.min() < positive.max():
            return x, labels


@pytest.mark.parametrize("seed", range(18))
def test_r2_hard_data_have_the_probabilities_of_the_exact_optimum(seed):
    x, labels = hard_data(seed)
    exact = most_likely_probabilities(x.tolist(), labels.tolist())
    np.testing.assert_allclose(probabilities(x, labels), exact, atol=1e-8)


def test_r2_a_far_score_leaves_the_others_their_slope():
    x = [1.0, 2, 3, 4, 5, 6, 1.7014122e38]
    found = probabilities(x, [0.0, 0, 1, 0, 1, 1, 1])
    np.testing.assert_allclose(found[[0, 5]], [0.0458664838, 0.9541335161], rtol=1e-8)


def test_r2_a_far_score_of_a_feature_leaves_the_others_theirs():
    far = np.append(FEATURES, [[1e38, 0.0], [0.0, -1e38]], axis=0)
    labels = np.append(LABELS, [1.0, 1.0])
    fit = fit_logistic(far, labels, 1 - labels, NONE)
    expected = fit_logistic(FEATURES, LABELS, 1 - LABELS, NONE)
    assert fit.converged
    np.testing.assert_allclose(fit.coefficients, expected.coefficients, rtol=1e-7)


def test_the_optimum_is_that_of_a_general_search():
    def loss(p):
        t = FEATURES @ p[:2] + p[2]
        penalty = np.array([0.3, 0.1]) @ p[:2] ** 2 / 2
        return np.mean(np.logaddexp(0, np.where(LABELS > 0, -t, t))) + penalty

    fit = fit_logistic(FEATURES, LABELS, 1 - LABELS, np.array([0.3, 0.1]))
    expected = minimize(loss, np.zeros(3), tol=1e-12).x
    np.testing.assert_allclose(fit.coefficients, expected[:2], atol=1e-5)
    assert fit.level - fit.coefficients @ fit.centre == pytest.approx(expected[2], abs=1e-5)


def test_weights_are_repeated_rows():
    weights = RNG.integers(1, 5, size=200)
    rows = np.repeat(np.arange(200), weights)
    weighted = fit_logistic(FEATURES, weights * LABELS, weights * (1 - LABELS), NONE)
    repeated = fit_logistic(FEATURES[rows], LABELS[rows], 1 - LABELS[rows], NONE)
    np.testing.assert_allclose(weighted.coefficients, repeated.coefficients, rtol=1e-12)


def test_a_feature_that_stands_twice_is_shared():
    fit = fit_logistic(FEATURES[:, [0, 0]], LABELS, 1 - LABELS, NONE)
    assert fit.converged
    assert fit.coefficients[0] == pytest.approx(fit.coefficients[1])


def test_a_constant_feature_has_no_coefficient():
    fit = fit_logistic(
        np.column_stack([FEATURES[:, 0], np.full(200, 7.0)]), LABELS, 1 - LABELS, NONE
    )
    assert fit.converged
    assert fit.coefficients[1] == 0


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_feature_that_is_not_finite_is_no_fit(value):
    with pytest.raises(FitError, match="not finite"):
        fit_logistic(np.array([[value], [1.0]]), np.ones(2), np.ones(2), np.zeros(1))


def test_a_plane_between_the_labels_is_found_at_any_size():
    x = np.array([[1.0], [2.0], [1e38]])
    assert separates(x, np.array([0.0, 1, 1]))
    assert not separates(x, np.array([1.0, 0, 1]))
    assert separates(FEATURES, (FEATURES[:, 0] > 0).astype(float))
    assert not separates(FEATURES, LABELS)
