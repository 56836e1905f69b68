"""Files as the fields of requests: block by block, or whole where rows belong together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from normalizers.errors import relocated
from normd.cli.files.column import ArrayColumn, Column
from normd.cli.files.piece import Cells
from normd.cli.files.readers import blocks
from normd.cli.files.source import Source
from normd.cli.files.table import Table, joined, whole_lists
from normd.cli.io.grouping import SERIES, Groups
from normd.cli.io.mapping import ColumnChoice, Mapper, Values
from normd.cli.io.transformed import Transformed
from normd.wire.field_specs import FieldSpecs

# Layouts of series whose first axis is windows.
WINDOWS_FIRST = (None, "NTC", "NCT", "NT")
SERIES_AXES = 3
# A row of a request: ``input.x[3]``.
PLACE = re.compile(r"\b((?:input|fit)\.\w+)\[(\d+)\]")


@dataclass(frozen=True)
class Block:
    """Some rows as the fields of one request.

    Parameters
    ----------
    values : mapping
        The fields by name.
    kept : mapping
        Columns that stand beside the answer: texts, and what is no field.
    names : sequence of str
        The columns of the main field, where the file names them.
    rows : int
        How many rows it is.
    grouped : bool
        Whether a column told which list each row belongs to.
    columns : mapping
        The columns of each field, where the file names them.
    order : sequence of str
        All columns as they stand in the file.
    groups : Groups, optional
        Which rows each series has, where rows are steps.
    numbers : mapping
        Columns that are fields of numbers: the answer stands in their stead.
    """

    values: Values
    kept: Mapping[str, Cells]
    names: Sequence[str]
    rows: int
    grouped: bool = False
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    order: Sequence[str] = ()
    groups: Groups | None = None
    numbers: Mapping[str, Column] = field(default_factory=dict)


class Reader:
    """Reads files for what takes them.

    Parameters
    ----------
    declared : FieldSpecs
        The fields that are taken.
    choice : Choice
        What the caller said about columns.
    layout : str, optional
        Order of axes of series.
    transformed : Transformed, optional
        What stands beside each row of a table, by its list.
    """

    def __init__(
        self,
        declared: FieldSpecs,
        choice: ColumnChoice,
        layout: str | None = None,
        transformed: Transformed | None = None,
    ) -> None:
        self.declared, self.choice, self.layout = declared, choice, layout
        self.transformed = transformed
        self.mapper = Mapper(declared, choice)

    def blocks(self, sources: Sequence[Source], *, cut: bool) -> Iterator[Block]:
        """Yield the rows of files, cut into blocks where they may be.

        Parameters
        ----------
        sources : sequence of Source
            The files; none where other files hold every field.
        cut : bool
            Whether rows may be answered apart from each other.
        """
        if not sources:
            yield Block(self.mapper.from_files, {}, (), 0)
            return
        found = self._read(sources, cut=cut)
        yield from self._by_part(found) if self.mapper.from_files else found

    def _by_part(self, found: Iterator[Block]) -> Iterator[Block]:
        """Yield blocks; what other files hold of another part counts once, not with every block."""
        first = next(found)
        apart = self.mapper.apart(first.values)
        second = next(found, None) if apart else None
        rest = chain([first], [second] if second is not None else [], found)
        if second is None:
            yield from rest
            return
        for block in rest:
            own = {name: value for name, value in block.values.items() if name not in apart}
            yield replace(block, values=own)
        values = {**self.mapper.along, **apart}
        yield Block(values, {}, (), max(map(_rows, apart.values())))

    def _read(self, sources: Sequence[Source], *, cut: bool) -> Iterator[Block]:
        for given in sources:
            tables = blocks(given)
            if self.transformed is not None:
                tables = map(self.transformed.beside, tables)
            first = next(tables)
            rest = chain([first], tables)
            if cut and self._may_be_cut(first):
                yield from map(self._block, self._tables(rest))
            else:
                yield self._block(joined(self._tables(rest)))

    def _tables(self, tables: Iterable[Table]) -> Iterable[Table]:
        # Steps of series may lie anywhere in the file, which is read whole.
        if self.choice.lists is None or self.declared.main.kind == SERIES:
            return tables
        return whole_lists(tables, self.choice.lists)

    def _block(self, table: Table) -> Block:
        mapped = self.mapper.mapped(table)
        values = self.mapper.values(table)
        numeric = {
            column
            for name, columns in mapped.columns.items()
            if not self.declared.fields[name].is_text
            for column in columns
        }
        named = table.columns if table.aligned and table.named else {}
        kept = {name: column.values() for name, column in named.items() if name not in numeric}
        grouped = self.choice.lists is not None
        main = mapped.columns.get(self.declared.main.name, ()) if table.named else ()
        return Block(
            values,
            kept,
            main if table.aligned else (),
            len(table),
            grouped,
            mapped.columns if table.named and table.aligned else {},
            list(table.columns),
            mapped.groups,
            {name: column for name, column in named.items() if name in numeric},
        )

    def _may_be_cut(self, first: Table) -> bool:
        """Return whether every row of the file is a row, list or window by itself."""
        apart = self.mapper.apart(self.mapper.mapped(first).columns)
        if not first.aligned or self.mapper.from_files.keys() - {*apart, *self.mapper.along}:
            return False
        main = self.declared.main
        if main.is_grouped:
            return self.choice.lists is not None or self._holds_lists(first)
        if main.kind == SERIES:
            return self.layout in WINDOWS_FIRST and _axes(first) == SERIES_AXES
        return list(first.columns) != [""] or _axes(first) > 1

    def _holds_lists(self, first: Table) -> bool:
        """Return whether each row of the main field is a list; a column beside it may hold some."""
        names = self.mapper.mapped(first).columns.get(self.declared.main.name, first.columns)
        return any(first.columns[name].has_lists for name in names)


def relocated_rows(start: int) -> AbstractContextManager[None]:
    """Name places as they stand in the whole file, of which a block begins at this row."""
    return relocated(
        lambda text: PLACE.sub(lambda found: f"{found[1]}[{int(found[2]) + start}]", text),
        in_message=True,
    )


def _rows(value: object) -> int:
    return len(value) if isinstance(value, Sized) else 0


def _axes(table: Table) -> int:
    """Return the number of axes of the array of a file, 2 for a table."""
    column = next(iter(table.columns.values()))
    if isinstance(column, ArrayColumn):
        return column.array.ndim
    numbers = column.numbers() if list(table.columns) == [""] else None
    return numbers.ndim if isinstance(numbers, np.ndarray) else 2
