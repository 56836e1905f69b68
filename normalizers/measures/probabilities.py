"""Measures of probabilities against labels."""

from __future__ import annotations

from functools import partial

import numpy as np

from normalizers.measures.labelled import Labelled
from normalizers.measures.measure import Measure
from normalizers.measures.reliability import Bins, calibration_error

# The smallest probability that a label is given, so that one certain mistake is not everything.
SMALLEST = 1e-6


def brier(labelled: Labelled) -> float:
    """Return the mean squared distance of probability and label; NaN without rows.

    References
    ----------
    Brier: Verification of forecasts expressed in terms of probability, 1950.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.labelled import Labelled
    >>> from normalizers.measures.probabilities import brier
    >>> brier(Labelled.of(np.array([0.5, 0.0]), np.array([True, False])))
    0.125
    """
    return labelled.mean(np.square(labelled.scores - labelled.labels))


def log_loss(labelled: Labelled) -> float:
    """Return the mean negative logarithm of the probability that each label was given.

    Probabilities are kept from 0 and 1 by 1e-6. NaN without rows.
    """
    given = np.where(labelled.labels, labelled.scores, 1 - labelled.scores)
    return labelled.mean(-np.log(np.clip(given, SMALLEST, 1 - SMALLEST)))


def base_brier(labelled: Labelled, rate: float) -> float:
    """Return the Brier score of predicting `rate` throughout."""
    return labelled.mean(np.square(rate - labelled.labels))


def base_log_loss(labelled: Labelled, rate: float) -> float:
    """Return the log loss of predicting `rate` throughout."""
    given = np.where(labelled.labels, rate, 1 - rate)
    return labelled.mean(-np.log(np.clip(given, SMALLEST, 1 - SMALLEST)))


_probable = partial(
    Measure, needs="probabilities", higher_is_better=False, undefined="there are no rows"
)
MEASURES = (
    _probable(
        "brier", function=brier, help="mean squared distance from the label", base=base_brier
    ),
    _probable(
        "log_loss",
        function=log_loss,
        help="mean negative logarithm of the probability that the label was given",
        base=base_log_loss,
    ),
    _probable(
        "calibration_error",
        function=calibration_error,
        help="mean distance of predicted and observed shares over bins",
        parameters=Bins,
    ),
)
