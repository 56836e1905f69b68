"""The forms of the bias, and what acts before them."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from normalizers import InvertedSoftmax


def test_bias_log_and_ratio(bank: np.ndarray, sims: np.ndarray) -> None:
    lse = logsumexp(20.0 * bank, axis=0)
    method = InvertedSoftmax(beta=20.0).fit(bank)
    np.testing.assert_allclose(method.fitted_["item_lse"], lse, rtol=1e-13)
    np.testing.assert_allclose(method.fitted_["item_bias"], lse / 20, rtol=1e-13)
    np.testing.assert_allclose(method.transform(sims), sims - lse / 20, atol=1e-13)
    log = InvertedSoftmax(beta=20.0, output="log").fit(bank).transform(sims)
    np.testing.assert_allclose(log, 20 * sims - lse, atol=1e-12)
    ratio = InvertedSoftmax(beta=20.0, output="ratio").fit(bank).transform(sims)
    np.testing.assert_allclose(ratio, np.exp(20 * sims) / np.exp(20 * bank).sum(axis=0), rtol=1e-11)


def test_limits_of_beta(bank: np.ndarray, sims: np.ndarray) -> None:
    cold = InvertedSoftmax(beta=1e6).fit(bank).transform(sims)
    np.testing.assert_allclose(cold, sims - bank.max(axis=0), atol=1e-5)
    warm = InvertedSoftmax(beta=1e-6, center_bias=True).fit(bank).transform(sims)
    means = bank.mean(axis=0)
    np.testing.assert_allclose(warm, sims - (means - means.mean()), atol=1e-5)


def test_strength_and_centring_act_before_the_form(bank: np.ndarray, sims: np.ndarray) -> None:
    h = logsumexp(5.0 * bank, axis=0) / 5
    half = InvertedSoftmax(beta=5.0, strength=0.5, center_bias=True).fit(bank)
    np.testing.assert_allclose(half.transform(sims), sims - 0.5 * (h - h.mean()), atol=1e-13)
    log = half.set_params(output="log").fit(bank).transform(sims)
    np.testing.assert_allclose(log, 5 * (sims - 0.5 * (h - h.mean())), atol=1e-12)
