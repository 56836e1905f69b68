"""Logistic regression of labels on standardised features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from normalizers.arrays import Array
from normalizers.batch import Notice, notice
from normalizers.errors import FitError
from normalizers.kernels.likelihood import logistic_loss, newton
from normalizers.scores.evidence import FEW_POSITIVES

# The smallest normal number: below it a quotient loses digits.
SMALLEST_SCALE = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True)
class Regression:
    """The most likely coefficients.

    Parameters
    ----------
    means, scales, coefficients : arrays of shape (p,)
        Of the features; a constant feature has the scale 1 and no say.
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
    design = np.column_stack([(features - means) / scales, np.ones(len(labels))])
    ridge = 0.0 if strength is None else 1 / (strength * len(labels))
    penalty = np.append(np.full(len(means), ridge), 0.0)
    base = float(np.log(positives / negatives))
    start = np.append(np.zeros(len(means)), base)
    loss = logistic_loss(design, labels, 1 - labels, np.zeros(len(start)))
    optimum = newton(logistic_loss(design, labels, 1 - labels, penalty), start)
    if not optimum.converged:
        raise FitError(
            "a plane separates the labels, so no coefficient is large enough; name 'C'",
            path="params.C",
        )
    place = optimum.place
    return Regression(
        means, scales, place[:-1], float(place[-1]), loss(place).value, loss(start).value,
        positives, negatives,
    )  # fmt: skip


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
