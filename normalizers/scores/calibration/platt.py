"""Platt scaling: a logistic curve through labelled scores, with smoothed targets."""

from __future__ import annotations

from normalizers.contract import Example
from normalizers.scores.base.label_counts import LabelCounts
from normalizers.scores.calibration.base.calibrator import Solution
from normalizers.scores.calibration.base.sigmoid import LineCalibrator


class Platt(LineCalibrator):
    """Turn scores into probabilities by a logistic curve fitted to smoothed labels.

    ``probability = 1 / (1 + exp(-(a s + b)))``. The curve is the most likely one for the targets
    ``(N1 + 1) / (N1 + 2)`` of positive and ``1 / (N0 + 2)`` of negative labels, with `N1` and
    `N0` the weight of each; so it exists for every sample, separable ones too.

    Notes
    -----
    The fit needs labels of both classes. It reports the number of positives, the range of the
    scores and the mean log loss (`base_log_loss` is that of the share of positives for every
    score), and warns ``few_positives`` below 30 of them and ``negative_slope`` where better
    scores have fewer positives. Parts of a sample merge: what is kept is every distinct score
    with its labels. Equal scores get equal probabilities. A sample of one distinct score gives
    the mean target and warns ``constant_scores``.

    Missing scores follow `nan_policy`; a fit leaves the row out. Scores beyond the fitted range
    are flagged ``out_of_range`` and their share stands in the report. The inverse is exact for
    probabilities between 0 and 1; 0 and 1 themselves come back as the score of the nearest
    number and are flagged ``clipped``. Cost O(N log N) in the fit, O(N) after it.

    One curve through raw scores orders them as before and gives no threshold that holds across
    queries whose scores differ in scale.

    References
    ----------
    Platt, "Probabilistic outputs for support vector machines", 1999.

    Examples
    --------
    >>> from normalizers import Platt
    >>> calibrator = Platt().fit([1.0, 2.0, 2.0, 3.0], labels=[0, 0, 1, 1])
    >>> calibrator.transform([1.0, 2.0, 3.0]).round(3).tolist()
    [0.25, 0.5, 0.75]
    """

    name = "platt"
    example = Example(
        fit={"scores": [14.2, 11.8, 9.3, 8.0, 7.7, 3.2, 0.4], "labels": [1, 1, 0, 1, 0, 0, 0]},
        input={"scores": [[12.7, 9.3], [3.0], []]},
    )

    def solve_runs(self, evidence: LabelCounts) -> Solution:
        """Return the most likely line for the smoothed labels."""
        return self.line(evidence.smoothed())
