"""Logistic regression of labels on standardised features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from normalizers.contract import Notice, notice
from normalizers.data.arrays import Array
from normalizers.errors import FitError
from normalizers.kernels.likelihood import softplus
from normalizers.kernels.logistic_fit import NO_OPTIMUM, LogisticFit, fit_logistic, separates
from normalizers.scores.base.label_counts import FEW_POSITIVES

# The smallest normal number: below it a quotient loses digits.
SMALLEST_SCALE = float(np.finfo(np.float64).tiny)
EPS = float(np.finfo(np.float64).eps)
# A probability from log odds with a smaller error has as many digits right.
LOG_ODDS_ROUNDING = 1e-12


@dataclass(frozen=True)
class Regression:
    """The most likely coefficients.

    Parameters
    ----------
    means, scales, coefficients : arrays of shape (p,)
        Of the features; a constant feature has the scale 1 and no say. In the place of a mean
        that a far score has moved out of sight of the others stands a score among them.
    intercept : float
        Log odds at the means.
    log_loss, base_log_loss : float
        Of the training rows, by this regression and by the share of positives alone.
    positives, negatives : int
        Labels of either kind.
    """

    means: Array
    scales: Array
    coefficients: Array
    intercept: float
    log_loss: float
    base_log_loss: float
    positives: int
    negatives: int

    def arrays(self, runs: int) -> dict[str, Array]:
        """Return the fitted arrays, one row a run."""
        by_run = {
            name: np.asarray(getattr(self, name)).reshape(runs, -1)
            for name in ("means", "scales", "coefficients")
        }
        return {**by_run, "intercept": np.asarray(self.intercept)}

    def report(self, runs: Sequence[str], names: Sequence[str]) -> dict[str, object]:
        """Return what a fit report says; coefficients are of standardised features."""
        rows = self.coefficients.reshape(len(runs), -1).tolist()
        return {
            "positives": self.positives,
            "log_loss": self.log_loss,
            "base_log_loss": self.base_log_loss,
            "coefficients": [
                {"run": run, **dict(zip(names, row, strict=True))}
                for run, row in zip(runs, rows, strict=True)
            ],
        }

    @property
    def warnings(self) -> tuple[Notice, ...]:
        """What makes it weak."""
        if self.positives >= FEW_POSITIVES:
            return ()
        told = f"fewer than {FEW_POSITIVES} positive labels: probabilities are rough"
        return (notice("few_positives", told, positives=self.positives),)


def regressed(
    features: Array, labels: Array, strength: float | None, names: Sequence[str]
) -> Regression:
    """Return the regression with the smallest ``|coefficients|^2 / 2 + strength sum(log loss)``.

    Parameters
    ----------
    features : array of shape (n, p)
        One row a document.
    labels : array of shape (n,)
        0 or 1.
    strength : float or None
        Weight of the labels against the penalty; None for no penalty.
    names : sequence of str, length p
        What an error calls each feature.

    Raises
    ------
    FitError
        Labels of one class, without a penalty a plane that separates them, or a feature whose
        values lie too close together or too far apart for float64.
    """
    positives = int(labels.sum())
    negatives = len(labels) - positives
    if not positives or not negatives:
        missing = "relevant" if not positives else "not relevant"
        raise FitError(f"one class only: no document that a run found is {missing}")
    means, scales = _scale(features, names)
    if strength is None and separates(features, labels):
        raise FitError(
            "a plane separates the labels, so no coefficient is large enough; name 'C'",
            path="params.C",
        )
    # The penalty is on coefficients of standardised features, which are those of features times
    # the deviations. Division by a power of two near the deviation keeps squares within range.
    exponents = np.frexp(scales)[1]
    near_one, deviations = np.ldexp(features, -exponents), np.ldexp(scales, -exponents)
    ridge = 0.0 if strength is None else 1 / (strength * len(labels))
    fit = fit_logistic(near_one, labels, 1 - labels, ridge * deviations * deviations)
    if not fit.converged:
        raise FitError(NO_OPTIMUM)
    centre = _centre(fit, np.ldexp(means, -exponents))
    intercept = float(fit.level + fit.coefficients @ (centre - fit.centre))
    base = np.full(len(labels), np.log(positives / negatives))
    return Regression(
        np.ldexp(centre, exponents), scales, fit.coefficients * deviations, intercept,
        _mean_loss(fit.log_odds(near_one), labels), _mean_loss(base, labels), positives, negatives,
    )  # fmt: skip


def _centre(fit: LogisticFit, means: Array) -> Array:
    """Return the means, unless log odds about them would have no digits left.

    A single far score moves a mean so far that all other scores are one number beside it.
    """
    lost = EPS * np.abs((means - fit.centre) * fit.coefficients) > LOG_ODDS_ROUNDING
    return np.where(lost, fit.centre, means)


def _mean_loss(log_odds: Array, labels: Array) -> float:
    return float(np.mean(softplus(np.where(labels > 0, -log_odds, log_odds))))


def _scale(features: Array, names: Sequence[str]) -> tuple[Array, Array]:
    """Return mean and deviation of each column; 1 for the deviation of a constant."""
    lowest, highest = features.min(axis=0), features.max(axis=0)
    constant = lowest == highest
    # A power of two changes no digit, and keeps squares and sums within range.
    exponents = np.frexp(np.maximum(-lowest, highest))[1]
    near_one = np.ldexp(features, -exponents)
    centres = np.where(constant, near_one[0], near_one.mean(axis=0))
    deviations = np.sqrt(np.square(near_one - centres).mean(axis=0))
    means, scales = np.ldexp(centres, exponents), np.ldexp(deviations, exponents)
    with np.errstate(over="ignore"):
        usable = (scales >= SMALLEST_SCALE) & np.isfinite(highest - lowest)
    _refuse_unusable(~(usable | constant), names)
    return np.where(constant, features[0], means), np.where(constant, 1.0, scales)


def _refuse_unusable(wrong: Array, names: Sequence[str]) -> None:
    if wrong.any():
        raise FitError(
            f"the values of {names[int(np.argmax(wrong))]} lie too close together or too far "
            "apart for float64: rescale the scores"
        )
