"""Group methods of the form y = (x - loc) / scale + shift, or a fixed answer without a scale."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar, cast

import numpy as np

from normalizers.bases.group_labels import UNKNOWN
from normalizers.bases.group_moments import (
    GroupEnds,
    GroupSpreads,
    group_ends,
    group_report,
)
from normalizers.bases.grouped_fit import grouped_of
from normalizers.bases.groups import GroupNormalizer
from normalizers.contract import Answer, Batch, Fitted, Options, Statistics, param, unwrap
from normalizers.contract.constants import (
    OnConstant,
    OnFew,
    check_constant_value,
    decided_constant,
)
from normalizers.contract.lazy_report import LazyReport
from normalizers.data.arrays import Array
from normalizers.kernels.loc_scale import LocScale
from normalizers.metrics.base.group_scales import ScaleRules, group_scales
from normalizers.metrics.base.self_alignment import alignment_notices
from normalizers.statistics import Extrema, Grouped

ALL = ("all",)


class AffineGroupNormalizer(GroupNormalizer):
    """Base of the group methods that subtract a location and divide by a scale.

    A subclass says what it `keeps` and which `spreads` follow from that; statistics named
    ``extrema`` are the range of the anchors, beyond which rows are flagged. Beside ``keys`` the
    fitted arrays hold ``loc``, ``scale``, ``fixed`` (the one answer of a group, where ``is_fixed``
    is 1), ``insufficient`` and ``constant`` (0 or 1), of shape (g, c), what `words` call location
    and spread, ``shift`` where there is one, ``min`` and ``max`` where the range is kept;
    ``unknown_loc``, ``unknown_scale`` and ``unknown_shift`` (c,).
    """

    words: ClassVar[tuple[str, str]] = ("mean", "std")

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

    def check(self, path: str) -> None:
        """Refuse a constant value that no rule uses."""
        check_constant_value(self.on_constant, self.constant_value, path)

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Name the labels as the statistics do; decide what a group without spread gives."""
        decided = decided_constant(self.on_constant, self.constant_value)
        return {**super().defaults(statistics), **decided}

    def spreads(self, statistics: Statistics) -> GroupSpreads:
        """Return location and spread of every group."""
        raise NotImplementedError

    def onto(
        self, statistics: Statistics, table: GroupSpreads, scales: LocScale
    ) -> tuple[LocScale, Array | None]:
        """Return location and scale that lead to a target, and what is added last, shape (g, c)."""
        return scales, None

    @property
    def rules(self) -> ScaleRules:
        """How location and scale follow from location and spread."""
        return ScaleRules(unwrap(self.on_few), unwrap(self.on_constant), self.constant_value)

    def ends(self, statistics: Statistics, table: GroupSpreads) -> GroupEnds | None:
        """Return the range of the anchors of each group, None where it is not kept."""
        extrema = statistics.get("extrema")
        if extrema is None or extrema.is_empty:
            return None
        return group_ends(cast("Grouped[Extrema]", extrema), table.keys, table.loc.shape[1])

    def exact(self, table: GroupSpreads, ends: GroupEnds | None) -> GroupSpreads:
        """Return the spreads with what the range of each group says better."""
        return table

    def together(self, statistics: Statistics) -> Statistics:
        """Return the statistics of all groups as those of one."""
        pooled = {
            name: Grouped(part.pooled(), ALL, {ALL: part.pooled()})
            for name, part in grouped_of(statistics).items()
        }
        return statistics.replace(**pooled)

    def solve(self, statistics: Statistics) -> Fitted:
        """Return location and scale of every group."""
        table = self.spreads(statistics)
        ends = self.ends(statistics, table)
        table = self.exact(table, ends)
        scales, few = group_scales(table, self.rules)
        scales, shift = self.onto(statistics, table, scales)
        arrays = {
            **_arrays(table, scales, few, self.words),
            **({} if ends is None else ends.arrays()),
        }
        if shift is not None:
            arrays["shift"] = np.where(np.isnan(scales.fixed), shift, 0.0)
        arrays |= self._fallback(statistics, scales, arrays.get("shift"))
        sizes = {"c": table.loc.shape[1], "j": table.keys.shape[1]}
        report = LazyReport(partial(self.told, table, ends))
        return Fitted(arrays, sizes, report, alignment_notices(self.reference_kind))

    def told(self, table: GroupSpreads, ends: GroupEnds | None) -> dict[str, object]:
        """Return what the fit report says."""
        shared = {"ddof": self.rules.ddof, "reference_kind": self.reference_kind}
        groups = group_report(table, ends, self.words)
        return {
            "group_by": list(self.group_names or ("group",)),
            "reference_kind": self.reference_kind,
            "higher_is_better": self.higher_is_better,
            **self.provenance,
            "groups": [{**told, **shared} for told in groups],
        }

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return aligned scores."""
        x = batch.array("x")
        index = self.located(fitted, batch.labels("groups"), "input.groups")
        y = self._rows(fitted, index).apply(x)
        shift = _of_rows(fitted, "shift", index)
        answer = Answer({"y": y if shift is None else y + shift * self.sign})
        for name, where in _flags(fitted, index, x).items():
            answer = answer.flagged(name, np.flatnonzero(where))
        return replace(answer, explain=self._parts(fitted, index)) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return scores from aligned scores; a group that gives one number gives its location."""
        y = batch.array("y")
        index = self.located(fitted, batch.labels("groups"), "input.groups")
        shift = _of_rows(fitted, "shift", index)
        answer = Answer(
            {"x": self._rows(fitted, index).undo(y if shift is None else y - shift * self.sign)}
        )
        return answer.flagged("unknown_group", np.flatnonzero(index == UNKNOWN))

    def _fallback(
        self, statistics: Statistics, scales: LocScale, shift: Array | None
    ) -> dict[str, Array]:
        """Location, scale and shift of a group that the fit does not know."""
        width = scales.loc.shape[1]
        loc, scale, added = np.zeros(width), np.ones(width), np.zeros(width)
        if self.unknown_group == "global":
            whole = self.together(statistics)
            table = self.spreads(whole)
            table = self.exact(table, self.ends(whole, table))
            found, _ = group_scales(table, self.rules.lenient())
            found, moved = self.onto(statistics, table, found)
            loc, scale = found.loc[0], found.scale[0]
            added = added if moved is None else moved[0]
        elif self.unknown_group == "median":
            # By parameter, not one group's pair: half of the groups lie on either side of each.
            loc, scale = np.median(scales.loc, axis=0), np.median(scales.scale, axis=0)
            added = added if shift is None else np.median(shift, axis=0)
        arrays = {"unknown_loc": loc, "unknown_scale": scale}
        return arrays if shift is None else {**arrays, "unknown_shift": added}

    def _rows(self, fitted: Fitted, index: Array) -> LocScale:
        """Return location and scale of each row; -1 takes those of unknown groups."""
        loc = np.take(_table(fitted, "loc"), index, axis=0)
        scale = np.take(_table(fitted, "scale"), index, axis=0)
        marked = fitted.once("fixed", lambda: _marked(fitted))
        return LocScale(
            loc,
            scale if self.sign > 0 else -scale,
            marked[-1:] if len(marked) == 1 else np.take(marked, index, axis=0),
        )

    def _parts(self, fitted: Fitted, index: Array) -> dict[str, object]:
        used = np.unique(index[index != UNKNOWN])
        names = [name for name in ("loc", "scale", "shift") if name in fitted.arrays]
        groups = [
            {
                "keys": fitted["keys"][row].tolist(),
                **{name: fitted[name][row].tolist() for name in names},
            }
            for row in used
        ]
        return {"reference_kind": self.reference_kind, "groups": groups}


def _of_rows(fitted: Fitted, name: str, index: Array) -> Array | None:
    if fitted.get(name) is None:
        return None
    return np.take(_table(fitted, name), index, axis=0)


def _table(fitted: Fitted, name: str) -> Array:
    """Return numbers by group, those of unknown groups last: -1 takes them."""
    return fitted.once(
        ("by group", name), lambda: np.vstack([fitted[name], fitted[f"unknown_{name}"]])
    )


def _marked(fitted: Fitted) -> Array:
    """Return the one answer of each group, NaN where it has none; one row where none has."""
    none = np.full((1, len(fitted["unknown_loc"])), np.nan)
    if not fitted["is_fixed"].any():
        return none
    # Fitted arrays hold no NaN, so a mark of its own says where `fixed` counts.
    return np.vstack([np.where(fitted["is_fixed"], fitted["fixed"], np.nan), none])


def _of_some(fitted: Fitted, name: str) -> Array | None:
    """Return the groups of which this holds, None where it holds of none."""
    marks = fitted.get(name)
    if marks is None or not marks.any():
        return None
    return np.asarray(marks.any(axis=1))


def _arrays(
    table: GroupSpreads, scales: LocScale, few: Array, words: tuple[str, str]
) -> dict[str, Array]:
    arrays = {
        "keys": table.keys,
        words[0]: np.nan_to_num(table.loc),
        words[1]: np.nan_to_num(table.spread),
        "loc": scales.loc,
        "scale": scales.scale,
        "fixed": np.nan_to_num(scales.fixed),
        "is_fixed": (~np.isnan(scales.fixed)).astype(np.int64),
        "insufficient": few.astype(np.int64),
        "constant": table.degenerate.astype(np.int64),
    }
    if table.collapsed.any():
        arrays["degenerate"] = table.collapsed.astype(np.int64)
    return arrays if table.n is None else {**arrays, "n": table.n}


def _flags(fitted: Fitted, index: Array, x: Array) -> dict[str, Array]:
    known_group = index != UNKNOWN
    flags = {"unknown_group": ~known_group}
    for name in ("insufficient", "constant", "degenerate"):
        groups = fitted.once(("groups", name), partial(_of_some, fitted, name))
        if groups is not None:
            flags[name] = known_group & groups[index]
    lower, upper = fitted.get("min"), fitted.get("max")
    if lower is not None and upper is not None:
        beyond = (x < np.take(lower, index, axis=0)) | (x > np.take(upper, index, axis=0))
        flags["out_of_range"] = known_group & beyond.any(axis=1)
    return flags
