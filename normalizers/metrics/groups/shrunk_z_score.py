"""Shrunk z-score: groups with few anchors borrow from all groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, cast

import numpy as np

from normalizers.bases.group_moments import GroupEnds, GroupSpreads, group_moments
from normalizers.contract import Example, Statistic, Statistics, param, unwrap
from normalizers.data.arrays import Array
from normalizers.errors import FitError, InvalidParams, NotEnoughData
from normalizers.kernels.loc_scale import LocScale
from normalizers.metrics.base.group_affine import AffineGroupNormalizer
from normalizers.metrics.base.group_scales import ScaleRules
from normalizers.statistics import Extrema, Grouped, Moments

UNWEIGHTED = "unweighted_mean_of_group_means"


class Prior(NamedTuple):
    """What a group without anchors would have: mean and variance by column, shape (c,)."""

    mean: Array
    variance: Array


class ShrunkZScore(AffineGroupNormalizer):
    """Put every group on one scale by moments that are pulled to those of all groups.

    y = (x - m_g) / s_g with w = n / (n + k), m_g = w mean_g + (1 - w) mu_0 and
    s_g^2 = ((n - 1) var_g + k s_w^2) / (n - 1 + k). mu_0 is the mean of the group means and s_w^2
    the variance within groups, unless `prior_mean` and `prior_var` say otherwise; k is `prior_n`.
    With many anchors it is `group_z_score` with ``ddof`` 1, with one anchor it works.

    Notes
    -----
    The formula is this package's own: no published one is known that it copies. The report names
    each group's weight w. Missing scores are left out of the statistics and missing in their
    place; a group whose scores are all missing is refused. Groups without spread have the spread
    of the pool. Rows beyond the anchors of their group are flagged ``out_of_range``, rows of a
    group that the fit does not know ``unknown_group``; ``global`` gives them mu_0 and s_w. Ties
    stay ties. Cost O(n log n) for a fit, O(m) for a transform.

    See Also
    --------
    GroupZScore : Without shrinkage.

    References
    ----------
    Shrinkage of means and variances: Efron, Morris, Stein's estimation rule and its competitors,
    1973; Smyth, Linear models and empirical Bayes methods, 2004.

    Examples
    --------
    >>> from normalizers import ShrunkZScore
    >>> fitted = ShrunkZScore().fit([1.0, 2.0, 3.0, 7.0], groups=["a", "a", "a", "b"])
    >>> fitted.transform([7.0], groups=["b"]).round(3).tolist()
    [2.083]
    """

    name = "shrunk_z_score"
    aliases = {"group_zscore_shrunk": {}}
    optional_statistics = frozenset({"extrema"})
    example = Example(
        fit={"x": [86.5, 80.4, 74.5, 92.5, 89.3, 85.9], "groups": ["fr"] * 3 + ["si"] * 3},
        input={"x": [80.4, 89.3], "groups": ["fr", "si"]},
    )

    prior_n: float | None = param(
        default=None, default_value=5.0, ge=0, affects="solution", help="k, in anchors"
    )
    prior_mean: Literal["unweighted_mean_of_group_means", "pooled"] | float | None = param(
        default=None,
        default_value=UNWEIGHTED,
        affects="solution",
        help="mu_0: the mean of the group means, of all anchors, or a number",
    )
    prior_var: Literal["pooled_within"] | float | None = param(
        default=None,
        default_value="pooled_within",
        affects="solution",
        help="s_w^2: the variance within groups, or a number",
    )
    on_few = None
    on_constant = None
    constant_value = None

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Moments and the range of each group."""
        names = self.group_names
        return {"moments": Grouped(Moments(), names), "extrema": Grouped(Extrema(), names)}

    def check(self, path: str) -> None:
        """Refuse a variance that is not above 0."""
        if isinstance(self.prior_var, int | float) and not self.prior_var > 0:
            raise InvalidParams("a variance is above 0", path=f"{path}.prior_var")

    @property
    def rules(self) -> ScaleRules:
        """One anchor is enough."""
        return ScaleRules("error", "error", least=1)

    def spreads(self, statistics: Statistics) -> GroupSpreads:
        """Return the shrunk mean and deviation of every group."""
        table = group_moments(cast("Grouped[Moments]", statistics["moments"]), 1)
        if table.n is None:
            raise FitError(
                "moments without 'n' cannot be shrunk: post 'n'", path="statistics.moments"
            )
        prior, k = self._prior(statistics, table), unwrap(self.prior_n)
        weight = _weights(table, k)
        mean = weight * np.nan_to_num(table.loc) + (1 - weight) * prior.mean
        m2 = np.nan_to_num(np.square(table.spread)) * np.maximum(table.n - 1, 0)
        freedom = table.n - 1 + k
        with np.errstate(invalid="ignore", divide="ignore"):
            variance = np.where(freedom > 0, (m2 + k * prior.variance) / freedom, np.nan)
        flat = ~(variance > 0)
        return GroupSpreads(table.keys, table.n, mean, np.sqrt(variance), flat)

    def told(self, table: GroupSpreads, ends: GroupEnds | None) -> dict[str, object]:
        """Return what the fit report says, the weight of each group among it."""
        found = super().told(table, ends)
        weights = _weights(table, unwrap(self.prior_n)).tolist()
        groups = cast("list[dict[str, object]]", found["groups"])
        shown = [{**group, "weight": weight} for group, weight in zip(groups, weights, strict=True)]
        return {**found, "groups": shown}

    def _fallback(
        self, statistics: Statistics, scales: LocScale, shift: Array | None
    ) -> dict[str, Array]:
        if self.unknown_group != "global":
            return super()._fallback(statistics, scales, shift)
        table = group_moments(cast("Grouped[Moments]", statistics["moments"]), 1)
        prior = self._prior(statistics, table)
        return {"unknown_loc": prior.mean, "unknown_scale": np.sqrt(prior.variance)}

    def _prior(self, statistics: Statistics, table: GroupSpreads) -> Prior:
        width = table.loc.shape[1]
        if isinstance(self.prior_mean, int | float):
            mean = np.full(width, float(self.prior_mean))
        elif self.prior_mean == "pooled":
            mean = cast("Grouped[Moments]", statistics["moments"]).pooled().mean
        else:
            mean = np.nanmean(table.loc, axis=0)
        if isinstance(self.prior_var, int | float):
            return Prior(mean, np.full(width, float(self.prior_var)))
        n = np.asarray(table.n)
        freedom = np.maximum(n - 1, 0).sum(axis=0)
        if not freedom.all():
            raise NotEnoughData(
                "no group has two anchors, so that there is no variance within groups; prior_var "
                "gives one",
                path="params.prior_var",
            )
        within = np.nan_to_num(np.square(table.spread)) * np.maximum(n - 1, 0)
        variance = within.sum(axis=0) / freedom
        if not (variance > 0).all():
            raise FitError("no group has any spread; prior_var gives one", path="params.prior_var")
        return Prior(mean, variance)


def _weights(table: GroupSpreads, k: float) -> Array:
    n = np.asarray(table.n, dtype=np.float64)
    return np.where(n + k > 0, n / np.where(n + k > 0, n + k, 1.0), 0.0)
