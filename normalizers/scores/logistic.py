"""Logistic regression of labels on scores."""

from __future__ import annotations

from normalizers.errors import FitError
from normalizers.normalizer import Example
from normalizers.parameters import param
from normalizers.scores.calibration import Solution
from normalizers.scores.evidence import Evidence
from normalizers.scores.sigmoid_calibration import LineCalibrator


class Logistic(LineCalibrator):
    """Turn scores into probabilities by the logistic curve that makes their labels most likely.

    ``probability = 1 / (1 + exp(-(a s + b)))`` with the smallest
    ``a^2 / 2 + C sum(log loss)``; without `C` there is no penalty.

    Notes
    -----
    Without a penalty there is no most likely curve when a threshold separates the labels: the
    slope would grow without end, and the fit is refused. Name `C`, or use `platt`. Otherwise as
    `platt`: both classes are needed, parts merge, equal scores get equal probabilities, missing
    scores follow `nan_policy`, scores beyond the fitted range are flagged ``out_of_range``, and
    a sample of one distinct score gives the share of positives. Cost O(N log N) in the fit.

    References
    ----------
    The meaning of `C` is that of scikit-learn's ``LogisticRegression``.

    Examples
    --------
    >>> from normalizers import Logistic
    >>> calibrator = Logistic().fit([1.0, 2.0, 2.0, 3.0, 3.0], labels=[0, 0, 1, 1, 0])
    >>> calibrator.transform([1.0, 3.0]).round(3).tolist()
    [0.16, 0.58]
    """

    name = "logistic"
    example = Example(
        fit={"scores": [14.2, 11.8, 9.3, 8.0, 7.7, 3.2, 0.4], "labels": [1, 1, 0, 1, 0, 0, 0]},
        given={"scores": [[12.7, 9.3], [3.0], []]},
    )

    C: float | None = param(
        default=None,
        affects="solution",
        gt=0,
        help="weight of the labels against a penalty on the squared slope; none without it",
    )

    def solved(self, evidence: Evidence) -> Solution:
        """Return the most likely line."""
        if self.C is not None:
            return self.line(evidence, 1 / (self.C * float(evidence.weight.sum())))
        if not evidence.is_constant and (evidence.rises_apart or evidence.falls_apart):
            raise FitError(
                "a threshold separates the labels, so no slope is steep enough; name 'C', or use "
                "'platt'",
                path="params.C",
            )
        return self.line(evidence)
