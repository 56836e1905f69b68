"""Labelled scores that tests of calibrators share."""

from __future__ import annotations

import numpy as np

RNG = np.random.default_rng(12)
SCORES = RNG.normal(3.0, 2.0, size=300).round(1)
LABELS = (RNG.random(300) < 1 / (1 + np.exp(-(1.3 * SCORES - 5)))).astype(float)
NAN = float("nan")


def log_loss(probabilities: np.ndarray, labels: np.ndarray) -> float:
    """Return the mean log loss."""
    told = np.where(labels == 1, probabilities, 1 - probabilities)
    return float(-np.mean(np.log(told)))


def codes(estimator) -> set[str]:
    """Return the codes of the warnings of a fit."""
    return {noted["code"] for noted in estimator.report_["warnings"]}
