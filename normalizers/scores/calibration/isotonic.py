"""Isotonic calibration: the best non-decreasing curve through labelled scores."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Answer, Batch, Example, Fitted, Options, Traits, param, unwrap
from normalizers.contract.tolerance import require_ascending
from normalizers.data.arrays import Array
from normalizers.kernels.logspace import logit
from normalizers.kernels.monotone import OutOfBounds, corners, piecewise_linear, pooled_means
from normalizers.scores.base.flags import refuse_list_values
from normalizers.scores.base.label_counts import LabelCounts, negative_slope
from normalizers.scores.calibration.base.calibrator import Calibrator, Solution
from normalizers.scores.calibration.base.directed_fit import DirectedFit


class Isotonic(DirectedFit, Calibrator):
    """Turn scores into probabilities by the non-decreasing curve nearest to their labels.

    The probabilities at the scores of the sample are the pooled shares of positive labels, the
    smallest pools that never fall; between them the curve is linear.

    Notes
    -----
    Equal scores count as one, so they get equal probabilities; pools make further ties: sort by
    probability, then by raw score. Where lower scores are better the curve never rises. Beyond
    the fitted scores `out_of_bounds` decides: the probability of the end (``clip``), the line of
    the last two knots kept within 0..1 (``linear``), a missing value or an error; such scores
    are flagged ``out_of_range`` either way.

    The fit needs labels of both classes, reports positives, range and mean log loss, and warns
    ``few_positives`` below 30 of them and ``negative_slope`` where better scores have fewer
    positives, by the sign of their covariance. Parts of a sample merge exactly. Missing scores
    follow `nan_policy`; a fit leaves the row out. A sample of one distinct score gives its share
    of positives. There is no inverse. Cost O(N log N).

    References
    ----------
    Zadrozny, Elkan, "Transforming classifier scores into accurate multiclass probability
    estimates", KDD 2002. The curve is that of scikit-learn's ``IsotonicRegression``.

    Examples
    --------
    >>> from normalizers import Isotonic
    >>> calibrator = Isotonic().fit([1.0, 2.0, 3.0, 4.0], labels=[0, 1, 0, 1])
    >>> calibrator.transform([1.5, 2.5, 9.0]).tolist()
    [0.25, 0.5, 1.0]
    """

    name = "isotonic"
    traits = Traits(monotone=True)
    ascending = ("x_thresholds", "range")
    example = Example(
        fit={"scores": [14.2, 11.8, 9.3, 8.0, 7.7, 3.2, 0.4], "labels": [1, 1, 0, 1, 0, 0, 0]},
        input={"scores": [[12.7, 9.3], [3.0], []]},
    )

    out_of_bounds: OutOfBounds | None = param(
        default=None,
        default_value="clip",
        affects="answer",
        help="what a score beyond the fitted ones gets",
    )

    def solve_runs(self, evidence: LabelCounts) -> Solution:
        """Return the knots that the curve needs."""
        upwards = slice(None, None, 1 if self.higher_is_better else -1)
        pooled = pooled_means(evidence.positive[upwards], evidence.weight[upwards])[upwards]
        needed = corners(pooled)
        arrays = {"x_thresholds": evidence.x[needed], "y_thresholds": pooled[needed]}
        told = (negative_slope(),) if evidence.covariance_sign * self.sign < 0 else ()
        return Solution(arrays, told)

    def check_fitted(self, fitted: Fitted, prefix: str = "") -> None:
        """Refuse thresholds that do not ascend, and heights that turn."""
        super().check_fitted(fitted, prefix)
        heights = fitted["y_thresholds"]
        require_ascending(heights if self.higher_is_better else -heights, f"{prefix}y_thresholds")

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the height of the curve at each score."""
        scores = batch.ragged("scores").values
        lower, upper = fitted["range"]
        if self.out_of_bounds == "error":
            beyond = (scores < lower) | (scores > upper)
            told = "a score beyond the fitted ones, and out_of_bounds is 'error'"
            refuse_list_values(batch, "scores", beyond, told)
        return super().apply(fitted, batch, options)

    def probability(self, fitted: Fitted, sent: Array) -> Array:
        """Return the height of the curve at each score, within 0..1."""
        thresholds = fitted["x_thresholds"], fitted["y_thresholds"]
        heights = piecewise_linear(*thresholds, sent, unwrap(self.out_of_bounds))
        return np.clip(heights, 0.0, 1.0)

    def log_odds(self, fitted: Fitted, sent: Array) -> Array:
        """Return the log odds, infinite at 0 and 1."""
        return logit(self.probability(fitted, sent))
