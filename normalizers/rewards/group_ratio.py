"""Group ratio: values in units of the mean of their cell: field and year, say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, TypeAlias, cast

import numpy as np

from normalizers.bases.group_labels import UNKNOWN
from normalizers.bases.groups import GroupNormalizer
from normalizers.bases.weighted_fit import WeightedFit, rows_of
from normalizers.contract import (
    NO_FIELDS,
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Method,
    Options,
    Statistic,
    Statistics,
    floats,
    labels,
    optional,
    param,
)
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput, NotEnoughData
from normalizers.messages import quoted_key
from normalizers.rewards.base.cell_means import cell_means
from normalizers.statistics import Grouped, Moments

Scope: TypeAlias = Literal["fitted", "request", "frozen", "batch"]
SCOPES = {"frozen": "fitted", "batch": "request"}


def read_scope(method: Method, scope: object, path: str) -> object:
    """Return the canonical word for a scope."""
    return SCOPES.get(scope, scope) if isinstance(scope, str) else scope


class GroupRatio(WeightedFit, GroupNormalizer):
    """Divide every value by the mean of its cell: y = x / mean, by one key or several.

    With cells of field and year and counts of citations it is the field- and year-normalized
    score; `mean_ratio`, the mean over the defined rows, is 1 where the cells are of these rows.

    Notes
    -----
    `scope` ``request`` takes the cells of the rows sent, ``fitted`` stored ones. A cell of mean 0
    has no ratio: missing and flagged so, or refused with `zero_denominator` ``error``. A missing
    value is left out and missing in its place. A row that stands in several cells has
    `sample_weights` that add up to 1 and one of `entries` for all its lines: its ratio is their
    weighted mean. An unknown cell is refused unless `unknown_group` says otherwise. The way back
    multiplies by the mean; of a request's own cells by `scale` of the answer. Constant cells give
    1; ties stay ties. No bit depends on the order of rows. Cost O(n log n).

    References
    ----------
    The mean normalized citation score: Waltman et al., "Towards a new crown indicator", 2011.

    Examples
    --------
    >>> from normalizers import GroupRatio
    >>> cells = [["phys", "2019"], ["phys", "2019"], ["math", "2019"]]
    >>> method = GroupRatio(scope="request", group_by=["field", "year"])
    >>> method.transform([30.0, 10.0, 4.0], groups=cells).tolist()
    [1.5, 0.5, 1.0]
    """

    name = "group_ratio"
    family = "rewards"
    kinds = ("stateless", "fitted")
    traits = replace(GroupNormalizer.traits, batch_invariant=False)
    examples = (
        Example(
            {"group_by": ["field", "year"]},
            fit={
                "x": [10.0, 0.0, 20.0, 2.0],
                "groups": [["phys", "2019"]] * 3 + [["math", "2019"]],
            },
            input={"x": [15.0, 1.0], "groups": [["phys", "2019"], ["math", "2019"]]},
        ),
        Example(
            {"scope": "request"},
            input={"x": [10.0, 0.0, 20.0], "groups": ["phys", "phys", "phys"]},
            name="request",
        ),
    )

    reference_kind = None
    higher_is_better = None
    metric = None
    anchor_set = None
    flip = None

    scope: Scope | None = param(
        default=None,
        default_value="fitted",
        read=read_scope,
        fits_when=lambda scope: scope != "request",
        affects="statistics",
        help="whose means: stored ones, or those of all rows sent (request)",
    )
    zero_denominator: Literal["missing", "error"] | None = param(
        default=None,
        default_value="missing",
        affects="answer",
        help="a cell of mean 0: a missing ratio, or refused",
    )

    @property
    def by_request(self) -> bool:
        """Whether the cells are those of the rows sent."""
        return self.scope == "request"

    @property
    def fittable(self) -> bool:
        """Whether cells are stored."""
        return not self.by_request

    @property
    def fits(self) -> Fields:  # type: ignore[override]
        """Values with their cells, and weights where their kind is named."""
        if self.by_request:
            return NO_FIELDS
        x = floats("n c", flat="column", help="values to take the mean of each cell of")
        return self.with_weights(Fields(x=x, groups=labels("n j", help="the cell of each row")))

    @property
    def takes(self) -> Fields:  # type: ignore[override]
        """Values with their cells; weights and entries of rows that stand in several."""
        return Fields(
            x=floats("m c", flat="column", help="values"),
            groups=labels("m j", help="the cell of each row, one label or several"),
            sample_weights=optional(floats("m", help="weight of each row in the means")),
            entries=optional(labels("m 1", help="one label for the lines of one row")),
        )

    @property
    def gives(self) -> Fields:  # type: ignore[override]
        """Ratios and their mean; what divided, where it is no fit's."""
        fields = Fields(
            y=floats("m c", flat="column", help="ratios"),
            mean_ratio=floats("c", help="mean of the ratios that are defined"),
        )
        if not self.by_request:
            return fields
        return fields.with_fields(scale=floats("m c", help="mean of each row's cell"))

    @property
    def inverse_takes(self) -> Fields:  # type: ignore[override]
        """Ratios, with their cells or what divided."""
        y = floats("m c", flat="column", help="ratios")
        if self.by_request:
            return Fields(y=y, scale=floats("m c", flat="column", help="mean of each row's cell"))
        return Fields(y=y, groups=labels("m j", help="the cell of each row"))

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Moments of each cell."""
        if self.by_request:
            return {}
        return {"moments": Grouped(Moments(weights=self.weight_sums), self.group_names)}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows to the moments of their cells."""
        groups = batch.labels("groups")
        self.require_names(groups)
        moments = cast("Grouped[Moments]", statistics["moments"])
        return statistics.replace(moments=moments.update(groups, *rows_of(batch, batch.array("x"))))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the mean of each cell, and what an unknown one is divided by."""
        moments = cast("Grouped[Moments]", statistics["moments"])
        keys = moments.to_arrays()["keys"]
        cells = [moments[key] for key in moments]
        means = np.stack([np.where(cell.observed > 0, cell.mean, np.nan) for cell in cells])
        if np.isnan(means).any():
            row = int(np.argmax(np.isnan(means).any(axis=1)))
            raise NotEnoughData(
                f"the cell {quoted_key(keys[row].tolist())} has no value", path="fit.groups"
            )
        unknown = np.ones(means.shape[1])
        if self.unknown_group == "global":
            unknown = moments.pooled().mean
        elif self.unknown_group == "median":
            unknown = np.median(means, axis=0)
        sizes = {"c": means.shape[1], "j": keys.shape[1]}
        return Fitted({"keys": keys, "mean": means, "unknown_mean": unknown}, sizes)

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the ratios; the parts behind them are the means of their cells."""
        x, groups = batch.array("x"), batch.labels("groups")
        weights = batch.array("sample_weights") if "sample_weights" in batch else np.ones(len(x))
        if (weights < 0).any():
            row = int(np.argmax(weights < 0))
            raise InvalidInput("a weight is negative", path=f"input.sample_weights[{row}]")
        if self.by_request:
            scale = cell_means(x, weights, groups.codes, len(groups.keys))[groups.codes]
            unknown = np.empty(0, dtype=np.int64)
        else:
            index = self.located(fitted, groups, "input.groups")
            scale = np.vstack([fitted["mean"], fitted["unknown_mean"]])[index]
            unknown = np.flatnonzero(index == UNKNOWN)
        y = self._ratios(x, scale)
        if "entries" in batch:
            entries = batch.labels("entries")
            y = cell_means(y, weights, entries.codes, len(entries.keys))[entries.codes]
        everyone = np.zeros(len(y), dtype=np.int64)
        output = {"y": y, "mean_ratio": cell_means(y, weights, everyone, 1)[0]}
        answer = Answer({**output, "scale": np.nan_to_num(scale)} if self.by_request else output)
        answer = answer.flagged("unknown_group", unknown)
        parts = {"mean": [[None if v != v else v for v in row] for row in scale.tolist()]}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the values behind ratios."""
        y = batch.array("y")
        if self.by_request:
            return Answer({"x": y * batch.array("scale")})
        index = self.located(fitted, batch.labels("groups"), "input.groups")
        scale = np.vstack([fitted["mean"], fitted["unknown_mean"]])[index]
        return Answer({"x": y * scale}).flagged("unknown_group", np.flatnonzero(index == UNKNOWN))

    def _ratios(self, x: Array, scale: Array) -> Array:
        zero = (scale == 0) & ~np.isnan(x)
        if self.zero_denominator == "error" and zero.any():
            row = int(np.argmax(zero.any(axis=1)))
            raise InvalidInput(
                "the mean of this row's cell is 0, which divides nothing",
                path=f"input.groups[{row}]",
            )
        defined = (scale != 0) & ~np.isnan(scale)
        return np.asarray(np.where(defined, x / np.where(defined, scale, 1.0), np.nan))
