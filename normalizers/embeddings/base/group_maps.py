"""Maps of groups: a mean and a matrix for each language, source or role."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal, cast

import numpy as np

from normalizers.bases.affine_maps import AffineMaps
from normalizers.bases.group_labels import (
    UNKNOWN,
    group_of_rows,
    require_distinct,
    require_names,
)
from normalizers.bases.mapped_rows import SAMPLE_ROWS
from normalizers.bases.vectors import Step, average_cosine, map_rows, missing_rows, prepared
from normalizers.bases.weighted_fit import rows_of
from normalizers.contract import (
    Answer,
    Batch,
    Fields,
    Fitted,
    Options,
    Statistics,
    labels,
    param,
)
from normalizers.contract.exports import NPZ
from normalizers.data.arrays import Array
from normalizers.data.devices import CPU_DEVICE
from normalizers.embeddings.base.softened import SoftenedCovariance
from normalizers.embeddings.base.verdict import groups_apart, verdict_on_groups
from normalizers.errors import InvalidParams, NormalizerError
from normalizers.messages import quoted_key
from normalizers.statistics import Grouped, Scatter, Statistic

OF_GROUPS = ("group_by", "unknown_group")
UNKNOWN_MAP = {"mean": "unknown_mean", "W": "unknown_W", "W_inverse": "unknown_W_inverse"}


class GroupMaps(SoftenedCovariance):
    """Base of the maps that may have a matrix for each group, all of one shape.

    Notes
    -----
    With `scope` ``group`` every row goes through the map of its group. A group that the fit does
    not know is refused; `unknown_group` ``global`` takes the map of all rows, ``pass`` none.
    """

    scope: Literal["fitted", "group"] | None = param(
        default=None,
        default_value="fitted",
        affects="statistics",
        help="whose statistics: those of all rows, or of the row's group",
    )
    group_by: list[str] | None = param(
        default=None,
        resolves="['group'] for one label a row",
        min_length=1,
        affects="statistics",
        help="with scope 'group': names of the labels; needed when a row has several",
    )
    unknown_group: Literal["error", "global", "pass"] | None = param(
        default=None,
        resolves="error, with scope 'group'",
        affects="solution",
        help="a group the fit does not know: refused, the map of all rows, or passed through",
    )

    def check(self, path: str) -> None:
        """Refuse parameters of groups without groups, and a label that is named twice."""
        named = [name for name in OF_GROUPS if getattr(self, name) is not None]
        if named and not self.by_group:
            raise InvalidParams(f"{named[0]} belongs to scope 'group'", path=f"{path}.{named[0]}")
        require_distinct(self.group_by, f"{path}.group_by")

    @property
    def by_group(self) -> bool:
        """Whether every group has a map of its own."""
        return self.scope == "group"

    @property
    def fits(self) -> Fields:
        """Rows, with their groups where there are some."""
        fields = super().fits
        if not self.by_group:
            return fields
        told = labels("n j", help="the group of each row, one label or several")
        rows = {name: field for name, field in fields.items() if name != "validation"}
        return Fields(**rows, groups=told)

    @property
    def takes(self) -> Fields:  # type: ignore[override]
        """Rows, with their groups where there are some."""
        return self._with_groups(super().takes)

    @property
    def inverse_takes(self) -> Fields:
        """Mapped vectors, with their groups where there are some."""
        fields = super().inverse_takes
        return self._with_groups(fields) if fields else fields

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The scatter of all rows, or of each group."""
        kept = super().keeps
        scatter = cast(Scatter, kept["scatter"])
        return {"scatter": Grouped(scatter, self.group_by)} if self.by_group else kept

    @property
    def exports(self) -> tuple[str, ...]:
        """The arrays alone, where there is a map for each group."""
        return (NPZ,) if self.by_group else super().exports

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Name the labels as the statistics do."""
        decided = super().defaults(statistics)
        if not self.by_group:
            return decided
        named = _scatters(statistics).group_by if statistics else None
        return {**decided, "unknown_group": "error", "group_by": list(named) if named else None}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows to the scatter of all, or of their groups."""
        if not self.by_group:
            return super().accumulate(statistics, batch)
        x, groups = batch.array("x"), batch.labels("groups")
        require_names(groups, self.group_by)
        rows = list(rows_of(batch, x))
        lost = missing_rows(x)
        if len(lost):
            kept = np.ones(len(x), dtype=bool)
            kept[lost] = False
            groups, rows = groups.take(kept), [row[kept] for row in rows]
        if self.pre is not None and self.pre != "none":
            rows[0] = prepared(rows[0].astype(np.float64), self.pre)
        return statistics.replace(scatter=_scatters(statistics).update(groups, *rows))

    def solve_groups(self, statistics: Statistics, solve: Callable[[Scatter], Fitted]) -> Fitted:
        """Return the maps of the groups one above the other, and that of a group not known."""
        kept = _scatters(statistics)
        found = [_solved(key, kept[key], solve) for key in kept]
        d = found[0].sizes["d"]
        arrays = {"keys": kept.table}
        arrays |= {name: np.stack([one[name] for one in found]) for name in UNKNOWN_MAP}
        unknown: dict[str, Array] = {"mean": np.zeros(d), "W": np.eye(d), "W_inverse": np.eye(d)}
        if self.unknown_group == "global":
            pooled = solve(kept.pooled())
            unknown = {name: pooled[name] for name in UNKNOWN_MAP}
        arrays |= {UNKNOWN_MAP[name]: array for name, array in unknown.items()}
        report = [
            {"keys": list(key), **one.report, "warnings": [w.as_dict() for w in one.warnings]}
            for key, one in zip(kept, found, strict=True)
        ]
        told: dict[str, object] = {"groups": report}
        if kept.mergeable and len(kept) > 1:
            means = np.stack([kept[key].mean for key in kept])
            n = np.array([float(kept[key].n) for key in kept])
            within = float(sum(np.trace(kept[key].scatter) for key in kept))
            apart = groups_apart(n, means, within)
            told |= {"groups_apart": apart, "verdict": verdict_on_groups(apart)}
        warnings = tuple(dict.fromkeys(noted for one in found for noted in one.warnings))
        return Fitted(arrays, {"d": d, "k": d, "j": arrays["keys"].shape[1]}, told, warnings)

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the images of the rows, of each by the map of its group where there are some."""
        if not self.by_group:
            return super().apply(fitted, batch, options)
        x = batch.array("x")
        index = group_of_rows(self, fitted, batch.labels("groups"), "input.groups")
        y, zero = np.empty_like(x), np.zeros(len(x), dtype=bool)
        pre, unit_after = cast(Step, self.pre), self.post == "l2"
        for group in np.unique(index):
            rows = index == group
            there = self._map_of(fitted, int(group)).forward(x.dtype, CPU_DEVICE)
            y[rows], zero[rows], _ = map_rows(there, x[rows], pre=pre, unit_after=unit_after)
        answer = Answer({"y": y}).flagged("zero_norm", np.flatnonzero(zero))
        answer = answer.flagged("unknown_group", np.flatnonzero(index == UNKNOWN))
        return replace(answer, explain=_parts(fitted, index)) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the vectors that give these."""
        if not self.by_group:
            return super().undo(fitted, batch, options)
        y = batch.array("y")
        index = group_of_rows(self, fitted, batch.labels("groups"), "input.groups")
        x = np.empty_like(y)
        for group in np.unique(index):
            rows = index == group
            x[rows] = self._map_of(fitted, int(group)).inverse(y.dtype, CPU_DEVICE)(y[rows])
        return Answer({"x": x}).flagged("unknown_group", np.flatnonzero(index == UNKNOWN))

    def report(self, batch: Batch, fitted: Fitted) -> dict[str, object]:
        """Return average cosines before and after, of a sample where there are groups."""
        if not self.by_group:
            return super().report(batch, fitted)
        x = batch.array("x")
        step = -(-len(x) // SAMPLE_ROWS) or 1
        groups = batch.labels("groups").take(np.arange(0, len(x), step))
        sample = Batch({"x": x[::step], "groups": groups})
        y = cast(Array, self.apply(fitted, sample, Options()).output["y"])
        return {
            "average_cosine": average_cosine(x),
            "outputs": {"n": len(y), "average_cosine": average_cosine(y)},
        }

    def _with_groups(self, fields: Fields) -> Fields:
        if not self.by_group:
            return fields
        return Fields(**fields, groups=labels("m j", help="the group of each row"))

    def _map_of(self, fitted: Fitted, group: int) -> AffineMaps:
        """Return the map of a group, made ready once."""

        def made() -> AffineMaps:
            if group == UNKNOWN:
                mean, matrix, back = (fitted[name] for name in UNKNOWN_MAP.values())
            else:
                mean, matrix, back = (fitted[name][group] for name in UNKNOWN_MAP)
            # Without a spread no mean is short beside it, so that it is subtracted first.
            return AffineMaps(mean, np.ascontiguousarray(matrix), back, 0.0)

        return fitted.once(("map", group), made)


def _solved(key: tuple[str, ...], scatter: Scatter, solve: Callable[[Scatter], Fitted]) -> Fitted:
    """Return the map of one group; what is wrong is told with its name."""
    try:
        return solve(scatter)
    except NormalizerError as error:
        error.message = f"group {quoted_key(key)}: {error.message}"
        error.args = (error.message,)
        raise


def _scatters(statistics: Statistics) -> Grouped[Scatter]:
    return cast("Grouped[Scatter]", statistics["scatter"])


def _parts(fitted: Fitted, index: Array) -> dict[str, object]:
    """Return the means of the groups that rows have."""
    used = np.unique(index[index != UNKNOWN]).tolist()
    keys, means = fitted["keys"], fitted["mean"]
    return {"groups": [{"keys": keys[g].tolist(), "mean": means[g].tolist()} for g in used]}
