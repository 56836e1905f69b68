"""Equipercentile linking: whole scores of every group on the scale of a reference."""

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
    Fields,
    Fitted,
    Options,
    Statistic,
    Statistics,
    Traits,
    floats,
    labels,
    param,
)
from normalizers.data.arrays import Array
from normalizers.errors import FitError, InvalidInput, InvalidParams, NotEnoughData
from normalizers.kernels.equipercentile import GridCounts, percentile_ranks, scores_of_ranks
from normalizers.metrics.base.group_tables import key_table
from normalizers.metrics.base.reference import REFERENCE, ReferencedGroups
from normalizers.metrics.base.self_alignment import alignment_notices
from normalizers.statistics import Counts, Grouped
from normalizers.statistics.total import total

COUNTS = "counts"
# A grid of a million cells is no scale of whole scores; its table would be stored with each fit.
WIDEST = 1_000_000


class LinkEquipercentile(ReferencedGroups):
    """Give whole scores of every group the percentile rank they have in a reference.

    y = G^-1(F_g(x)) on a grid of whole numbers, where the counts of a number lie evenly between
    half a unit below and above it: P(x) = F(x* - 1) + (x - (x* - 1/2)) f(x*), x* = floor(x + 1/2).
    The reference is rows in the field ``reference``, or the group that `reference_group` names.

    Notes
    -----
    The grid runs from `lower` to `upper`, by default the range of all counts; numbers that never
    occur are cells without counts. Answers lie within half a unit beyond the grid; scores beyond
    the grid of their group get its end and are flagged ``out_of_range``. Fits take whole numbers; a
    transform takes any. Missing scores are left out and missing in their place. Equal scores stay
    equal; a constant group fills one cell. An unknown group is refused, unless `unknown_group` is
    ``global``. The way back is the link of the reference to the group, exact where both have
    counts. Parts merge exactly. Cost O(n log n) for a fit, O(m log k) for k cells.

    See Also
    --------
    QuantileMap : For scores that are no whole numbers.

    References
    ----------
    Kolen and Brennan: Test Equating, Scaling, and Linking, 3rd edition, section 2.5
    (equipercentile equating).

    Examples
    --------
    >>> from normalizers import LinkEquipercentile
    >>> groups = ["form x"] * 4
    >>> fitted = LinkEquipercentile().fit([1, 2, 2, 3], groups=groups, reference=[11, 12, 12, 13])
    >>> fitted.transform([1, 2.5], groups=["form x"] * 2).tolist()
    [11.0, 12.5]
    """

    name = "link_equipercentile"
    traits = Traits(way_back="lossy", way_back_bound=1.0)
    example = Example(
        fit={
            "x": [3, 1, 4, 1, 5, 9, 2, 6],
            "groups": ["form x"] * 4 + ["form y"] * 4,
            "reference": [2, 7, 1, 8, 2, 8],
        },
        input={"x": [3, 4.5], "groups": ["form x", "form y"]},
    )

    flip = None

    lower: int | None = param(
        default=None,
        resolves="the smallest number that occurs",
        affects="solution",
        help="the first number of the grid",
    )
    upper: int | None = param(
        default=None,
        resolves="the largest number that occurs",
        affects="solution",
        help="the last number of the grid",
    )
    unknown_group: Literal["error", "global"] | None = param(
        default=None,
        default_value="error",
        affects="solution",
        help="a group the fit does not know: refused, or linked as all groups together",
    )

    @property
    def fits(self) -> Fields:  # type: ignore[override]
        """Whole scores of groups, and the reference where no group is one."""
        fields = Fields(
            x=floats("n 1", flat="column", help="whole scores"),
            groups=labels("n j", help="the group of each score, one label or several"),
        )
        if self.reference_group is not None:
            return fields
        reference = floats("r 1", flat="column", help="whole scores on the scale that is wanted")
        return fields.with_fields(reference=reference)

    @property
    def takes(self) -> Fields:  # type: ignore[override]
        """Scores with their groups."""
        groups = labels("m j", help="the group of each score")
        return Fields(x=floats("m 1", flat="column", help="scores"), groups=groups)

    @property
    def gives(self) -> Fields:  # type: ignore[override]
        """Scores on the scale of the reference."""
        return Fields(y=floats("m 1", flat="column", help="linked scores"))

    @property
    def inverse_takes(self) -> Fields:  # type: ignore[override]
        """Linked scores with their groups."""
        groups = labels("m j", help="the group of each score")
        return Fields(y=floats("m 1", flat="column", help="linked scores"), groups=groups)

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The counts of each group, and those of the reference."""
        return self.with_reference(COUNTS, Counts())

    def check(self, path: str) -> None:
        """Refuse a grid without cells, or with too many."""
        super().check(path)
        if self.lower is None or self.upper is None:
            return
        if not 0 <= self.upper - self.lower < WIDEST:
            raise InvalidParams(
                f"a grid runs from lower to upper, over at most {WIDEST} numbers",
                path=f"{path}.upper",
            )

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows to the counts of their groups; a reference is the same in every part."""
        for name in ("x", REFERENCE):
            if name in batch:
                _require_whole(batch.array(name), f"fit.{name}")
        return super().accumulate(statistics, batch)

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the counts on one grid: of the groups, of all where asked, of the reference."""
        counts: Grouped[Counts] = statistics[COUNTS]  # type: ignore[assignment]
        groups = {key: counts[key] for key in counts if not counts[key].is_empty}
        if not groups:
            raise NotEnoughData("no group has a score")
        reference = self._reference(statistics)
        every = list(groups.values())
        whole = [total(every)] if self.unknown_group == "global" else []
        grid = self._grid([*every, reference])
        table = np.stack([part.at(grid) for part in (*every, *whole, reference)])
        keys = key_table(groups)
        arrays = {"keys": keys, "lower": np.asarray(int(grid[0])), "counts": table}
        report = {
            "group_by": list(self.group_names or ("group",)),
            "reference_kind": self.reference_kind,
            "higher_is_better": self.higher_is_better,
            **self.provenance,
            "grid": [int(grid[0]), int(grid[-1])],
            "reference_n": reference.n,
            "groups": [_told(key, part) for key, part in groups.items()],
        }
        sizes = {"j": keys.shape[1]}
        return Fitted(arrays, sizes, report, alignment_notices(self.reference_kind))

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the score of the reference with the percentile rank of each score."""
        x, index = (
            batch.array("x")[:, 0],
            self.located(fitted, batch.labels("groups"), "input.groups"),
        )
        ranks = np.full(x.shape, np.nan)
        for group in np.unique(index).tolist():
            rows = index == group
            ranks[rows] = percentile_ranks(_cells(fitted, group), x[rows])
        y = scores_of_ranks(_reference_cells(fitted), ranks)
        answer = Answer({"y": y[:, None]})
        answer = answer.flagged("unknown_group", np.flatnonzero(index == UNKNOWN))
        answer = answer.flagged("out_of_range", np.flatnonzero(_beyond(fitted, x)))
        parts = {"percentile_ranks": ranks.tolist()}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the score of its group with the percentile rank of each score."""
        y, index = (
            batch.array("y")[:, 0],
            self.located(fitted, batch.labels("groups"), "input.groups"),
        )
        ranks = percentile_ranks(_reference_cells(fitted), y)
        x = np.full(y.shape, np.nan)
        for group in np.unique(index).tolist():
            rows = index == group
            x[rows] = scores_of_ranks(_cells(fitted, group), ranks[rows])
        answer = Answer({"x": x[:, None]})
        return answer.flagged("unknown_group", np.flatnonzero(index == UNKNOWN))

    def _reference(self, statistics: Statistics) -> Counts:
        grouped: Grouped[Counts] = self.reference_of(statistics, COUNTS)
        (key,) = grouped.keys
        if grouped[key].is_empty:
            raise FitError("the reference has no scores", path="fit.reference")
        return grouped[key]

    def _grid(self, parts: list[Counts]) -> Array:
        """Return the numbers of the grid."""
        first = min(float(part.bins[0]) for part in parts)
        last = max(float(part.bins[-1]) for part in parts)
        lower = first if self.lower is None else float(self.lower)
        upper = last if self.upper is None else float(self.upper)
        if first < lower or last > upper:
            raise FitError(
                f"scores run from {first:g} to {last:g}, beyond the grid from {lower:g} to "
                f"{upper:g}",
                path="params.lower" if first < lower else "params.upper",
            )
        if upper - lower >= WIDEST:
            raise FitError(
                f"the scores span {upper - lower:g}; a grid has at most {WIDEST} numbers: "
                "quantile_map takes scores of any kind",
                path="fit.x",
            )
        return np.arange(lower, upper + 1)


def _require_whole(scores: Array, path: str) -> None:
    wrong = ~np.isnan(scores) & (scores != np.floor(scores))
    if wrong.any():
        row = int(np.argmax(wrong.any(axis=1)))
        raise InvalidInput(
            "whole numbers are counted here; quantile_map takes others", path=f"{path}[{row}]"
        )


def _cells(fitted: Fitted, group: int) -> GridCounts:
    """Return the counts of a group; -1 is that of all groups, before the reference."""
    row = group if group >= 0 else len(fitted["keys"])
    return GridCounts(int(fitted["lower"]), fitted["counts"][row])


def _reference_cells(fitted: Fitted) -> GridCounts:
    return GridCounts(int(fitted["lower"]), fitted["counts"][-1])


def _beyond(fitted: Fitted, x: Array) -> Array:
    lower = float(fitted["lower"])
    upper = lower + fitted["counts"].shape[1] - 1
    return np.asarray((x < lower - 0.5) | (x > upper + 0.5))


def _told(key: tuple[str, ...], part: Counts) -> dict[str, object]:
    return {
        "keys": list(key),
        "n": part.n,
        "min": float(part.bins[0]),
        "max": float(part.bins[-1]),
    }
