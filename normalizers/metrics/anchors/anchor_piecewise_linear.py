"""Piecewise linear anchors: a line from level to level of quality in every group."""

from __future__ import annotations

from typing import Literal, cast

import numpy as np

from normalizers.bases.weighted_fit import rows_of
from normalizers.contract import Batch, Example, Statistics, param
from normalizers.data.arrays import Array
from normalizers.errors import FitError
from normalizers.kernels.monotone import pooled_means
from normalizers.metrics.base.quality_curves import Curve, QualityCurves
from normalizers.statistics import Grouped, Knots


class AnchorPiecewiseLinear(QualityCurves):
    """Turn scores into quality by lines through the mean score of each level of quality.

    The knots of a group are (mean score of the anchors of quality q, q), by ascending score;
    between two of them y is linear. Neighbours against the expected direction are pooled to their
    weighted means.

    Notes
    -----
    Levels that are pooled (`monotone` ``pool``) stand in the fit report as ``violations``; with
    ``refuse`` they are refused by name. A further level, as quality 0 of the reference against
    itself, is one more anchor. Rows with a missing score or quality are left out of the fit; a
    missing score is missing in its place. Scores beyond the first and last knot are flagged
    ``out_of_range``: with `out_of_bounds` ``clip`` they get the quality of the end, flagged
    ``clipped``, with a warning; ``linear`` continues the last piece. A group of one level gives
    that level. An unknown group is refused, unless `unknown_group` is ``global``. Equal scores
    get equal quality. There is no way back. Parts merge exactly up to rounding.
    Cost O(n log n) for a fit, O(m log k) for a transform with k levels.

    See Also
    --------
    AnchorIsotonic : For many anchors of any quality.

    References
    ----------
    The line of ``numpy.interp`` through level means; levels of equal quality over languages:
    "XQ-MEval", arXiv 2604.14934.

    Examples
    --------
    >>> from normalizers import AnchorPiecewiseLinear
    >>> fitted = AnchorPiecewiseLinear().fit(
    ...     [87.0, 81.0, 76.0], groups=["de"] * 3, qualities=[-5.0, -10.0, -15.0]
    ... )
    >>> fitted.transform([84.0, 60.0], groups=["de", "de"]).tolist()
    [-7.5, -15.0]
    """

    name = "anchor_piecewise_linear"
    example = Example(
        fit={
            "x": [87.0, 81.0, 76.0, 71.0, 64.0],
            "groups": ["de"] * 5,
            "qualities": [-5.0, -10.0, -15.0, -20.0, -25.0],
        },
        input={"x": [78.5, 64.0], "groups": ["de", "de"]},
    )

    monotone: Literal["pool", "refuse"] | None = param(
        default=None,
        default_value="pool",
        affects="solution",
        help="levels whose mean scores run against the direction: pooled, or refused",
    )

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the anchors to the knots of their groups, each at its quality."""
        groups = batch.labels("groups")
        self.require_names(groups)
        knots = cast("Grouped[Knots]", statistics["knots"])
        scores, *weights = rows_of(batch, batch.array("x")[:, 0])
        qualities = batch.array("qualities")
        return statistics.replace(knots=knots.update(groups, qualities, scores, *weights))

    def curve(self, knots: Knots) -> Curve:
        """Return the levels of a group, pooled where they run against the direction.

        Raises
        ------
        FitError
            Levels do, and `monotone` is ``refuse``.
        """
        # Scores that grow with quality, whatever the direction of the metric.
        directed = self.sign_of_scores * knots.mean
        pooled = pooled_means(knots.weight * directed, knots.weight)
        starts = np.flatnonzero(np.concatenate(([True], pooled[1:] != pooled[:-1])))
        violations = _violations(knots.x, starts)
        if violations and self.monotone == "refuse":
            levels = ", ".join(map(str, violations[0]))
            raise FitError(
                f"the mean scores of the levels {levels} run against the direction of quality; "
                "monotone 'pool' pools them, higher_is_better says the direction",
                path="fit.qualities",
            )
        weight = np.add.reduceat(knots.weight, starts)
        # Counted from the first level of each pool: a level alone keeps its own number.
        first = knots.x[starts]
        sizes = np.diff(np.append(starts, len(knots.x)))
        above = knots.weight * (knots.x - np.repeat(first, sizes))
        qualities = first + np.add.reduceat(above, starts) / weight
        upwards = slice(None, None, self.sign_of_scores)
        told: dict[str, object] = {"violations": violations} if violations else {}
        return Curve((self.sign_of_scores * pooled[starts])[upwards], qualities[upwards], told)


def _violations(levels: Array, starts: Array) -> list[list[float]]:
    """Return the levels of each pool of more than one."""
    pools = np.split(levels, starts[1:])
    return [pool.tolist() for pool in pools if len(pool) > 1]
