"""Plateau alignment: quality that grows with group size up to a plateau, put on one level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, cast

import numpy as np

from normalizers.bases.group_labels import UNKNOWN, shown_groups
from normalizers.bases.groups import GroupNormalizer
from normalizers.bases.weighted_fit import WeightedFit, rows_of
from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistic,
    Statistics,
    floats,
    labels,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.errors import FitError, InvalidInput, InvalidParams
from normalizers.kernels.broken_line import BrokenLine, broken_line, straight_line
from normalizers.normalizer import Normalizer
from normalizers.statistics import Grouped, Knots

HALF = 2.0  # the lower critical size is half of the upper one, by convention


@dataclass(frozen=True)
class Plateau:
    """The plateau of one group; without a break its largest fitted value."""

    level: float
    line: BrokenLine
    n_below: int
    n_above: int
    found: bool

    def told(self, key: list[str]) -> dict[str, object]:
        """Return it as the report shows it."""
        line = self.line if self.found else None
        return {
            "keys": key,
            "plateau": self.level,
            "critical_size": None if line is None else line.at,
            "lower_critical_size_by_convention": None if line is None else line.at / HALF,
            "intercept": self.line.intercept,
            "slope_below": self.line.below,
            "slope_above": None if line is None else line.above,
            "residual": self.line.residual,
            "n_below": self.n_below,
            "n_above": self.n_above,
            "found": self.found,
        }


class PlateauAlign(WeightedFit, GroupNormalizer):
    """Divide scores by the plateau of their group: y = target x / P, or y = x - P + target.

    In every group (a discipline) a continuous broken line s = c + b1 min(N, Nc) + b2 max(N - Nc, 0)
    of score s by size N is fitted by weighted least squares over all breaks Nc; P is the weighted
    mean of its values at the sizes above the break. This is our definition of an idea whose
    published formula is not known to us.

    Notes
    -----
    A plateau needs b1 > 0, b2 < b1, `min_sizes` distinct sizes on both sides and `min_rows` rows
    above the break; a group without one is refused, or with `no_plateau` ``max`` takes the largest
    fitted value, its rows flagged ``degenerate``. Rows with a missing size or score are left out of
    the fit; a missing score is missing in its place. Sizes are above 0; a transform needs none. A
    plateau that is not above 0 divides nothing and is refused for ``ratio``. An unknown group is
    refused unless `unknown_group` says otherwise. The way back is exact. Ties stay ties; constants
    need no rule. What is kept, count, weight, mean and spread of the scores at each size, merges
    exactly. Cost O(m^2) for m distinct sizes of a group.

    References
    ----------
    Kenna and Berche: "Critical mass and the dependency of research quality on group size",
    Research Evaluation 20, 2011, arXiv 1006.3863 (the idea; see above).

    Examples
    --------
    >>> from normalizers import PlateauAlign
    >>> sizes, scores = [2, 4, 6, 8, 12, 16, 20, 24], [5, 9, 13, 17, 22, 22, 22, 22]
    >>> fitted = PlateauAlign().fit(scores, groups=["physics"] * 8, sizes=sizes)
    >>> fitted.transform([11.0], groups=["physics"]).round(9).tolist()
    [0.5]
    """

    name = "plateau_align"
    family = "rewards"
    example = Example(
        fit={
            "x": [5.0, 9.0, 13.0, 17.0, 22.0, 22.0, 22.0, 22.0],
            "groups": ["physics"] * 8,
            "sizes": [2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 20.0, 24.0],
        },
        input={"x": [11.0, 22.0], "groups": ["physics", "physics"]},
    )

    reference_kind = None
    higher_is_better = None
    metric = None
    anchor_set = None
    flip = None

    variant: Literal["difference", "ratio"] | None = param(
        default=None, default_value="ratio", affects="solution", help="divided, or subtracted"
    )
    target: float | Literal["mean_plateau"] | None = param(
        default=None,
        default_value=1.0,
        affects="solution",
        help="what the plateau becomes; mean_plateau: the mean over the groups",
    )
    min_sizes: int | None = param(
        default=None,
        default_value=2,
        ge=2,
        affects="solution",
        help="distinct sizes that both sides of a break need",
    )
    min_rows: int | None = param(
        default=None,
        default_value=2,
        ge=1,
        affects="solution",
        help="rows that lie above the break",
    )
    no_plateau: Literal["error", "max"] | None = param(
        default=None,
        default_value="error",
        affects="solution",
        help="a group without a plateau: refused, or its largest fitted value",
    )
    unknown_group: Literal["error", "median", "pass"] | None = param(
        default=None,
        default_value="error",
        affects="solution",
        help="a group the fit does not know: refused, the median plateau, or passed through",
    )

    def check(self, path: str) -> None:
        """Refuse a target that no ratio leads back from."""
        if self.target == 0 and self.variant != "difference":
            raise InvalidParams("a ratio to target 0 is 0 always", path=f"{path}.target")

    @property
    def fits(self) -> Fields:  # type: ignore[override]
        """Scores with their groups and sizes, and weights where their kind is named."""
        fields = Fields(
            x=floats("n 1", flat="column", help="score of each row"),
            groups=labels("n j", help="the group (discipline) of each row"),
            sizes=floats("n", help="size of what was scored, above 0"),
        )
        return self.with_weights(fields)

    @property
    def takes(self) -> Fields:  # type: ignore[override]
        """Scores with their groups."""
        return Fields(
            x=floats("m 1", flat="column", help="scores"),
            groups=labels("m j", help="the group of each row"),
        )

    @property
    def gives(self) -> Fields:  # type: ignore[override]
        """Aligned scores."""
        return Fields(y=floats("m 1", flat="column", help="scores in units of the plateau"))

    @property
    def inverse_takes(self) -> Fields:  # type: ignore[override]
        """Aligned scores with their groups."""
        return Fields(
            y=floats("m 1", flat="column", help="aligned scores"),
            groups=labels("m j", help="the group of each row"),
        )

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The scores at each size of each group."""
        return {"knots": Grouped(Knots(), self.group_names)}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows to the knots of their groups."""
        groups, sizes = batch.labels("groups"), batch.array("sizes")
        self.require_names(groups)
        if (sizes <= 0).any():
            row = int(np.argmax(sizes <= 0))
            raise InvalidInput("a size is above 0", path=f"fit.sizes[{row}]")
        knots = cast("Grouped[Knots]", statistics["knots"])
        x, *weights = rows_of(batch, batch.array("x")[:, 0])
        return statistics.replace(knots=knots.update(groups, sizes, x, *weights))

    def report(self, batch: Batch, fitted: Fitted) -> Mapping[str, object]:
        """Return nothing that only the rows know."""
        return Normalizer.report(self, batch, fitted)

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the plateau of each group."""
        knots = cast("Grouped[Knots]", statistics["knots"])
        kept = {key: knots[key] for key in knots if not knots[key].is_empty}
        keys = np.array(list(kept), dtype=object).reshape(len(kept), -1)
        found = [self._plateau(group) for group in kept.values()]
        self._require(found, keys)
        level = np.array([plateau.level for plateau in found])
        target = level.mean() if self.target == "mean_plateau" else float(unwrap(self.target))
        told = [plateau.told(key) for plateau, key in zip(found, keys.tolist(), strict=True)]
        arrays = {
            "keys": keys,
            "plateau": level,
            "critical_size": np.array([p.line.at if p.found else 0.0 for p in found]),
            "degenerate": np.array([not p.found for p in found], dtype=np.int64),
            "target": np.asarray(target),
            "unknown_plateau": np.asarray(np.median(level)),
        }
        return Fitted(arrays, {"j": keys.shape[1]}, {"target": float(target), "groups": told})

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return aligned scores; the parts behind them are plateaus and target."""
        index = self.located(fitted, batch.labels("groups"), "input.groups")
        plateau, x = self._levels(fitted, index), batch.array("x")
        target = float(fitted["target"])
        y = x - plateau + target if self.variant == "difference" else x / plateau * target
        answer = Answer({"y": np.where(self._passed(index), x, y)})
        answer = answer.flagged("unknown_group", np.flatnonzero(index == UNKNOWN))
        lacks = (index != UNKNOWN) & (fitted["degenerate"][index] == 1)
        answer = answer.flagged("degenerate", np.flatnonzero(lacks))
        parts = {"plateau": plateau[:, 0].tolist(), "target": target}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return scores from aligned ones."""
        index = self.located(fitted, batch.labels("groups"), "input.groups")
        plateau, y = self._levels(fitted, index), batch.array("y")
        target = float(fitted["target"])
        x = y - target + plateau if self.variant == "difference" else y / target * plateau
        answer = Answer({"x": np.where(self._passed(index), y, x)})
        return answer.flagged("unknown_group", np.flatnonzero(index == UNKNOWN))

    def _levels(self, fitted: Fitted, index: Array) -> Array:
        levels = np.append(fitted["plateau"], fitted["unknown_plateau"])
        return np.asarray(levels[index][:, None])

    def _passed(self, index: Array) -> Array:
        return np.asarray((index == UNKNOWN)[:, None] & (self.unknown_group == "pass"))

    def _plateau(self, knots: Knots) -> Plateau:
        line = broken_line(knots.x, knots.mean, knots.weight, unwrap(self.min_sizes))
        if line is not None:
            above = int(knots.counts[line.upper :].sum())
            if line.below > 0 and line.above < line.below and above >= unwrap(self.min_rows):
                upper = slice(line.upper, None)
                level = np.average(line(knots.x[upper]), weights=knots.weight[upper])
                residual = line.residual + float(knots.m2.sum())
                whole = line._replace(residual=residual)
                return Plateau(float(level), whole, knots.n - above, above, found=True)
        intercept, slope = straight_line(knots.x, knots.mean, knots.weight)
        values = intercept + slope * knots.x
        rest = float(knots.weight @ np.square(knots.mean - values) + knots.m2.sum())
        plain = BrokenLine(float(knots.x[-1]), intercept, slope, 0.0, rest, len(knots.x))
        return Plateau(float(values.max()), plain, knots.n, 0, found=False)

    def _require(self, found: list[Plateau], keys: Array) -> None:
        lacking = np.array([not plateau.found for plateau in found])
        if self.no_plateau == "error" and lacking.any():
            raise FitError(
                f"no plateau: {shown_groups(keys[lacking])}; it needs scores that grow with size, "
                f"then less, and {self.min_sizes} sizes on both sides; no_plateau 'max' takes the "
                "largest fitted value",
                path="fit.groups",
            )
        low = np.array([plateau.level <= 0 for plateau in found])
        if self.variant != "difference" and low.any():
            raise FitError(
                f"a plateau that is not above 0 divides nothing: {shown_groups(keys[low])}; "
                "variant 'difference' subtracts it",
                path="fit.x",
            )
