"""Mean-sigma linking: scores of every group in the units of a reference."""

from __future__ import annotations

import numpy as np

from normalizers.bases.group_labels import shown_groups
from normalizers.bases.group_moments import GroupSpreads
from normalizers.contract import Example, Statistics, param, unwrap
from normalizers.data.arrays import Array
from normalizers.errors import FitError
from normalizers.kernels.loc_scale import LocScale
from normalizers.metrics.base.group_scales import ScaleRules
from normalizers.metrics.base.linked_groups import LinkedGroups


class LinkMeanSigma(LinkedGroups):
    """Move every group to the mean and the deviation of a reference.

    y = mu_r + sigma_r / sigma_g (x - mu_g), g being the group and r the reference: rows in the
    field ``reference``, or the group that `reference_group` names. Scores keep the units of the
    reference, a language or human scores. It is symmetric: the way back is the link of the
    reference to the group, where a regression would shrink to the mean.

    Notes
    -----
    Both deviations have the same `ddof`, 0 by default; their ratio depends on it only where the two
    n differ. A group without spread has no slope and is refused, unless `slope` gives it one; so
    is a reference without spread. Missing scores are left out of the statistics and
    missing in their place. Rows beyond the scores of their group are flagged ``out_of_range`` and
    mapped by the same line, rows of a group that the fit does not know ``unknown_group``. Equal
    references of parts are kept once, different ones are refused. Ties stay ties. Cost O(n log n)
    for a fit, O(m) for a transform.

    References
    ----------
    Kolen and Brennan: Test Equating, Scaling, and Linking, 3rd edition, section 4.2 (linear
    equating).

    Examples
    --------
    >>> from normalizers import LinkMeanSigma
    >>> groups = ["fr", "fr", "si", "si"]
    >>> linked = LinkMeanSigma().fit([1.0, 3.0, 50.0, 70.0], groups=groups, reference=[0.0, 10.0])
    >>> linked.transform([2.0, 80.0], groups=["fr", "si"]).tolist()
    [5.0, 15.0]
    """

    name = "link_mean_sigma"
    example = Example(
        fit={
            "x": [86.5, 80.4, 74.5, 92.5, 89.3, 85.9],
            "groups": ["fr"] * 3 + ["si"] * 3,
            "reference": [95.0, 70.0, 60.0, 80.0],
        },
        input={"x": [80.4, 89.3], "groups": ["fr", "si"]},
    )

    ddof: int | None = param(
        default=None, default_value=0, ge=0, affects="solution", help="variance = m2 / (n - ddof)"
    )
    slope: float | None = param(
        default=None,
        gt=0,
        affects="solution",
        help="what multiplies the scores of a group without spread; without it they are refused",
    )

    @property
    def rules(self) -> ScaleRules:
        """The deviation divides."""
        return super().rules._replace(scaled=True, ddof=unwrap(self.ddof))

    def onto(
        self, statistics: Statistics, table: GroupSpreads, scales: LocScale
    ) -> tuple[LocScale, Array | None]:
        """Return the deviations in units of that of the reference, and the reference's mean."""
        target = self.target(statistics)
        if target.constant.any() or not np.all(target.spread > 0):
            raise FitError(
                "the reference has no spread, which scores could be scaled to; link_mean moves "
                "the mean alone",
                path="fit.reference",
            )
        ratio = scales.scale / target.spread
        # Two scores and more, all the same: a group of one score is moved only.
        flat, few = table.degenerate, table.constant & ~table.degenerate
        if flat.any() and self.slope is None:
            groups = shown_groups(table.keys[flat.any(axis=1)])
            raise FitError(f"no spread, which gives no slope: {groups}", path="params.slope")
        ratio = np.where(few, 1.0, np.where(flat, 1.0 / (self.slope or 1.0), ratio))
        moved = np.broadcast_to(target.loc, ratio.shape).copy()
        return LocScale(scales.loc, ratio, scales.fixed), moved
