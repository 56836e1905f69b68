"""Maps of each column by what was measured of it: stored, of the rows sent, or by group."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Generic, Literal, TypeAlias, TypeVar, cast

import numpy as np

from normalizers.bases.columns.groups import scales_of_rows, unknown_arrays
from normalizers.bases.columns.scales import ColumnScales, Measured, ScaleRules, shown_columns
from normalizers.bases.group_labels import (
    UNKNOWN,
    UnknownGroup,
    group_of_rows,
    require_distinct,
    require_names,
    shown_groups,
)
from normalizers.bases.weighted_fit import rows_of
from normalizers.contract import (
    NO_FIELDS,
    Answer,
    Batch,
    Fields,
    Fitted,
    Method,
    Notice,
    Options,
    Statistic,
    Statistics,
    Traits,
    floats,
    labels,
    notice,
    param,
)
from normalizers.contract.method import Kind
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.kernels.loc_scale import restore
from normalizers.normalizer import Normalizer
from normalizers.statistics import Grouped
from normalizers.statistics.base.stacking import Stackable

Scope: TypeAlias = Literal["fitted", "request", "group", "frozen", "batch"]
SCOPE_ALIASES = {"frozen": "fitted", "batch": "request"}
KEYS = "keys"
OF_GROUPS = ("group_by", "unknown_group")
Seen = TypeVar("Seen", bound=Stackable)


def read_scope(method: Method, scope: object, path: str) -> object:
    """Return the canonical word for a scope."""
    return SCOPE_ALIASES.get(scope, scope) if isinstance(scope, str) else scope


class ColumnMap(Normalizer, Generic[Seen]):
    """Base of the methods that map each column by itself: y = (x - loc) / scale.

    A subclass says what is kept of a column and what is measured in it; scopes, groups, missing
    values, flags and the way back follow.

    Notes
    -----
    `scope` says whose numbers a column is mapped by: stored ones (``fitted``), those of the rows
    sent (``request``, which the answer carries as `loc` and `scale` for the way back) or those of
    the row's group (``group``, by `groups`). A missing value is refused; with ``omit`` it is left
    out of the statistics and stays missing in its place. Rows may have axes of their own,
    ``(n, t, c)``: they count as rows, and the answer has them again. A flat list is one column, or
    one row where the fit has several.
    """

    family = "embeddings"
    kinds: ClassVar[tuple[Kind, ...]] = ("fitted",)

    scope: Scope | None = param(
        default=None,
        default_value="fitted",
        read=read_scope,
        fits_when=lambda scope: scope != "request",
        affects="statistics",
        help="whose statistics: stored ones, those of all rows sent (request), or of the group",
    )
    group_by: list[str] | None = param(
        default=None,
        resolves="['group'] for one label a row",
        min_length=1,
        affects="statistics",
        help="with scope 'group': names of the labels; needed when a row has several",
    )
    unknown_group: UnknownGroup | None = param(
        default=None,
        resolves="error, with scope 'group'",
        affects="solution",
        help="a group the fit does not know: refused, statistics of all rows, medians over the "
        "groups, or passed through",
    )
    nan_policy: Literal["reject", "omit"] | None = param(
        default=None,
        default_value="reject",
        affects="answer",
        help="a missing value: refused, or left out and missing in its place",
    )
    inf_policy: Literal["as_nan", "reject"] | None = param(
        default=None,
        default_value="as_nan",
        affects="answer",
        help="an infinite value: as a missing one, or refused",
    )

    @property
    @abstractmethod
    def statistic(self) -> Seen:  # a class attribute where no parameter changes it
        """What is kept of the columns, empty."""

    @abstractmethod
    def measured(self, seen: Seen) -> Measured:
        """Return location and scale of columns from what was kept of them."""

    @property
    def rules(self) -> ScaleRules:
        """What there is where columns have no scale."""
        return ScaleRules()

    def pooled(self, seen: Seen) -> Seen:
        """Return what columns are measured by, of what was kept of them: that itself."""
        return seen

    def finish(self, y: Array) -> Array:
        """Return what is done with the values in the end: nothing."""
        return y

    def check(self, path: str) -> None:
        """Refuse parameters of groups without groups, and a label that is named twice."""
        named = [name for name in OF_GROUPS if getattr(self, name, None) is not None]
        if named and not self.by_group:
            raise InvalidParams(f"{named[0]} belongs to scope 'group'", path=f"{path}.{named[0]}")
        require_distinct(self.group_by, f"{path}.group_by")

    @property
    def by_group(self) -> bool:
        """Whether every group has numbers of its own."""
        return self.scope == "group"

    @property
    def by_request(self) -> bool:
        """Whether the rows sent are measured themselves."""
        return self.scope == "request"

    @property
    def traits(self) -> Traits:  # type: ignore[override]
        """Rows depend on each other only where they are measured together."""
        return Traits(
            batch_invariant=not self.by_request,
            flag_axes=(0, 1),
            column_flags=frozenset({"constant", "insufficient"}),
        )

    @property
    def fits(self) -> Fields:
        """Rows, with their groups where there are some."""
        rows = floats("n d", flat="either", leading=True, help="rows to measure the columns of")
        return self._with_groups("n", x=rows) if not self.by_request else NO_FIELDS

    @property
    def takes(self) -> Fields:
        """Rows with the columns of the fit."""
        rows = floats("m d", flat="either", leading=True, help="rows of columns")
        return self._with_groups("m", x=rows)

    @property
    def gives(self) -> Fields:
        """The rows mapped; what was measured in them, where it is no fit's."""
        rows = floats("m d", flat="either", leading=True, help="mapped rows")
        if not self.by_request:
            return Fields(y=rows)
        return Fields(
            y=rows,
            loc=floats("d", help="what was subtracted from each column"),
            scale=floats("d", help="what divided each column"),
        )

    @property
    def inverse_takes(self) -> Fields:
        """What the transform gave, with the groups of the rows where there are some."""
        return self._with_groups("m", **self.gives)

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """What is kept of all rows, or of the rows of each group."""
        seen = self.statistic
        return {seen.name: Grouped(seen, self.group_by) if self.by_group else seen}

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Name the labels as the statistics do."""
        if not self.by_group:
            return {}
        kept = cast("Grouped[Seen]", self._kept(statistics)) if statistics else None
        names = list(kept.group_by or ()) if kept is not None else None
        return {"unknown_group": "error", "group_by": names or None}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows to what is kept of them."""
        kept, rows_added = self._kept(statistics), rows_of(batch, batch.array("x"))
        if not self.by_group:
            return statistics.replace(**{kept.name: cast(Seen, kept).update(*rows_added)})
        rows = batch.labels("groups")
        require_names(rows, self.group_by)
        grouped = cast("Grouped[Seen]", kept)
        return statistics.replace(**{kept.name: grouped.update(rows, *rows_added)})

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the map of each column, or of each column of each group."""
        kept = self._kept(statistics)
        if self.by_group:
            return self._solve_groups(cast("Grouped[Seen]", kept))
        scales = self._scales([cast(Seen, kept)]).each(lambda array: array[0])
        dead = np.flatnonzero(scales.constant).tolist()
        report = {"dead_dims": dead} if "on_constant" in self.parameters else {}
        return Fitted(scales.arrays(), {"d": len(scales.constant)}, report, _dead(dead))

    def of_columns(self, fitted: Fitted, columns: Sequence[int]) -> Fitted | None:
        """Return the map of some columns alone: each has numbers of its own."""
        if self.by_request:
            return None
        places = np.asarray(columns, dtype=np.intp)
        width = fitted.sizes["d"]
        taken = {
            name: array[..., places] if name != KEYS and array.shape[-1:] == (width,) else array
            for name, array in fitted.arrays.items()
        }
        return Fitted(taken, {**fitted.sizes, "d": len(places)})

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the mapped rows; the parts behind them are locations and scales."""
        x = batch.array("x")
        scales, flags = self._scales_here(fitted, batch, x)
        answer = Answer({"y": self.finish(scales.map.apply(x))})
        if self.by_request:
            plain = scales.map.plain()
            answer = replace(
                answer, output={**answer.output, "loc": plain.loc, "scale": plain.scale}
            )
        for name, places in flags.items():
            answer = answer.flagged(name, places)
        if not options.explain:
            return answer
        parts = {"loc": scales.map.loc.tolist(), "scale": scales.map.scale.tolist()}
        return replace(answer, explain=parts)

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the rows behind mapped ones; a column that gives one number gives its location."""
        y = batch.array("y")
        if self.by_request:
            return Answer({"x": restore(y, batch.array("loc"), batch.array("scale"))})
        scales, flags = self._scales_here(fitted, batch, y)
        unknown = flags.get("unknown_group", np.empty(0, dtype=np.int64))
        return Answer({"x": scales.map.undo(y)}).flagged("unknown_group", unknown)

    def _with_groups(self, rows: str, **fields: object) -> Fields:
        if self.by_group:
            label = labels(f"{rows} j", help="the group of each row, one label or several")
            fields = {**fields, "groups": label}
        return Fields(**fields)  # type: ignore[arg-type]

    def _kept(self, statistics: Statistics) -> Statistic:
        return statistics[self.statistic.name]

    def _scales(self, sets: Sequence[Seen], keys: Array | None = None) -> ColumnScales:
        """Return the scales of sets of rows, shape (g, c); `keys` are their groups."""

        def told(where: Array) -> str:
            if keys is None:
                return shown_columns(where)
            return f"groups {shown_groups(keys[where.any(axis=1)])}"

        sets = [self.pooled(seen) for seen in sets]
        measured = [_with_constant(self.measured(seen), seen) for seen in sets]
        return self.rules.scales(measured, [_observed(seen) for seen in sets], told)

    def _solve_groups(self, kept: Grouped[Seen]) -> Fitted:
        keys = kept.table
        scales = self._scales([kept[key] for key in kept], keys)
        pooled = None
        if self.unknown_group == "global":
            whole = self.pooled(kept.pooled())
            measured = [_with_constant(self.measured(whole), whole)]
            pooled = self.rules.lenient().scales(measured, [None], shown_columns).map
            pooled = pooled.each(lambda array: array[0])
        arrays = {
            "keys": keys,
            **scales.arrays(),
            **unknown_arrays(scales, self.unknown_group, pooled),
        }
        return Fitted(arrays, {"d": scales.constant.shape[1], "j": keys.shape[1]})

    def _scales_here(
        self, fitted: Fitted, batch: Batch, x: Array
    ) -> tuple[ColumnScales, dict[str, Array]]:
        """Return the scales that `x` is mapped by, and what is flagged for it."""
        if self.by_group:
            labels = batch.labels("groups")
            index = group_of_rows(self, fitted, labels, "input.groups")
            scales = scales_of_rows(fitted, index)
            odd = (scales.constant | scales.few).any(axis=1)
            return scales, {
                "unknown_group": np.flatnonzero(index == UNKNOWN),
                "degenerate": np.flatnonzero(odd),
            }
        if self.by_request:
            # Sorted, for no bit may depend on the order of the rows.
            seen = self.statistic.update(np.sort(x, axis=0))
            scales = self._scales([seen]).each(lambda array: array[0]) if len(x) else _none(x)
        else:
            return fitted.once("columns", lambda: _with_flags(ColumnScales.of(fitted)))
        return _with_flags(scales)


def _with_flags(scales: ColumnScales) -> tuple[ColumnScales, dict[str, Array]]:
    """Return the scales, and which columns are flagged for what they lack."""
    flags = {
        "constant": np.flatnonzero(scales.constant & ~scales.few),
        "insufficient": np.flatnonzero(scales.few),
    }
    return scales, {name: places for name, places in flags.items() if len(places)}


def _none(x: Array) -> ColumnScales:
    """Return the scales of no rows."""
    nothing = np.zeros(x.shape[1])
    made = ScaleRules().scales([Measured(nothing, None, nothing > 0)], [None], shown_columns)
    return made.each(lambda array: array[0])


def _with_constant(measured: Measured, seen: Stackable) -> Measured:
    if measured.constant is not None:
        return measured
    return measured._replace(constant=np.asarray(seen.constant))  # type: ignore[attr-defined]


def _observed(seen: Stackable) -> Array | None:
    """Return how many values of each column were observed; None where it is not known."""
    return cast(Array, seen.observed) if seen.mergeable else None  # type: ignore[attr-defined]


def _dead(columns: Sequence[int]) -> tuple[Notice, ...]:
    if not columns:
        return ()
    return (notice("dead_dims", "some columns have no spread; see dead_dims", count=len(columns)),)
