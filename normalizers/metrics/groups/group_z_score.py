"""Group z-score: scores of every group in units of that group's own mean and deviation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

import numpy as np

from normalizers.bases.group_moments import (
    LEVEL,
    GroupEnds,
    GroupSpreads,
    group_moments,
    level_labels,
    level_means,
)
from normalizers.bases.weighted_fit import WeightedFit, rows_of
from normalizers.contract import (
    Batch,
    Example,
    Fields,
    Statistic,
    Statistics,
    floats,
    optional,
    param,
    unwrap,
)
from normalizers.contract.shipped import ShippedStatistics
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.kernels.epsilon import EpsMode, check_eps
from normalizers.metrics.base.anchor_fits import level_moments
from normalizers.metrics.base.anchor_sets import xqmeval
from normalizers.metrics.base.group_affine import ALL, AffineGroupNormalizer
from normalizers.metrics.base.group_scales import ScaleRules
from normalizers.metrics.base.group_statistics import require_same_rows
from normalizers.statistics import Extrema, Grouped, Moments


class GroupZScore(WeightedFit, AffineGroupNormalizer):
    """Put every group on one scale: y = (x - mean_g) / std_g, by group g and column.

    Mean and deviation come from anchors of known, comparable quality, not from the scores that
    are judged: statistics of the judged scores would remove real differences between groups.
    With `anchors` ``level_means`` they are taken over the means of the levels of quality, each
    counted once.

    Notes
    -----
    Missing scores are left out of the statistics and missing in their place. A group with fewer
    than two anchors is refused unless `on_few` says otherwise; its rows are then flagged
    ``insufficient``. A group without spread (maximum = minimum, or a spread below rounding where
    only moments are stored) keeps its centring and gets scale 1; its rows are flagged
    ``constant``. An `eps` comes before that. Rows beyond the anchors of their group are flagged
    ``out_of_range``, rows of a group that the fit does not know ``unknown_group``. The sign turns
    only with `flip` where lower scores are better. Ties stay ties. Cost O(n log n) for a fit,
    O(m) for a transform.

    Preset ``per_series`` is for one scaler a series, its id the group: divisor n, and a series of
    one step is centred. ``pytorch_forecasting`` is GroupNormalizer: divisor n - 1, the epsilon of
    float16, medians over the groups for a new one.

    References
    ----------
    The formula is that of ``sklearn.preprocessing.StandardScaler`` by group, with `ddof`;
    averaging by language: "XQ-MEval", arXiv 2604.14934.

    Examples
    --------
    >>> from normalizers import GroupZScore
    >>> aligned = GroupZScore().fit([1.0, 3.0, 50.0, 70.0], groups=["fr", "fr", "si", "si"])
    >>> aligned.transform([2.0, 80.0], groups=["fr", "si"]).round(4).tolist()
    [0.0, 1.4142]
    """

    name = "group_z_score"
    aliases = {"lgn": {}, "group_zscore": {}}
    presets = {
        "per_series": {"ddof": 0, "on_few": "scale_one"},
        "pytorch_forecasting": {
            "ddof": 1,
            "eps": 0.0009765625,
            "eps_mode": "add_std",
            "unknown_group": "median",
            "on_few": "scale_one",
        },
    }
    optional_statistics = frozenset({"extrema"})
    shipped = {xqmeval.NAME: ShippedStatistics(level_moments, xqmeval.ATTRIBUTION)}
    example = Example(
        fit={"x": [86.5, 80.4, 74.5, 92.5, 89.3, 85.9], "groups": ["fr"] * 3 + ["si"] * 3},
        input={"x": [80.4, 89.3], "groups": ["fr", "si"]},
    )

    center: Literal["mean", "none"] | None = param(
        default=None, default_value="mean", affects="solution", help="what is subtracted"
    )
    scale: Literal["std", "none"] | None = param(
        default=None, default_value="std", affects="solution", help="what divides"
    )
    ddof: int | None = param(
        default=None, default_value=1, ge=0, affects="solution", help="variance = m2 / (n - ddof)"
    )
    eps: float | None = param(
        default=None, default_value=0.0, ge=0, affects="solution", help="a peer's epsilon"
    )
    eps_mode: EpsMode | None = param(
        default=None, default_value="none", affects="solution", help="where the epsilon goes"
    )
    anchors: Literal["scores", "level_means"] | None = param(
        default=None,
        default_value="scores",
        affects="statistics",
        help="statistics over the scores, or over the means of their levels of quality",
    )

    @property
    def fits(self) -> Fields:  # type: ignore[override]
        """Anchors with their groups, and levels of quality and weights where they are asked for."""
        level = optional(floats("n", help="level of each anchor, for anchors: level_means"))
        return self.with_weights(AffineGroupNormalizer.fits.with_fields(qualities=level))

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Moments by group (and level), and the range of each group."""
        names = self.group_names
        moments = (*(names or ("group",)), LEVEL) if self.by_level else names
        empty = Moments(weights=self.weight_sums)
        return {"moments": Grouped(empty, moments), "extrema": Grouped(Extrema(), names)}

    @property
    def by_level(self) -> bool:
        """Whether moments are kept level by level."""
        return self.anchors == "level_means"

    def check(self, path: str) -> None:
        """Refuse parameters that do not go together."""
        check_eps(self.eps, self.eps_mode, path)
        if self.by_level and LEVEL in (self.group_by or ()):
            raise InvalidParams(f"'{LEVEL}' is added by level_means", path=f"{path}.group_by")

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Name the labels as the statistics do, without the level."""
        decided = super().defaults(statistics)
        if statistics and self.by_level:
            decided["group_by"] = list(_moments(statistics).group_by or ())[:-1]
        return decided

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows to the moments and the range of their groups."""
        if not self.by_level:
            return super().accumulate(statistics, batch)
        x, groups = batch.array("x"), batch.labels("groups")
        self.require_names(groups)
        kept = statistics.replace(moments=self._with_levels(_moments(statistics), batch))
        extrema = cast("Grouped[Extrema] | None", statistics.get("extrema"))
        return (
            kept
            if extrema is None
            else kept.replace(extrema=extrema.update(groups, *rows_of(batch, x)))
        )

    def check_statistics(self, statistics: Statistics, path: str) -> None:
        """Refuse ranges that are not those of the rows behind the moments."""
        if "extrema" in statistics:
            extrema = cast("Grouped[Extrema]", statistics["extrema"])
            require_same_rows(_moments(statistics), extrema, path, by_level=self.by_level)

    def spreads(self, statistics: Statistics) -> GroupSpreads:
        """Return mean and deviation of every group."""
        moments = _moments(statistics)
        # One key of all groups together has no level any more.
        if self.by_level and moments.group_by != ALL:
            moments = level_means(moments)
        return group_moments(moments, unwrap(self.ddof))

    def exact(self, table: GroupSpreads, ends: GroupEnds | None) -> GroupSpreads:
        """Return the spreads, constant where the ends of a group are equal."""
        if ends is None or self.by_level:
            return table
        seen = ~np.isnan(ends.lower)
        # Exact ends decide where they are known: a spread near rounding may be of unequal scores.
        return table._replace(constant=np.where(seen, ends.lower == ends.upper, table.constant))

    def together(self, statistics: Statistics) -> Statistics:
        """Return the statistics of all groups as those of one; levels count once each."""
        if not self.by_level:
            return super().together(statistics)
        return super().together(statistics.replace(moments=level_means(_moments(statistics))))

    @property
    def rules(self) -> ScaleRules:
        """How location and scale follow from mean and deviation."""
        return super().rules._replace(
            centred=self.center == "mean",
            scaled=self.scale == "std",
            ddof=unwrap(self.ddof),
            eps=unwrap(self.eps),
            eps_mode=unwrap(self.eps_mode),
        )

    def told(self, table: GroupSpreads, ends: GroupEnds | None) -> dict[str, object]:
        """Return what the fit report says."""
        return {**super().told(table, ends), "anchors": self.anchors}

    def _with_levels(self, moments: Grouped[Moments], batch: Batch) -> Grouped[Moments]:
        if "qualities" not in batch:
            raise InvalidInput(
                "anchors 'level_means' needs the level of every row", path="fit.qualities"
            )
        qualities = batch.array("qualities")
        rated = ~np.isnan(qualities)
        keys = batch.labels("groups").take(rated).beside(level_labels(qualities[rated]))
        rows = rows_of(batch, batch.array("x"))
        return moments.update(keys, *(part[rated] for part in rows))


def _moments(statistics: Statistics) -> Grouped[Moments]:
    return cast("Grouped[Moments]", statistics["moments"])
