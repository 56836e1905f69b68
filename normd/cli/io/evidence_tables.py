"""Evidence of an evaluation in the columns of a table: what is measured, by its declaration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from normalizers.contract.fields import Field, Fields
from normalizers.evaluation.evidence import Evidence
from normalizers.evaluation.table import evidences
from normalizers.measures.table import measures, read_measure
from normd.cli.errors import Misuse
from normd.cli.files.readers import whole
from normd.cli.files.source import Source
from normd.cli.files.table import Table, joined, whole_lists
from normd.cli.io.mapping import ColumnChoice, Mapper, Values
from normd.cli.io.naming import column_named
from normd.wire.descriptions import field_specs
from normd.wire.field_specs import NUMBER_KINDS, TEXT_KINDS

# What a column, or a file beside the table, can be.
COLUMN_KINDS = TEXT_KINDS | NUMBER_KINDS


class EvidenceTable:
    """A table whose columns are the members of one kind of evidence.

    Parameters
    ----------
    given : Source
        The file.
    choice : ColumnChoice
        What the caller said about columns.
    asked : sequence of str
        The measures: they tell which kind is meant where columns alone do not.
    """

    def __init__(self, given: Source, choice: ColumnChoice, asked: Sequence[str]) -> None:
        table = whole(given)
        lists = choice.lists
        self._table = table if lists is None else joined(whole_lists([table], lists))
        self._choice = choice
        self.kind = _meant(self._table, choice, asked)
        self._fields = columns_of(self.kind)

    def members(self) -> Values:
        """Return the evidence as a request has it.

        Raises
        ------
        BadFile
            A column that is missing, or that cannot be told.
        """
        return self._read(self._choice)

    def baseline(self, column: str) -> Values:
        """Return other values of the same rows, which stand in another column."""
        main = next((name for name in self.kind.values if name in self.members()), None)
        if main is None:
            raise Misuse(f"--baseline: there is none of {self.kind.fields.main}")
        fields = {**self._choice.fields, main: column}
        other = self._read(replace(self._choice, columns=(), fields=fields))
        return {main: other[main]}

    def _read(self, choice: ColumnChoice) -> Values:
        values = Mapper(field_specs(self._fields), choice).values(self._table)
        return {name: value for name, value in values.items() if name in self.kind.members}


def columns_of(kind: Evidence) -> Fields:
    """Return the members of an evidence that columns can be."""
    held = {name: field for name, field in kind.fields.items() if field.kind in COLUMN_KINDS}
    alternatives = tuple(names for names in kind.fields.one_of if held.keys() >= set(names))
    return Fields(alternatives, **held)


def measures_of(kind: Evidence) -> list[str]:
    """Return the names of what can be measured on an evidence."""
    return sorted(name for name, measure in measures().items() if measure.needs in kind.offers)


def _meant(table: Table, choice: ColumnChoice, asked: Sequence[str]) -> Evidence:
    """Return the kind of evidence that a table holds, by its columns and what is asked of it."""
    needs = {read_measure(name, "measures").measure.needs for name in asked}
    tabular = [one for one in evidences() if _is_tabular(one)]
    told = {*_named(table), *choice.fields}
    held = [one for one in tabular if _required(one) <= told]
    wanted = [one for one in held or tabular if not needs.isdisjoint(one.offers)] or held
    # A kind that needs no column but its main one is meant where something says so.
    if not wanted or not (asked or any(told & one.fields.keys() for one in wanted)):
        raise Misuse(
            f"{table.file}: {table.known}; a table holds {_kinds(tabular)}: say --field "
            "NAME=COLUMN (runs go with --qrels FILE)"
        )
    # Of several the one that the columns tell most of.
    return max(wanted, key=lambda one: len(told & one.fields.keys()))


def _named(table: Table) -> set[str]:
    """Return the members that columns are called like."""
    members = {name for kind in evidences() for name in kind.fields}
    return {name for name in members if column_named(name, table.columns) is not None}


def _is_tabular(kind: Evidence) -> bool:
    """Return whether columns can be all that a kind of evidence needs."""
    return kind.fields.main in columns_of(kind) and _needed(kind.fields) <= columns_of(kind).keys()


def _required(kind: Evidence) -> set[str]:
    """Return the members that a column has to be; the main one may be whatever else there is."""
    return _needed(kind.fields) - {kind.fields.main}


def _needed(fields: Mapping[str, Field]) -> set[str]:
    return {name for name, field in fields.items() if field.required}


def _kinds(kinds: Sequence[Evidence]) -> str:
    return ", or ".join(" with ".join(one.sends) for one in kinds)
