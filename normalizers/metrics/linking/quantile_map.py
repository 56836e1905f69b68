"""Quantile map: scores of every group given the distribution of a reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import numpy as np

from normalizers.bases.group_labels import UNKNOWN
from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fitted,
    Options,
    Statistic,
    Statistics,
    Traits,
    param,
)
from normalizers.data.arrays import Array
from normalizers.errors import FitError
from normalizers.kernels.ecdf import curve_quantile
from normalizers.metrics.base.group_distributions import (
    QUANTILES,
    KeptDistributions,
    flagged_rows,
    group_distributions,
    outside,
    rows_by_group,
    scores_at,
    stored_distributions,
    stored_groups,
    told_of_groups,
)
from normalizers.metrics.base.reference import ReferencedGroups
from normalizers.metrics.base.self_alignment import alignment_notices
from normalizers.statistics import Grouped, Quantiles
from normalizers.statistics.total import total


class QuantileMap(ReferencedGroups, KeptDistributions):
    """Give the scores of every group the distribution of a reference: y = G^-1(F_g(x)).

    The reference is rows in the field ``reference``, or the group that `reference_group` names.
    With `variant` ``step_cdf_interp`` Q_i is the share of the group not above its i-th distinct
    score u_i and R_j that of the reference for t_j: y(u_i) is the line through (R_j, t_j) at Q_i,
    and between two u Q is linear. With ``mid_rank`` p is the share below x, ties by half, and y the
    quantile of the reference at p, linear between its order statistics.

    Notes
    -----
    The two variants differ by half a count, which matters in small samples. Beyond the scores of
    its group a score gets what the end gets, flagged ``out_of_range``. Missing scores are left out
    and missing in their place. Equal scores stay equal. A constant group gives one number. An
    unknown group is refused, unless `unknown_group` is ``global``: then the distribution of all
    groups is mapped. Equal references of parts are kept once, different ones are refused. Stored
    quantiles in place of rows are linear between. The way back is the map of the reference to the
    group, which is lossy. Cost O(n log n) for a fit, O(m log n) for a transform.

    See Also
    --------
    LinkMeanSigma : Mean and deviation alone, which needs fewer scores.

    References
    ----------
    ``step_cdf_interp``: ``skimage.exposure.match_histograms``. ``mid_rank`` and values between two
    scores of the group: our definition.

    Examples
    --------
    >>> from normalizers import QuantileMap
    >>> fitted = QuantileMap().fit(
    ...     [1.0, 2.0, 3.0], groups=["fr"] * 3, reference=[10.0, 20.0, 40.0]
    ... )
    >>> fitted.transform([2.0, 3.0, 9.0], groups=["fr"] * 3).tolist()
    [20.0, 40.0, 40.0]
    """

    name = "quantile_map"
    aliases = {"quantile_match": {}, "histogram_match": {}}
    traits = Traits(way_back="lossy", way_back_bound=1.0)
    example = Example(
        fit={
            "x": [86.5, 80.4, 74.5, 92.5, 89.3, 85.9],
            "groups": ["fr"] * 3 + ["si"] * 3,
            "reference": [95.0, 70.0, 60.0, 80.0],
        },
        input={"x": [80.4, 89.3], "groups": ["fr", "si"]},
    )

    flip = None

    variant: Literal["step_cdf_interp", "mid_rank"] | None = param(
        default=None,
        default_value="step_cdf_interp",
        affects="answer",
        help="shares up to a score, as image tools match them; or shares below, ties by half",
    )
    unknown_group: Literal["error", "global"] | None = param(
        default=None,
        default_value="error",
        affects="solution",
        help="a group the fit does not know: refused, or mapped as all groups together",
    )

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The distribution of each group, and that of the reference."""
        return self.with_reference(QUANTILES, self.empty_quantiles)

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the distributions: of the groups, of all where it is asked, of the reference."""
        groups = group_distributions(statistics)
        reference = self._reference(statistics)
        whole = [total(list(groups.values()))] if self.unknown_group == "global" else []
        report = {
            "group_by": list(self.group_names or ("group",)),
            "reference_kind": self.reference_kind,
            "higher_is_better": self.higher_is_better,
            **self.provenance,
            "groups": told_of_groups(groups),
        }
        told = alignment_notices(self.reference_kind)
        stored = stored_groups(groups, *whole, reference)
        return replace(stored, report=report, warnings=told)

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the score of the reference that stands where each score stands in its group."""
        x, index = batch.array("x"), self.located(fitted, batch.labels("groups"), "input.groups")
        *table, reference = stored_distributions(fitted)
        shares = rows_by_group(x, index, table, self._shares)
        answer = Answer({"y": self._scores(reference, shares)})
        answer = flagged_rows(answer, index, outside(x, index, table))
        return replace(answer, explain={"shares": shares.tolist()}) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the score of its group that stands where each score stands in the reference."""
        y, index = batch.array("y"), self.located(fitted, batch.labels("groups"), "input.groups")
        *table, reference = stored_distributions(fitted)
        shares = self._shares(reference, y)
        answer = Answer({"x": rows_by_group(shares, index, table, self._scores)})
        return answer.flagged("unknown_group", np.flatnonzero(index == UNKNOWN))

    def _reference(self, statistics: Statistics) -> Quantiles:
        grouped: Grouped[Quantiles] = self.reference_of(statistics, QUANTILES)
        (key,) = grouped.keys
        reference = grouped[key]
        if reference.is_empty or np.isnan(reference.ends()[0]).any():
            raise FitError("the reference has no scores in some column", path="fit.reference")
        return reference

    def _shares(self, part: Quantiles, x: Array) -> Array:
        if self.variant == "mid_rank":
            return part.share_below(x)
        columns = []
        for at, column in enumerate(x.T):
            scores, shares = _steps(part, at)
            columns.append(curve_quantile(scores, shares, column))
        return np.stack(columns, axis=1)

    def _scores(self, part: Quantiles, shares: Array) -> Array:
        if self.variant == "mid_rank":
            return scores_at(part, shares)
        columns = []
        for at, column in enumerate(shares.T):
            scores, steps = _steps(part, at)
            columns.append(curve_quantile(steps, scores, column))
        return np.stack(columns, axis=1)


def _steps(part: Quantiles, column: int) -> tuple[Array, Array]:
    """Return the distinct scores of a column and the share of it not above each."""
    values, counts = part.column(column)
    if part.curve is None:
        cumulative = np.cumsum(counts)
        return values, cumulative / cumulative[-1]
    # The last probability of equal quantiles is the share that is not above them.
    last = np.append(values[1:] != values[:-1], True)
    return values[last], counts[last]
