"""Centring by group: a mean for each language, source or role."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import numpy as np

from normalizers.contract import Example, Fitted, Statistics, param, unwrap
from normalizers.data.arrays import Array
from normalizers.embeddings.base.centred import CentredRows
from normalizers.embeddings.base.verdict import groups_apart, verdict_on_groups
from normalizers.statistics import Grouped, Moments


class GroupCentering(CentredRows):
    """Subtract the mean of the row's group: y = x - mean_g; with `post` ``l2``, y / |y|.

    `prior_n` pulls the mean of a group towards that of all rows, by n_g / (n_g + prior_n);
    `add_global_mean` adds the mean of all rows again, so that only what sets the group apart is
    taken away.

    Notes
    -----
    A group that the fit does not know is refused; `unknown_group` ``global`` takes the mean of all
    rows, ``median`` the median over the groups, ``pass`` none, and such rows are flagged
    ``unknown_group``. A group of one row is its own mean. Two sides of a search, centred each by
    itself, are the groups ``query`` and ``gallery``. Cost O(n d).

    See Also
    --------
    Centering : one mean for all rows.

    References
    ----------
    Per-language centring: mixed-language retrieval on ``multilingual-e5-small`` rises from a mean
    average precision of 45.6 to 75.4, with one mean for all to 45.9 (measured).

    Examples
    --------
    >>> from normalizers import GroupCentering
    >>> method = GroupCentering().fit([[1.0], [3.0], [10.0]], groups=["de", "de", "en"])
    >>> method.transform([[5.0], [5.0]], groups=["de", "en"]).tolist()
    [[3.0], [-5.0]]
    """

    name = "group_centering"
    aliases = {"per_language_centering": {}, "group_center": {}}
    example = Example(
        fit={"x": [[1.0, 2.0], [3.0, 0.0], [9.0, 8.0]], "groups": ["de", "de", "en"]},
        input={"x": [[5.0, 5.0], [5.0, 5.0]], "groups": ["de", "en"]},
    )
    by_group = True
    by_request = False

    scope = None
    prior_n: float | None = param(
        default=None,
        default_value=0.0,
        ge=0,
        affects="solution",
        help="rows that the mean of all rows counts as in every group",
    )
    add_global_mean: bool | None = param(
        default=None, default_value=False, affects="solution", help="add the mean of all rows again"
    )

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the mean of each group, and what a group that is not known takes."""
        fitted = super().solve(statistics)
        kept = cast("Grouped[Moments]", statistics["moments"])
        fitted = replace(fitted, report={**fitted.report, **_apart(kept)})
        if not self.prior_n and not self.add_global_mean:
            return fitted
        found = self._moved(fitted.arrays, kept)
        return replace(fitted, arrays={**fitted.arrays, **found})

    def _moved(self, arrays: Mapping[str, Array], kept: Grouped[Moments]) -> dict[str, Array]:
        """Return the locations after the pull towards the mean of all rows, and its addition."""
        mean = kept.pooled().mean
        n = np.stack([kept[key].observed for key in kept])
        loc = mean + (arrays["loc"] - mean) * (n / (n + unwrap(self.prior_n)))
        unknown = arrays["unknown_loc"]
        if self.unknown_group == "median":
            unknown = np.median(loc, axis=0)
        if self.add_global_mean:
            loc = loc - mean
            unknown = unknown - mean if self.unknown_group in ("global", "median") else unknown
        return {"loc": loc, "unknown_loc": unknown}


def _apart(kept: Grouped[Moments]) -> dict[str, object]:
    """Return how far groups lie apart, where rows were counted and there are some groups."""
    groups = [kept[key] for key in kept]
    if len(groups) < 2 or not kept.mergeable or any(one.weights.is_weighted for one in groups):
        return {}
    n = np.array([float(np.max(one.observed, initial=0)) for one in groups])
    means = np.stack([np.where(one.observed > 0, one.mean, 0.0) for one in groups])
    apart = groups_apart(n, means, float(sum(np.sum(one.m2) for one in groups)))
    return {"groups_apart": apart, "verdict": verdict_on_groups(apart)}
