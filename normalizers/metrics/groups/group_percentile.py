"""Group percentile: the share of a group's anchors that a score is better than."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np

from normalizers.bases.group_labels import UNKNOWN
from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistics,
    Traits,
    floats,
    labels,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.errors import NotEnoughData
from normalizers.kernels.ecdf import Kind
from normalizers.metrics.base.group_distributions import (
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
from normalizers.metrics.base.self_alignment import alignment_notices
from normalizers.statistics import Quantiles
from normalizers.statistics.total import total


class GroupPercentile(KeptDistributions):
    """Replace a score by the share of its group's anchors that it is better than.

    With ``lt`` of a group's ``n`` anchors below and ``le`` not above: kind ``strict`` lt/n,
    ``weak`` le/n, ``mean`` (lt + le)/(2n), ``rank`` (lt + le + 1)/(2n) where the score occurs among
    them and lt/n elsewhere.

    Notes
    -----
    Equal scores get equal shares, and no strictly increasing map of the scores of a group changes
    any. Nothing is extrapolated: rows beyond the anchors of their group get 0 or 1 and are flagged
    ``out_of_range``. Missing scores are left out of the sample and missing in their place. With
    `flip` scores where lower is better turn: 1 minus the share above. A constant group gives 0.5 at
    its score (kind ``mean``). An unknown group is refused, unless `unknown_group` is ``global``:
    its rows, flagged ``unknown_group``, stand among the anchors of all groups. Stored quantiles in
    place of anchors are linear between; kind ``rank`` then needs their ``n``. Beyond the limit of
    distinct scores a group is sketched, with its proved rank error in the report. The way back is
    the quantile of the group's anchors, which is lossy. Cost O(n log n) for a fit, O(m log n).

    See Also
    --------
    Percentile : One sample for all.

    References
    ----------
    The kinds are those of ``scipy.stats.percentileofscore``, divided by 100.

    Examples
    --------
    >>> from normalizers import GroupPercentile
    >>> fitted = GroupPercentile().fit([1.0, 2.0, 2.0, 3.0], groups=["fr"] * 4)
    >>> fitted.transform([2.0, 9.0], groups=["fr", "fr"]).tolist()
    [0.5, 1.0]
    """

    name = "group_percentile"
    traits = Traits(way_back="lossy", way_back_bound=1.0)
    example = Example(
        fit={"x": [86.5, 80.4, 74.5, 92.5, 89.3, 85.9], "groups": ["fr"] * 3 + ["si"] * 3},
        input={"x": [80.4, 87.0], "groups": ["fr", "si"]},
    )

    kind: Kind | None = param(
        default=None,
        default_value="mean",
        affects="answer",
        help="what a score equal to some of the anchors gets",
    )
    unknown_group: Literal["error", "global"] | None = param(
        default=None,
        default_value="error",
        affects="solution",
        help="a group the fit does not know: refused, or among the anchors of all groups",
    )

    @property
    def gives(self) -> Fields:  # type: ignore[override]
        """Shares between 0 and 1."""
        return Fields(y=floats("m c", flat="column", help="share of the anchors below, 0..1"))

    @property
    def inverse_takes(self) -> Fields:  # type: ignore[override]
        """Shares with their groups."""
        groups = labels("m j", help="the group of each row")
        return Fields(y=floats("m c", flat="column", help="share of the anchors"), groups=groups)

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the anchors of each group."""
        groups = group_distributions(statistics)
        every = list(groups.values())
        whole = [total(every)] if self.unknown_group == "global" else []
        counted = all(part.curve is None or part.n for part in every)
        if self.kind == "rank" and not counted:
            raise NotEnoughData("kind 'rank' needs the n of the stored quantiles")
        report = {
            "group_by": list(self.group_names or ("group",)),
            "reference_kind": self.reference_kind,
            "higher_is_better": self.higher_is_better,
            **self.provenance,
            "groups": told_of_groups(groups),
        }
        told = alignment_notices(self.reference_kind)
        return replace(stored_groups(groups, *whole), report=report, warnings=told)

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the share of its group's anchors below each score."""
        x, index = batch.array("x"), self.located(fitted, batch.labels("groups"), "input.groups")
        table = stored_distributions(fitted)
        answer = Answer({"y": rows_by_group(x, index, table, self._share)})
        answer = flagged_rows(answer, index, outside(x, index, table))
        return replace(answer, explain=_counts(x, index, table)) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return a score of its group for each share, linear between the anchors."""
        y, index = batch.array("y"), self.located(fitted, batch.labels("groups"), "input.groups")
        table = stored_distributions(fitted)
        shares = 1.0 - y if self.sign < 0 else y
        beyond = (shares < 0) | (shares > 1)
        x = rows_by_group(np.clip(shares, 0.0, 1.0), index, table, scores_at)
        answer = Answer({"x": x}).flagged("unknown_group", np.flatnonzero(index == UNKNOWN))
        return answer.flagged("clipped", np.flatnonzero(beyond.any(axis=1)))

    def _share(self, part: Quantiles, rows: Array) -> Array:
        kind: Kind = unwrap(self.kind)
        if self.sign > 0:
            return part.share_below(rows, kind)
        # Better are the lower ones: those above count, and ties as the mirrored kind says.
        return 1.0 - part.share_below(rows, MIRRORED[kind])


# What counts equal values on one side counts them on the other after the scores have turned.
MIRRORED: dict[Kind, Kind] = {"strict": "weak", "weak": "strict", "mean": "mean", "rank": "rank"}


def _counts(x: Array, index: Array, table: list[Quantiles]) -> dict[str, object]:
    kinds: tuple[Kind, Kind] = ("strict", "weak")
    below, not_above = (
        rows_by_group(x, index, table, partial(Quantiles.share_below, kind=kind)) for kind in kinds
    )
    return {"below": below.tolist(), "not_above": not_above.tolist()}
