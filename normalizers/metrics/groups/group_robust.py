"""Group robust scaling: scores of every group by that group's own median and quartiles."""

from __future__ import annotations

from typing import Literal

from normalizers.contract import Example, Statistics, param
from normalizers.metrics.base.group_scales import ScaleRules
from normalizers.metrics.base.quantile_groups import QuantileGroups

QUARTILES = [25.0, 75.0]


class GroupRobust(QuantileGroups):
    """Put every group on one scale: y = (x - median_g) / (Q75_g - Q25_g).

    A few outliers among the anchors move neither the median nor the quartiles.

    Notes
    -----
    Quantiles are linear between order statistics. Missing scores are left out of the statistics
    and missing in their place. A group without spread keeps its centring and gets scale 1, flagged
    ``constant``; so does one whose quartiles are equal although its scores are not, flagged
    ``degenerate``. A group with fewer than two anchors is refused unless `on_few` says otherwise.
    Rows beyond the anchors of their group are flagged ``out_of_range``. Ties stay ties. Cost
    O(n log n) for a fit, O(m) for a transform.

    See Also
    --------
    GroupZScore : By mean and deviation.

    References
    ----------
    The formula is that of ``sklearn.preprocessing.RobustScaler`` by group.

    Examples
    --------
    >>> from normalizers import GroupRobust
    >>> fitted = GroupRobust().fit([1.0, 2.0, 3.0, 4.0, 500.0], groups=["fr"] * 5)
    >>> fitted.transform([3.0, 5.0], groups=["fr", "fr"]).tolist()
    [0.0, 1.0]
    """

    name = "group_robust"
    presets = {"per_series": {"on_few": "scale_one"}}
    example = Example(
        fit={"x": [86.5, 80.4, 74.5, 92.5, 89.3, 85.9], "groups": ["fr"] * 3 + ["si"] * 3},
        input={"x": [80.4, 89.3], "groups": ["fr", "si"]},
    )

    center: Literal["median", "none"] | None = param(
        default=None, default_value="median", affects="solution", help="what is subtracted"
    )
    scale: Literal["iqr", "none"] | None = param(
        default=None, default_value="iqr", affects="solution", help="what divides"
    )

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Name the quartiles."""
        return {**super().defaults(statistics), "quantile_range": self.quantile_range or QUARTILES}

    @property
    def rules(self) -> ScaleRules:
        """How location and scale follow from median and quartiles."""
        return super().rules._replace(centred=self.center != "none", scaled=self.scale != "none")
