"""From the columns of a file to the fields of a method."""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from normalizers.data.arrays import Array
from normalizers.messages import did_you_mean, quoted
from normalizers.validation.columns import COLUMNS
from normd.cli.errors import BadFile, Misuse
from normd.cli.files.array_writers import OFFSETS
from normd.cli.files.npy import mapped
from normd.cli.files.readers import whole
from normd.cli.files.source import source
from normd.cli.files.table import Table, require_names
from normd.cli.io.grouping import (
    QUANTILES,
    SERIES,
    Groups,
    by_step,
    channel_columns,
    is_by_series,
    is_by_step,
    quantile_columns,
    series_groups,
    series_value,
)
from normd.cli.io.naming import column_named
from normd.wire.field_specs import FieldSpec, FieldSpecs

FILE = "@"
# What the help of a field says that the way back takes from an answer.
RETURNED = "as the transform returned it"
Values = dict[str, object]


@dataclass(frozen=True)
class ColumnChoice:
    """What the caller said about columns.

    Parameters
    ----------
    columns : sequence of str
        The columns that are the main field.
    fields : mapping
        By field name: columns joined by commas, or ``@FILE``.
    lists : str, optional
        The column whose value tells the list that a row belongs to.
    """

    columns: Sequence[str] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    lists: str | None = None


@dataclass(frozen=True)
class Mapped:
    """Which columns of a file are which field, `others` being none; `groups` are its series."""

    columns: Mapping[str, Sequence[str]]
    others: Sequence[str] = ()
    groups: Groups | None = None

    @property
    def used(self) -> set[str]:
        """Every column that is a field."""
        return {name for names in self.columns.values() for name in names}


class Mapper:
    """Finds the fields of a method among the columns of files.

    Parameters
    ----------
    declared : FieldSpecs
        What the method takes here.
    choice : Choice
        What the caller said.
    """

    def __init__(self, declared: FieldSpecs, choice: ColumnChoice) -> None:
        self.declared, self.choice = declared, choice
        self._require_known(choice.fields)
        self._beside = {
            name: _from_file(declared.fields[name], said.removeprefix(FILE))
            for name, said in choice.fields.items()
            if said.startswith(FILE)
        }

    @property
    def from_files(self) -> Values:
        """The fields that other files hold."""
        return dict(self._beside)

    @property
    def along(self) -> Values:
        """The fields of other files that are the same for all rows of a fit in parts."""
        if not self.declared.summed:
            return {}
        rows = {name for names in self._parts.values() for name in names}
        return {name: value for name, value in self._beside.items() if name not in rows}

    def apart(self, names: Collection[str]) -> Values:
        """Return the fields of other files whose rows are another part than those of a table."""
        if not self.declared.summed:
            return {}
        own = {*names} - self._beside.keys()
        others = [part for part in self._parts.values() if own.isdisjoint(part)]
        apart = {name for part in others for name in part}
        return {name: value for name, value in self._beside.items() if name in apart}

    @property
    def _parts(self) -> Mapping[str, tuple[str, ...]]:
        return self.declared.parts(self.declared.fields)

    def values(self, table: Table) -> Values:
        """Return the fields that a table holds, and those of other files.

        Raises
        ------
        BadFile
            A column that is missing, or that cannot be told.
        """
        mapped = self.mapped(table)
        found = mapped.columns
        if mapped.groups is not None:
            return {**self._series_values(table, mapped, mapped.groups), **self._beside}
        starts = _list_starts(table, self.choice.lists)
        values = {
            name: _field_value(self.declared.fields[name], table, names, starts)
            for name, names in found.items()
        }
        if not table.aligned and OFFSETS in table.columns and self._is_ragged(values):
            values[OFFSETS] = table.columns[OFFSETS].numbers().astype(np.int64)  # type: ignore[union-attr]
        return {**values, **self._beside, **self._named_columns(table, found)}

    def _named_columns(self, table: Table, found: Mapping[str, Sequence[str]]) -> Values:
        """Return the names of the columns of the main field, where it has several."""
        main = self.declared.main
        names = list(found.get(main.name, ()))
        several = len(names) > 1 and len(main.axes) > 1 and not main.is_grouped
        return {COLUMNS: names} if several and table.named and table.aligned else {}

    def mapped(self, table: Table) -> Mapped:
        """Return which columns are which field."""
        found = {
            name: [said] if said in table.columns else split_columns(said)
            for name, said in self.choice.fields.items()
            if not said.startswith(FILE)
        }
        if self.choice.columns:
            whole = ",".join(self.choice.columns)
            names = [whole] if whole in table.columns else list(self.choice.columns)
            found = {self.declared.main.name: names, **found}
        for named in self.declared.values():
            free = self._free(table, found) | ({named.name} & table.columns.keys())
            column = column_named(named.name, free)
            if column is not None and named.name not in {*found, *self._beside}:
                found[named.name] = [column]
        if self.declared.main.kind == SERIES and self.choice.lists is not None:
            found |= channel_columns(self.declared, table, {*found, *self._beside})
        if quantiles := quantile_columns(self.declared, table, {**found, **self._beside}):
            found[QUANTILES] = quantiles
        self._require_columns(table, found)
        main = self._main_columns(table, found)
        if main:
            found = {self.declared.main.name: main, **found}
        self._require_fields(table, found)
        used = {name for names in found.values() for name in names}
        others = [name for name in table.columns if name not in used]
        return Mapped(found, others, series_groups(self.declared, table, self.choice.lists, found))

    def _free(self, table: Table, found: Mapping[str, Sequence[str]]) -> set[str]:
        """Return the columns that the caller has given no other part."""
        used = {name for names in found.values() for name in names}
        return {*table.columns} - used - {self.choice.lists}

    def _series_values(self, table: Table, mapped: Mapped, groups: Groups) -> Values:
        """Return the fields of a table whose rows are steps of series."""
        fields, main = self.declared.fields, self.declared.main
        values: dict[str, object] = {}
        for name, names in mapped.columns.items():
            if is_by_series(fields[name], main):
                values[name] = series_value(fields[name], table, names, groups)
                continue
            value = _field_value(fields[name], table, names, None)
            values[name] = by_step(value, groups) if is_by_step(fields[name], main) else value
        return values

    def _main_columns(self, table: Table, found: Mapping[str, Sequence[str]]) -> list[str]:
        """Return the columns that no other field has, where the main field has none yet."""
        main = self.declared.main
        if main.name in {*found, *self._beside} or self._is_complete(found):
            return []
        if not main.required and QUANTILES in {*found, *self._beside}:
            return []  # quantiles go back alone; what else stands there is not their point
        used = {name for names in found.values() for name in names}
        if self._is_part(found) and used >= {*table.columns} - {*table.index}:
            return []
        left = [
            name
            for name in table.columns
            if name not in {*used, *table.index, self.choice.lists}
            and (table.aligned or name != OFFSETS)
        ]
        require_names(table, left, used)
        if len(left) > 1 and (main.is_column or not table.aligned or not main.is_numeric):
            raise BadFile(
                table.file,
                f"which column is {quoted(main.name)} cannot be told: {', '.join(left)}; say "
                f"--field {main.name}=COLUMN",
            )
        return left

    def _is_complete(self, found: Mapping[str, object]) -> bool:
        """Return whether one of the alternatives is there without the main field."""
        there = {*found, *self._beside}
        return any(set(names) <= there for names in self.declared.one_of)

    def _is_part(self, found: Mapping[str, object]) -> bool:
        """Return whether a part of a fit is there without the main field."""
        there = {*found, *self._beside}
        return any(set(names) <= there for names in self.declared.any_of)

    def _is_ragged(self, values: Mapping[str, object]) -> bool:
        fields = self.declared.fields
        return any(fields[name].is_grouped or fields[name].kind == "series" for name in values)

    def _require_known(self, names: Mapping[str, str]) -> None:
        for name in names:
            if name not in self.declared.fields:
                raise Misuse(
                    f"--field {name}: there is no field {quoted(name)}"
                    f"{did_you_mean(name, self.declared.fields)}; known: {self.declared.names}"
                )

    def _require_columns(self, table: Table, found: Mapping[str, Sequence[str]]) -> None:
        for names in found.values():
            for name in names:
                table.column(name)
        if self.choice.lists is not None:
            table.column(self.choice.lists)

    def _require_fields(self, table: Table, found: Mapping[str, object]) -> None:
        """Refuse a table that lacks a field: the service would not know the file's columns."""
        for named in self.declared.values():
            if named.required and named.name not in {*found, *self._beside}:
                returned = self.choice.lists is not None and RETURNED in (named.help or "")
                by_list = ", or --transformed FILE, what the transform wrote" if returned else ""
                raise BadFile(
                    table.file,
                    f"there is no column {quoted(named.name)} ({named.help}); {table.known}; say "
                    f"--field {named.name}=COLUMN or --field {named.name}={FILE}FILE{by_list}",
                )


def split_columns(text: str) -> list[str]:
    """Return the columns that a text joins by commas; a name with a comma stands in quotes.

    Examples
    --------
    >>> from normd.cli.io.mapping import split_columns
    >>> split_columns('a,"b, of c"')
    ['a', 'b, of c']
    """
    return next(csv.reader([text]), [])


def _field_value(
    named: FieldSpec, table: Table, names: Sequence[str], starts: Sequence[int] | None
) -> object:
    if named.is_text:
        return _texts(named, table, names, starts)
    if named.is_numeric:
        return _numbers(named, table, names, starts)
    raise BadFile(
        table.file,
        f"{quoted(named.name)} is no column of a table; say --field {named.name}={FILE}FILE.json",
    )


def _texts(
    named: FieldSpec, table: Table, names: Sequence[str], starts: Sequence[int] | None
) -> object:
    if named.is_grouped and starts is None:
        return _nested_texts(table, names[0])
    columns = [table.column(name).texts() for name in names]
    if named.is_grouped and starts is not None:
        return _cut(columns[0], starts)
    if len(columns) == 1:
        return columns[0]
    return [list(row) for row in zip(*columns, strict=True)]


def _nested_texts(table: Table, name: str) -> object:
    values = list(table.column(name).values())
    if any(isinstance(value, list) for value in values):
        return values
    return table.column(name).texts()


def _numbers(
    named: FieldSpec, table: Table, names: Sequence[str], starts: Sequence[int] | None
) -> object:
    columns = [table.column(name).numbers() for name in names]
    if named.is_grouped and starts is not None:
        return _cut(columns[0], starts)
    if len(columns) == 1:
        return _alone(named, table, columns[0])
    return _side_by_side(named, table, names, columns)


def _alone(named: FieldSpec, table: Table, column: object) -> object:
    """Return one column; in a table with rows it is a matrix of one column where two axes are."""
    in_rows = table.aligned and list(table.columns) != [""]
    if isinstance(column, np.ndarray) and column.ndim == 1 and in_rows and len(named.axes) == 2:
        return column[:, np.newaxis]
    return column


def _side_by_side(
    named: FieldSpec, table: Table, names: Sequence[str], columns: Sequence[object]
) -> Array:
    if named.is_column:
        raise BadFile(
            table.file,
            f"{quoted(named.name)} is one column, and there are {len(names)}: {', '.join(names)}; "
            f"say --field {named.name}=COLUMN",
        )
    for name, column in zip(names, columns, strict=True):
        if not isinstance(column, np.ndarray) or column.ndim != 1:
            raise BadFile(
                table.file, f"the column {quoted(name)} holds lists, and cannot be one of several"
            )
    return np.stack(columns, axis=1)  # type: ignore[arg-type]


def _list_starts(table: Table, name: str | None) -> list[int] | None:
    """Return where each list starts, and the end of the last."""
    if name is None:
        return None
    labels = table.column(name).texts()
    starts = [row for row in range(len(labels)) if not row or labels[row] != labels[row - 1]]
    return [*starts, len(labels)]


def _cut(values: Array | Sequence[object], starts: Sequence[int]) -> list[object]:
    return [values[start:stop] for start, stop in pairwise(starts)]


def _from_file(named: FieldSpec, path: str) -> object:
    """Return a field that a file holds by itself."""
    if named.is_text or named.is_numeric:
        given = source(path)
        table = mapped(given) or whole(given)
        names = [named.name] if named.name in table.columns else list(table.columns)
        return _field_value(named, table, names, None)
    return _json(path)


def _json(path: str) -> object:
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except OSError as error:
        raise BadFile(path, f"it cannot be read: {error.strerror}") from None
    except ValueError:
        raise BadFile(path, "it is no JSON") from None
