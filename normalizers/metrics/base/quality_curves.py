"""Maps from scores to quality by a curve of straight pieces for each group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np

from normalizers.contract import (
    NO_FIELDS,
    Answer,
    Batch,
    Fields,
    Fitted,
    Options,
    Statistic,
    Statistics,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.data.ragged import offsets_of
from normalizers.errors import NotEnoughData
from normalizers.kernels.monotone import OutOfBounds, piecewise_linear
from normalizers.metrics.base.group_tables import key_table
from normalizers.metrics.base.quality_maps import QualityMap
from normalizers.statistics import Grouped, Knots


@dataclass(frozen=True)
class Curve:
    """Knots of a group, and what its report says of them.

    Parameters
    ----------
    scores : array of shape (k,)
        Ascending, at least one.
    qualities : array of shape (k,)
        The height at each.
    told : mapping
        Entries of the report.
    """

    scores: Array
    qualities: Array
    told: Mapping[str, object] = field(default_factory=dict)


class QualityCurves(QualityMap):
    """Base of the maps by knots: between two of them quality is linear in the score.

    Fitted arrays: ``keys (g, j)``, ``offsets``, ``x_thresholds`` and ``y_thresholds``, the knots of
    one group after those of another, ``n (g,)``, ``min`` and ``max``.
    """

    out_of_bounds: OutOfBounds | None = param(
        default=None,
        default_value="clip",
        affects="answer",
        help="a score beyond the anchors: the end, the last line, a missing value, a refusal",
    )

    @property
    def inverse_takes(self) -> Fields:  # type: ignore[override]
        """Nothing: pools have no way back."""
        return NO_FIELDS

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The knots of each group."""
        return {"knots": Grouped(Knots(), self.group_names)}

    def curve(self, knots: Knots) -> Curve:
        """Return the curve of a group that saw anchors."""
        raise NotImplementedError

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the curve of each group."""
        knots = cast("Grouped[Knots]", statistics["knots"])
        seen = {key: knots[key] for key in knots if not knots[key].is_empty}
        if not seen:
            raise NotEnoughData("no group has an anchor with score and quality")
        curves = [self.curve(group) for group in seen.values()]
        keys, n = key_table(seen), np.array([group.n for group in seen.values()])
        told = [
            {"keys": key, "n": int(count), "knots": len(curve.scores), **_ends(curve), **curve.told}
            for key, count, curve in zip(keys.tolist(), n, curves, strict=True)
        ]
        if self.unknown_group == "global":
            curves.append(self.curve(knots.pooled()))
        arrays = {
            "keys": keys,
            "n": n,
            "offsets": offsets_of([len(curve.scores) for curve in curves]),
            "x_thresholds": np.concatenate([curve.scores for curve in curves]),
            "y_thresholds": np.concatenate([curve.qualities for curve in curves]),
            "min": np.array([curve.scores[0] for curve in curves]),
            "max": np.array([curve.scores[-1] for curve in curves]),
        }
        advice = "anchor_linear with slope_prior 'pooled' leans on all groups"
        sizes = {"j": keys.shape[1]}
        return Fitted(arrays, sizes, self.told_of(told), self.notices_of(keys, n, advice))

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the height of its group's curve at each score."""
        x, index = batch.array("x")[:, 0], self.places(fitted, batch)
        out_of_bounds: OutOfBounds = unwrap(self.out_of_bounds)
        y = np.full(x.shape, np.nan)
        for group in np.unique(index).tolist():
            rows = index == group
            y[rows] = piecewise_linear(*_knots(fitted, group), x[rows], out_of_bounds)
        beyond = self.beyond(fitted, index, x)
        answer = self.flagged(Answer({"y": y[:, None]}), index, beyond, out_of_bounds)
        return replace(answer, explain=_parts(fitted, index)) if options.explain else answer


def _knots(fitted: Fitted, group: int) -> tuple[Array, Array]:
    """Return the knots of a group; -1 is the last one, that of all groups together."""
    offsets = fitted["offsets"]
    end = len(offsets) - 1 if group < 0 else group + 1
    part = slice(offsets[end - 1], offsets[end])
    return fitted["x_thresholds"][part], fitted["y_thresholds"][part]


def _ends(curve: Curve) -> dict[str, object]:
    return {"min": float(curve.scores[0]), "max": float(curve.scores[-1])}


def _parts(fitted: Fitted, index: Array) -> dict[str, object]:
    keys = fitted["keys"].tolist()
    groups = []
    for group in np.unique(index).tolist():
        scores, qualities = (part.tolist() for part in _knots(fitted, group))
        key = "all groups together" if group < 0 else keys[group]
        groups.append({"keys": key, "x_thresholds": scores, "y_thresholds": qualities})
    return {"groups": groups}
