"""Power transform: columns by the powers that make them most likely normal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, cast

import numpy as np

from normalizers.bases.columns.scaled import ScaledColumnMap
from normalizers.bases.columns.scales import Measured
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
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.errors import FitError, InvalidInput, position_text
from normalizers.kernels import power, power_fit
from normalizers.statistics import Moments, Sample

MAPS = {
    "yeo_johnson": (power.yeo_johnson, power.yeo_johnson_back, power_fit.yeo_johnson_power),
    "box_cox": (power.box_cox, power.box_cox_back, power_fit.box_cox_power),
}


class PowerTransform(ScaledColumnMap[Moments]):
    """Transform columns by powers: y = (f(x) - mean) / deviation of f, the power of f fitted.

    f is that of Yeo and Johnson, or with `variant` ``box_cox``, for positive values, that of Box
    and Cox. The power of each column is the one under which its values are most likely normal.

    Notes
    -----
    Powers are searched within -5..5. A column of one value takes the power 1. Rows with a missing
    value are left out of a fit. No sums tell the power: the fit keeps its rows, up to
    `sample_limit`, and merges exactly that far. Ties keep equal values; the map is monotone. On the
    way back a value that no input gives is missing and flagged ``out_of_range``. Box-Cox refuses
    values that are not above 0. Cost O(n) for each of some 250 powers a column.

    See Also
    --------
    box_cox, yeo_johnson : with a stated power, on series.

    References
    ----------
    Box, Cox, 1964; Yeo, Johnson, 2000; ``sklearn.preprocessing.PowerTransformer``.

    Examples
    --------
    >>> from normalizers import PowerTransform
    >>> method = PowerTransform(variant="box_cox").fit([[1.0], [10.0], [100.0]])
    >>> method.transform([[1.0], [100.0]]).round(3).tolist()
    [[-1.225], [1.225]]
    """

    name = "power_transform"
    aliases = {"power": {}}
    example = Example(
        fit={"x": [[0.4, 5.0], [1.3, 2.0], [0.1, 8.0], [2.6, 1.0], [0.8, 3.0]]},
        input={"x": [[0.5, 4.0]]},
    )
    statistic = Moments()

    scope = None
    group_by = None
    unknown_group = None
    channel_groups = None  # a power is that of its column
    variant: Literal["yeo_johnson", "box_cox"] | None = param(
        default=None, default_value="yeo_johnson", affects="solution", help="which family of powers"
    )
    standardize: bool | None = param(
        default=None,
        default_value=True,
        affects="solution",
        help="mean 0 and deviation 1 after the power",
    )
    ddof: int | None = param(
        default=None, default_value=0, ge=0, affects="solution", help="of the deviation"
    )
    sample_limit: int | None = param(
        default=None,
        default_value=Sample.ROW_LIMIT,
        affects="statistics",
        ge=1,
        help="rows that a fit keeps; more are refused",
    )

    @property
    def traits(self) -> Traits:  # type: ignore[override]
        """Values rise with their inputs."""
        return replace(super().traits, monotone=True)

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The rows themselves."""
        return {"sample": Sample(["x"], self.sample_limit or Sample.ROW_LIMIT)}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Keep the rows of a batch."""
        sample = cast(Sample, statistics["sample"])
        return statistics.replace(sample=sample.update(batch.array("x")))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the power of each column, and the moments of its transform."""
        rows = _table(cast(Sample, statistics["sample"])["x"])
        lowest = rows.min(axis=0)
        if self.variant == "box_cox" and (lowest <= 0).any():
            column = int(np.argmax(lowest <= 0))
            raise FitError(
                f"column {column} holds a value that is not above 0, and Box-Cox takes no other; "
                "variant 'yeo_johnson' does",
                path="fit.x",
            )
        _, _, likeliest = MAPS[unwrap(self.variant)]
        powers = np.array(
            [1.0 if column.min() == column.max() else likeliest(column) for column in rows.T]
        )
        kept = Moments().update(self._powered(rows, powers))
        fitted = super().solve(Statistics({"moments": kept}))
        report = {**fitted.report, "lambdas": powers.tolist()}
        return replace(fitted, arrays={**fitted.arrays, "lambdas": powers}, report=report)

    def measured(self, seen: Moments) -> Measured:
        """Return mean and deviation of the powers, unless they stay as they are."""
        if not self.standardize:
            return Measured(np.zeros_like(seen.mean))
        return Measured(seen.mean, seen.std(unwrap(self.ddof)))

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the transformed rows."""
        x = batch.array("x")
        if self.variant == "box_cox":
            _require_positive(x, batch)
        powered = batch.replace(x=self._powered(x, fitted["lambdas"]))
        answer = super().apply(fitted, powered, options)
        if not options.explain:
            return answer
        parts = cast("Mapping[str, object]", answer.explain)
        return replace(answer, explain={**parts, "lambdas": fitted["lambdas"].tolist()})

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the rows behind transformed ones."""
        answer = super().undo(fitted, batch, options)
        powered = cast(Array, answer.output["x"])
        _, back, _ = MAPS[unwrap(self.variant)]
        x = back(powered, fitted["lambdas"])
        lost = (np.isnan(x) & ~np.isnan(powered)).any(axis=1)
        answer = replace(answer, output={**answer.output, "x": x})
        return answer.flagged("out_of_range", np.flatnonzero(lost))

    def _powered(self, x: Array, powers: Array) -> Array:
        return MAPS[unwrap(self.variant)][0](x, powers)


def _table(rows: Array) -> Array:
    """Return rows of columns; posted rows of one column may be a flat list."""
    return rows[:, np.newaxis] if rows.ndim == 1 else rows


def _require_positive(x: Array, batch: Batch) -> None:
    wrong = np.argwhere(x <= 0)
    if len(wrong):
        place = "input.x" + position_text(batch.form("x").as_written(wrong[0].tolist()))
        raise InvalidInput("Box-Cox takes values above 0", path=place)
