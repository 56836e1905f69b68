"""Calibrators of the form ``1 / (1 + exp(-(a s + b)))``."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from normalizers.contract import Answer, Batch, Fields, Fitted, Options, lists
from normalizers.data.arrays import Array
from normalizers.errors import FitError, UnsupportedOperation
from normalizers.kernels.logistic_fit import NO_OPTIMUM, fit_logistic
from normalizers.kernels.logspace import logit
from normalizers.scores.base.flags import flag_scores, refuse_list_values
from normalizers.scores.base.label_counts import LabelCounts, negative_slope
from normalizers.scores.calibration.base.calibrator import Calibrator, Solution
from normalizers.scores.calibration.base.directed_fit import DirectedFit

# The probabilities next to 0 and 1 that have a float64 of their own.
SMALLEST_SHARE = float(np.nextafter(0.0, 1.0))
LARGEST_SHARE = float(np.nextafter(1.0, 0.0))


class SigmoidCalibrator(Calibrator):
    """Base of the calibrators whose log odds are a line.

    The line is kept about a score whose label is in doubt, ``logit = log_odds_at_centre
    + a (s - centre)``, so that scores far from 0 lose no digits.
    """

    @property
    def inverse_takes(self) -> Fields:
        """Probabilities."""
        return Fields(probabilities=lists(help="of a positive label, 0..1"))

    def log_odds(self, fitted: Fitted, sent: Array) -> Array:
        """Return the line at each score."""
        # Not a x + b: with the centre far from 0 the two cancel.
        centred = sent - float(fitted["centre"])
        return float(fitted["log_odds_at_centre"]) + float(fitted["a"]) * centred

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the score of each probability; 0 and 1 give that of the nearest one."""
        probabilities = batch.ragged("probabilities")
        values, slope = probabilities.values, float(fitted["a"])
        wrong = (values < 0) | (values > 1)
        refuse_list_values(batch, "probabilities", wrong, "a probability is within 0..1")
        if not slope:
            raise UnsupportedOperation("every score has the same probability: there is no way back")
        held = np.clip(values, SMALLEST_SHARE, LARGEST_SHARE)
        centred = (logit(held) - float(fitted["log_odds_at_centre"])) / slope
        sent = probabilities.with_values(float(fitted["centre"]) + centred)
        return flag_scores(Answer({self.sent: sent}), probabilities, clipped=held != values)


class LineCalibrator(DirectedFit, SigmoidCalibrator):
    """Base of the calibrators that fit both the slope and the intercept of the line.

    The direction of the scores changes no probability: a slope against it is told.
    """

    def line(self, evidence: LabelCounts, ridge: float = 0.0) -> Solution:
        """Return the most likely line, with a penalty of `ridge` a^2 / 2 on the mean loss."""
        if evidence.is_constant:
            return Solution(_line(0.0, evidence.base_log_odds, float(evidence.x[0])))
        fit = fit_logistic(
            evidence.x[:, None], evidence.positive, evidence.negative, np.array([ridge])
        )
        if not fit.converged:
            raise FitError(NO_OPTIMUM)
        slope, centre = float(fit.coefficients[0]), float(fit.centre[0])
        told = (negative_slope(),) if slope * self.sign < 0 else ()
        return Solution(_line(slope, fit.level, centre), told)


def _line(slope: float, level: float, centre: float) -> Mapping[str, Array]:
    numbers = {
        "a": slope,
        "b": level - slope * centre,
        "centre": centre,
        "log_odds_at_centre": level,
    }
    return {name: np.asarray(number, dtype=np.float64) for name, number in numbers.items()}
