"""Temperature scaling: one factor on logits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from normalizers.contract import Example, Traits
from normalizers.data.arrays import Array
from normalizers.errors import FitError
from normalizers.kernels.logistic_fit import NO_OPTIMUM, fit_logistic
from normalizers.scores.base.label_counts import LabelCounts, negative_slope
from normalizers.scores.calibration.base.calibrator import Solution
from normalizers.scores.calibration.base.sigmoid import SigmoidCalibrator

# The largest temperature, in units of the largest logit.
HOTTEST = float(np.exp(10.0))


class TemperatureScaling(SigmoidCalibrator):
    """Divide logits by the temperature that makes their labels most likely.

    ``probability = 1 / (1 + exp(-z / T))``, T > 0.

    Notes
    -----
    Scaling keeps 0.5 where it is: `platt` also moves it. Logits whose sign tells every label
    would make T fall to 0, and are refused. Logits that run against their labels give the
    largest temperature, exp(10) times the largest logit, and a warning ``negative_slope``.
    Both classes are needed; parts merge; equal logits get equal probabilities; missing logits
    follow `nan_policy`; logits beyond the fitted range are flagged ``out_of_range``. The inverse
    is exact for probabilities between 0 and 1. Cost O(N log N) in the fit, O(N) after it.

    References
    ----------
    Guo, Pleiss, Sun, Weinberger, "On calibration of modern neural networks", ICML 2017.

    Examples
    --------
    >>> from normalizers import TemperatureScaling
    >>> calibrator = TemperatureScaling().fit([-4.0, -2.0, 2.0, 4.0], labels=[0, 1, 1, 1])
    >>> calibrator.transform([0.0, 2.0]).round(3).tolist()
    [0.5, 0.733]
    """

    name = "temperature_scaling"
    aliases: ClassVar[Mapping[str, Mapping[str, object]]] = {"temperature": {}}
    traits = Traits(monotone=True)
    sent = "logits"
    example = Example(
        fit={"logits": [2.1, 1.3, 0.4, -0.2, -1.9, -2.5], "labels": [1, 0, 1, 1, 0, 0]},
        input={"logits": [[1.7, -0.3], [0.0], []]},
    )

    def solve_runs(self, evidence: LabelCounts) -> Solution:
        """Return the temperature, as a line through 0."""
        unit = float(np.max(np.abs(evidence.x)))
        if not unit:
            raise FitError("every logit is 0: no temperature changes it", path="fit.logits")
        # No temperature is low enough there: the likelihood rises for ever.
        tells = evidence.x[evidence.negative > 0][-1] <= 0 <= evidence.x[evidence.positive > 0][0]
        if tells:
            raise FitError(
                "the sign of the logits tells every label, so no temperature is low enough; use "
                "'platt'",
                path="fit.logits",
            )
        fit = fit_logistic(
            # In units of the largest logit, in which HOTTEST is given.
            evidence.x[:, None] / unit,
            evidence.positive,
            evidence.negative,
            np.zeros(1),
            intercept=False,
        )
        if not fit.converged:
            raise FitError(NO_OPTIMUM, path="fit.logits")
        inverse = float(fit.coefficients[0])
        coldest = 1 / HOTTEST
        told = (negative_slope(),) if inverse < coldest else ()
        temperature = unit / max(inverse, coldest)
        return Solution(_through_zero(temperature), told)


def _through_zero(temperature: float) -> Mapping[str, Array]:
    numbers = {
        "temperature": temperature,
        "a": 1 / temperature,
        "centre": 0.0,
        "log_odds_at_centre": 0.0,
    }
    return {name: np.asarray(number) for name, number in numbers.items()}
