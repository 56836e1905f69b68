"""Isotonic anchors: the best monotone curve from the scores of a group to quality."""

from __future__ import annotations

from typing import cast

import numpy as np

from normalizers.bases.weighted_fit import rows_of
from normalizers.contract import Batch, Example, Statistics
from normalizers.kernels.monotone import corners, pooled_means
from normalizers.metrics.base.quality_curves import Curve, QualityCurves
from normalizers.statistics import Grouped, Knots


class AnchorIsotonic(QualityCurves):
    """Turn scores into quality by the monotone curve of each group nearest to its anchors.

    y = E[q given x]: the qualities at equal scores are their weighted mean, the smallest pools of
    neighbours that never fall are formed (never rise, where lower scores are better), and between
    the first and the last score of each pool the curve is linear.

    Notes
    -----
    Equal scores get equal quality, and pools make further ties. Rows with a missing score or
    quality are left out of the fit; a missing score is missing in its place. Scores beyond the
    anchors are flagged ``out_of_range``; with `out_of_bounds` ``clip`` they get the quality of the
    end, flagged ``clipped``, with a warning: real output may lie far below the worst anchor. A
    group of one distinct score gives one quality. An unknown group is refused, unless
    `unknown_group` is ``global``; its rows are then flagged ``unknown_group``. Below 20 anchors a
    group is warned of. There is no way back. Parts of a sample merge exactly.
    Cost O(n log n) for a fit, O(m log k) for a transform with k knots.

    See Also
    --------
    AnchorLinear : For few anchors.
    AnchorPiecewiseLinear : For designed levels of quality.

    References
    ----------
    Ayer et al., An empirical distribution function for sampling with incomplete information, 1955;
    the curve is that of ``sklearn.isotonic.IsotonicRegression`` by group.

    Examples
    --------
    >>> from normalizers import AnchorIsotonic
    >>> fitted = AnchorIsotonic().fit(
    ...     [10.0, 20.0, 30.0, 40.0], groups=["fr"] * 4, qualities=[-25.0, -5.0, -15.0, 0.0]
    ... )
    >>> fitted.transform([20.0, 35.0, 90.0], groups=["fr"] * 3).tolist()
    [-10.0, -5.0, 0.0]
    """

    name = "anchor_isotonic"
    example = Example(
        fit={
            "x": [10.0, 20.0, 20.0, 30.0, 40.0, 50.0],
            "groups": ["fr"] * 6,
            "qualities": [-25.0, -15.0, -20.0, -5.0, -10.0, 0.0],
        },
        input={"x": [15.0, 35.0], "groups": ["fr", "fr"]},
    )

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the anchors to the knots of their groups, each at its score."""
        groups = batch.labels("groups")
        self.require_names(groups)
        knots = cast("Grouped[Knots]", statistics["knots"])
        qualities, *weights = rows_of(batch, batch.array("qualities"))
        scores = batch.array("x")[:, 0]
        return statistics.replace(knots=knots.update(groups, scores, qualities, *weights))

    def curve(self, knots: Knots) -> Curve:
        """Return the pools of the group's anchors."""
        upwards = slice(None, None, self.sign_of_scores)
        sums = knots.weight * knots.mean
        pooled = pooled_means(sums[upwards], knots.weight[upwards])[upwards]
        needed = corners(pooled)
        told = {"pools": len(np.unique(pooled))}
        return Curve(knots.x[needed], pooled[needed], told)
