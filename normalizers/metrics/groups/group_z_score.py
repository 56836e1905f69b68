"""Group z-score: scores of every group in units of that group's own mean and deviation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

import numpy as np

from normalizers.bases.group_moments import (
    LEVEL,
    GroupEnds,
    GroupMoments,
    group_ends,
    group_moments,
    group_report,
    level_labels,
    level_means,
)
from normalizers.contract import (
    Batch,
    Example,
    Fields,
    Fitted,
    Statistic,
    Statistics,
    floats,
    labels,
    optional,
    param,
    unwrap,
)
from normalizers.contract.constants import (
    OnConstant,
    OnFew,
    check_constant_value,
    decided_constant,
)
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.kernels.epsilon import EpsMode, check_eps
from normalizers.kernels.loc_scale import LocScale
from normalizers.metrics.base.group_affine import AffineGroupNormalizer
from normalizers.metrics.base.group_scales import ScaleRules, group_scales
from normalizers.metrics.base.group_statistics import require_same_rows
from normalizers.statistics import Extrema, Grouped, Moments


class GroupZScore(AffineGroupNormalizer):
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
    fits = Fields(
        x=floats("n c", flat="column", help="scores of the anchors"),
        groups=labels("n j", help="the group of each row, one label or several"),
        qualities=optional(floats("n", help="level of each anchor, for anchors: level_means")),
    )
    optional_statistics = frozenset({"extrema"})
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
    on_few: OnFew | None = param(
        default=None,
        default_value="error",
        affects="solution",
        help="a group with fewer than two anchors: refused, scale 1, zeros, or unchanged",
    )
    on_constant: OnConstant | None = param(
        default=None,
        default_value="scale_one",
        resolves="value when constant_value is named",
        affects="solution",
        help="what a group without spread gives",
    )
    constant_value: float | None = param(
        default=None,
        resolves="0 with on_constant: value",
        affects="solution",
        help="the number that a group without spread gives",
    )

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Moments by group (and level), and the range of each group."""
        names = None if self.group_by is None else tuple(self.group_by)
        by_level = (*(names or ("group",)), LEVEL)
        moments = by_level if self.anchors == "level_means" else names
        return {"moments": Grouped(Moments(), moments), "extrema": Grouped(Extrema(), names)}

    def check(self, path: str) -> None:
        """Refuse parameters that do not go together."""
        check_eps(self.eps, self.eps_mode, path)
        check_constant_value(self.on_constant, self.constant_value, path)
        if self.anchors == "level_means" and LEVEL in (self.group_by or ()):
            raise InvalidParams(f"'{LEVEL}' is added by level_means", path=f"{path}.group_by")

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Name the labels as the statistics do; decide what a group without spread gives."""
        decided = decided_constant(self.on_constant, self.constant_value)
        if statistics:
            names = list(_moments(statistics).group_by or ())
            decided["group_by"] = names[:-1] if self.anchors == "level_means" else names
        return decided

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows to the moments and the range of their groups."""
        x, groups = batch.array("x"), batch.labels("groups")
        self.require_names(groups)
        if self.anchors == "level_means":
            moments = self._with_levels(_moments(statistics), batch)
        else:
            moments = _moments(statistics).update(groups, x)
        if "extrema" not in statistics:
            return statistics.replace(moments=moments)
        extrema = cast("Grouped[Extrema]", statistics["extrema"])
        return statistics.replace(moments=moments, extrema=extrema.update(groups, x))

    def check_statistics(self, statistics: Statistics, path: str) -> None:
        """Refuse ranges that are not those of the rows behind the moments."""
        if "extrema" in statistics:
            extrema = cast("Grouped[Extrema]", statistics["extrema"])
            by_level = self.anchors == "level_means"
            require_same_rows(_moments(statistics), extrema, path, by_level=by_level)

    def report(self, batch: Batch, fitted: Fitted) -> dict[str, object]:
        """Return how many scores of each group are missing."""
        missing = np.isnan(batch.array("x"))
        groups = batch.labels("groups")
        counts = [
            np.bincount(groups.codes[column], minlength=len(groups.keys)) for column in missing.T
        ]
        told = zip(groups.keys.tolist(), np.transpose(counts).tolist(), strict=True)
        return {"missing": [{"keys": key, "missing": count} for key, count in told]}

    def solve(self, statistics: Statistics) -> Fitted:
        """Return location and scale of every group."""
        moments = _moments(statistics)
        if self.anchors == "level_means":
            moments = level_means(moments)
        table = group_moments(moments, unwrap(self.ddof))
        ends = _ends(statistics, table)
        if ends is not None and self.anchors == "scores":
            seen = ~np.isnan(ends.lower)
            # Exact ends decide where they are known: a spread near rounding may be of unequal
            # scores.
            constant = np.where(seen, ends.lower == ends.upper, table.constant)
            table = table._replace(constant=constant)
        scales, few = group_scales(table, self._rules)
        arrays = {**_arrays(table, scales, few, ends), **self._fallback(moments, scales)}
        sizes = {"c": table.mean.shape[1], "j": table.keys.shape[1]}
        return Fitted(arrays, sizes, self._report(moments, table, ends))

    @property
    def _rules(self) -> ScaleRules:
        return ScaleRules(
            self.center == "mean",
            self.scale == "std",
            unwrap(self.ddof),
            unwrap(self.eps),
            unwrap(self.eps_mode),
            unwrap(self.on_few),
            unwrap(self.on_constant),
            self.constant_value,
        )

    def _with_levels(self, moments: Grouped[Moments], batch: Batch) -> Grouped[Moments]:
        if "qualities" not in batch:
            raise InvalidInput(
                "anchors 'level_means' needs the level of every row", path="fit.qualities"
            )
        qualities = batch.array("qualities")
        rated = ~np.isnan(qualities)
        keys = batch.labels("groups").take(rated).beside(level_labels(qualities[rated]))
        return moments.update(keys, batch.array("x")[rated])

    def _report(
        self, moments: Grouped[Moments], table: GroupMoments, ends: GroupEnds | None
    ) -> dict[str, object]:
        shared = {"ddof": self.ddof, "reference_kind": self.reference_kind}
        return {
            "group_by": list(moments.group_by or ("group",)),
            "reference_kind": self.reference_kind,
            "anchors": self.anchors,
            "higher_is_better": self.higher_is_better,
            "groups": [{**told, **shared} for told in group_report(table, ends)],
        }

    def _fallback(self, moments: Grouped[Moments], scales: LocScale) -> dict[str, Array]:
        """Location and scale of a group that the fit does not know."""
        if self.unknown_group == "global":
            pooled = Grouped(Moments(), ("all",), {("all",): moments.pooled()})
            table = group_moments(pooled, unwrap(self.ddof))
            found, _ = group_scales(table, self._rules.lenient())
            loc, scale = found.loc[0], found.scale[0]
        elif self.unknown_group == "median":
            # By parameter, not one group's pair: half of the groups lie on either side of each.
            loc, scale = np.median(scales.loc, axis=0), np.median(scales.scale, axis=0)
        else:
            loc, scale = np.zeros(scales.loc.shape[1]), np.ones(scales.loc.shape[1])
        return {"unknown_loc": loc, "unknown_scale": scale}


def _moments(statistics: Statistics) -> Grouped[Moments]:
    return cast("Grouped[Moments]", statistics["moments"])


def _ends(statistics: Statistics, table: GroupMoments) -> GroupEnds | None:
    if "extrema" not in statistics or statistics["extrema"].is_empty:
        return None
    extrema = cast("Grouped[Extrema]", statistics["extrema"])
    return group_ends(extrema, table.keys, table.mean.shape[1])


def _arrays(
    table: GroupMoments, scales: LocScale, few: Array, ends: GroupEnds | None
) -> dict[str, Array]:
    arrays = {
        "keys": table.keys,
        "mean": np.nan_to_num(table.mean),
        "std": np.nan_to_num(table.std),
        "loc": scales.loc,
        "scale": scales.scale,
        "fixed": np.nan_to_num(scales.fixed),
        "is_fixed": (~np.isnan(scales.fixed)).astype(np.int64),
        "insufficient": few.astype(np.int64),
        "constant": table.degenerate.astype(np.int64),
    }
    if table.n is not None:
        arrays["n"] = table.n
    return arrays if ends is None else {**arrays, **ends.arrays()}
