"""Beta calibration: a logistic curve in the logarithms of a probability and of its rest."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.contract import Answer, Batch, Example, Fields, Fitted, Options, Traits, lists
from normalizers.data.arrays import Array
from normalizers.errors import FitError, UnsupportedOperation
from normalizers.kernels.likelihood import bounded_root, softplus
from normalizers.kernels.logistic_fit import fit_logistic
from normalizers.kernels.logspace import logit, sigmoid
from normalizers.scores.base.flags import flag_scores, refuse_list_values
from normalizers.scores.base.label_counts import LabelCounts, negative_slope
from normalizers.scores.calibration.base.calibrator import Calibrator, Solution

# Beyond this size the sigmoid of a logit is 0 or 1.
LARGEST_LOGIT = 746.0


class BetaCalibration(Calibrator):
    """Turn probabilities into better ones by the map between two beta distributions.

    ``logit(q) = a ln(p) - b ln(1 - p) + c`` with ``a, b >= 0``, most likely for the labels.

    Notes
    -----
    The input is strictly between 0 and 1. a = b = 1, c = 0 is the identity, so probabilities
    that are right stay as they are. A coefficient that would be negative is 0; both are 0, and
    the fit warns ``negative_slope``, where larger probabilities have fewer positive labels.
    Labels that a threshold separates are refused: no curve would be steep enough.

    The fit needs labels of both classes, reports positives, range and mean log loss, and warns
    ``few_positives`` below 30 of them. Parts of a sample merge; equal inputs get equal answers;
    missing ones follow `nan_policy`; those beyond the fitted range are flagged ``out_of_range``.
    The inverse exists unless a = b = 0; what no input gives comes back as the nearest end and is
    flagged ``clipped``. Cost O(N log N) in the fit, O(N) after it.

    References
    ----------
    Kull, Silva Filho, Flach, "Beta calibration", AISTATS 2017.

    Examples
    --------
    >>> from normalizers import BetaCalibration
    >>> calibrator = BetaCalibration().fit([0.2, 0.4, 0.6, 0.8], labels=[0, 1, 0, 1])
    >>> calibrator.transform([0.2, 0.5, 0.8]).round(3).tolist()
    [0.178, 0.5, 0.822]
    """

    name = "beta_calibration"
    aliases = {"beta": {}}
    traits = Traits(monotone=True)
    sent = "probabilities"
    domain = "a probability strictly between 0 and 1 is expected"
    example = Example(
        fit={
            "probabilities": [0.91, 0.72, 0.64, 0.55, 0.31, 0.2, 0.12, 0.05],
            "labels": [1, 1, 0, 1, 0, 1, 0, 0],
        },
        input={"probabilities": [[0.8, 0.35], [0.1], []]},
    )

    @property
    def inverse_takes(self) -> Fields:
        """Calibrated probabilities."""
        return Fields(probabilities=lists(help="calibrated, 0..1"))

    def unusable(self, sent: Array) -> Array:
        """Return which values are no probabilities strictly between 0 and 1."""
        return np.asarray((sent <= 0) | (sent >= 1))

    def solve_runs(self, evidence: LabelCounts) -> Solution:
        """Return the most likely coefficients."""
        if evidence.is_constant:
            return _solution(Coefficients(0.0, 0.0, evidence.base_log_odds))
        if evidence.separable_upwards:
            raise FitError(
                "a threshold separates the labels, so no curve is steep enough; use 'platt' on "
                "the logits, or send more labels"
            )
        found = _most_likely(evidence)
        flat = not found.a and not found.b
        return _solution(found)._replace(warnings=(negative_slope(),) if flat else ())

    def log_odds(self, fitted: Fitted, sent: Array) -> Array:
        """Return ``a ln(p) - b ln(1 - p) + c``."""
        return _log_odds(Coefficients.of(fitted), sent)

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the probability that each calibrated one comes from."""
        calibrated = batch.ragged("probabilities")
        wrong = (calibrated.values < 0) | (calibrated.values > 1)
        refuse_list_values(batch, "probabilities", wrong, "a probability is within 0..1")
        found = Coefficients.of(fitted)
        if not found.a and not found.b:
            raise UnsupportedOperation("every input has the same probability: there is no way back")
        logits = found.undone(logit(calibrated.values))
        answer = Answer({"probabilities": calibrated.with_values(sigmoid(logits))})
        return flag_scores(answer, calibrated, clipped=np.abs(logits) >= LARGEST_LOGIT)


class Coefficients(NamedTuple):
    """The curve ``a ln(p) - b ln(1 - p) + c``."""

    a: float
    b: float
    c: float

    @classmethod
    def of(cls, fitted: Fitted) -> Coefficients:
        """Return the coefficients of a fit."""
        return cls(float(fitted["a"]), float(fitted["b"]), float(fitted["c"]))

    def undone(self, log_odds: Array) -> Array:
        """Return the logit of the input that each of `log_odds` comes from."""
        # In the logit t of the input: a softplus(-t) and b softplus(t) are monotone, so one root.
        end = np.full(log_odds.shape, LARGEST_LOGIT)

        def excess(t: Array) -> Array:
            return self.b * softplus(t) - self.a * softplus(-t) + self.c - log_odds

        return np.where(np.isnan(log_odds), np.nan, bounded_root(excess, -end, end))


def _most_likely(evidence: LabelCounts) -> Coefficients:
    """Return the best coefficients of which none is negative.

    The loss is convex, so the best ones are the best of one of the faces, on which some
    coefficients are 0 and the others are free: the one with the smallest loss among those that
    are allowed. A gradient would not tell, which is tiny where the probabilities are.
    """
    logs = np.column_stack([np.log(evidence.x), -np.log1p(-evidence.x)])
    # The loss is convex: where a best coefficient is negative, the best allowed one lies on a face
    # where it is 0.
    faces = [_on_face(evidence, logs, free) for free in ((), (0,), (1,), (0, 1))]
    allowed = [found for found in faces if found is not None and found.a >= 0 and found.b >= 0]
    return min(allowed, key=lambda found: evidence.log_loss(_log_odds(found, evidence.x)))


def _on_face(evidence: LabelCounts, logs: Array, free: tuple[int, ...]) -> Coefficients | None:
    """Return the best coefficients with the others at 0, None where there are none."""
    if not free:
        return Coefficients(0.0, 0.0, evidence.base_log_odds)
    fit = fit_logistic(
        logs[:, list(free)], evidence.positive, evidence.negative, np.zeros(len(free))
    )
    if not fit.converged:
        return None
    slopes = np.zeros(2)
    slopes[list(free)] = fit.coefficients
    level = float(fit.level - fit.coefficients @ fit.centre)
    return Coefficients(float(slopes[0]), float(slopes[1]), level)


def _log_odds(found: Coefficients, sent: Array) -> Array:
    return np.asarray(found.a * np.log(sent) - found.b * np.log1p(-sent) + found.c)


def _solution(found: Coefficients) -> Solution:
    return Solution({name: np.asarray(value) for name, value in found._asdict().items()})
