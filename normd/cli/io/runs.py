"""Ranked lists in files: one file a run or a column that tells it, all queries in one order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from normalizers.messages import did_you_mean, quoted
from normd.cli.errors import BadFile, Misuse
from normd.cli.files.piece import Cells
from normd.cli.files.readers import whole
from normd.cli.files.table import Table
from normd.cli.io.mapping import ColumnChoice, Mapper
from normd.cli.io.run_files import RunFile
from normd.wire.field_specs import FieldSpec, FieldSpecs

if TYPE_CHECKING:
    from normd.wire.codecs.trec import Lines

RUNS, IDS, SCORES = "runs", "ids", "scores"
# What a file of a run may hold.
MEMBERS = FieldSpecs(
    {
        IDS: FieldSpec(IDS, "id_lists", ("N",), help="ids, best first unless scores say otherwise"),
        SCORES: FieldSpec(SCORES, "lists", ("N",), required=False, help="their scores"),
    }
)
# What columns are usually called, where the call says nothing.
SPELLINGS = {IDS: ("doc", "docid", "doc_id", "document", "id"), SCORES: ("score",)}
QUERY, QUERIES, RUN = "query", ("query", "query_id", "qid"), "run"
# The members of one list, by name.
Hits: TypeAlias = dict[str, list[object]]


@dataclass(frozen=True)
class Runs:
    """Runs as a request carries them.

    Parameters
    ----------
    members : list
        One object a run: name, ids, scores.
    queries : sequence of str, optional
        What the lists are called, where a column tells it.
    column : str, optional
        The name of that column.
    """

    members: list[dict[str, Any]]
    queries: Sequence[str] | None = None
    column: str | None = None

    def beside(self, output: Mapping[str, object]) -> dict[str, Cells]:
        """Return the column that tells the query of each fused hit."""
        main = next(iter(output.values()))
        if self.queries is None or self.column is None or not isinstance(main, list):
            return {}
        lengths = [len(part) for part in main]
        return {self.column: np.repeat(np.array(self.queries, dtype=object), lengths)}

    def only(self, query: str) -> Runs:
        """Return the runs with the lists of one query.

        Raises
        ------
        Misuse
            No list has that name.
        """
        queries = list(self.queries or map(str, range(len(self.members[0][IDS]))))
        if query not in queries:
            raise Misuse(f"--query {query}: no run has it{did_you_mean(query, queries)}")
        return replace(self, members=self.in_order([query]), queries=[query])

    def in_order(self, queries: Sequence[str]) -> list[dict[str, Any]]:
        """Return the runs with the lists of these queries; what has none has an empty list."""
        own = list(self.queries or map(str, range(len(self.members[0][IDS]))))
        places = {query: place for place, query in enumerate(own)}
        return [
            {
                name: value
                if name == "name"
                else [value[places[query]] if query in places else [] for query in queries]
                for name, value in member.items()
            }
            for member in self.members
        ]


@dataclass(frozen=True)
class _Lists:
    """One run in a file: its lists in order, and by name where they have any."""

    name: str
    plain: Mapping[str, object] | None
    hits: Mapping[str, Hits]
    column: str | None


def fuses(described: Mapping[str, object]) -> bool:
    """Return whether a described method fuses runs."""
    takes = described.get("takes")
    return isinstance(takes, Mapping) and RUNS in takes


def read_runs(given: Sequence[RunFile], choice: ColumnChoice) -> Runs:
    """Return the runs in files; a query that a run lacks has an empty list there.

    Raises
    ------
    Misuse
        Runs that are called alike, files without the columns of a run, or files of which some
        name their queries and others do not.
    """
    found = [run for file in given for run in _runs_in(file, choice)]
    _require_names(found)
    if all(run.column is None for run in found):
        return Runs([{"name": run.name, **(run.plain or {})} for run in found])
    unnamed = next((run.name for run in found if run.column is None), None)
    if unnamed is not None:
        raise Misuse(
            f"the run {quoted(unnamed)} has no column that tells the query, and others have one; "
            "say --list COLUMN"
        )
    queries = list(dict.fromkeys(query for run in found for query in run.hits))
    members = [{"name": run.name, **_in_order(run.hits, queries)} for run in found]
    return Runs(members, queries, found[0].column)


def _runs_in(file: RunFile, choice: ColumnChoice) -> Iterator[_Lists]:
    if file.is_trec:
        yield _Lists(file.stem, None, _of_lines(_trec(file)), QUERY)
        return
    table = whole(file.source)
    chosen = _completed(table, choice)
    ids = chosen.fields.get(IDS, IDS)
    in_rows = table.aligned and ids in table.columns and not table.column(ids).has_lists
    if in_rows and (chosen.lists is not None or RUN in table.columns):
        yield from _by_rows(file, table, chosen)
        return
    plain = _plain(Mapper(MEMBERS, replace(chosen, lists=None)).values(table))
    if chosen.lists is None:
        yield _Lists(file.stem, plain, {}, None)
        return
    labels = table.column(chosen.lists).texts()
    if len(set(labels)) != len(labels):
        raise BadFile(file.source.name, f"a value of {quoted(chosen.lists)} stands in two lines")
    hits = {
        label: {name: value[place] for name, value in plain.items() if isinstance(value, list)}
        for place, label in enumerate(labels)
    }
    yield _Lists(file.stem, None, hits, chosen.lists)


def _completed(table: Table, choice: ColumnChoice) -> ColumnChoice:
    """Return the choice with the columns that are called as such columns usually are."""
    fields = dict(choice.fields)
    for name, spellings in SPELLINGS.items():
        known = [spelling for spelling in spellings if spelling in table.columns]
        if name not in fields and name not in table.columns and len(known) == 1:
            fields[name] = known[0]
    lists = choice.lists
    if lists is None:
        named = [name for name in QUERIES if name in table.columns and name not in fields.values()]
        lists = named[0] if named else None
    return replace(choice, fields=fields, lists=lists)


def _by_rows(file: RunFile, table: Table, choice: ColumnChoice) -> Iterator[_Lists]:
    """Yield the runs of a table with a hit a row."""
    mapped = Mapper(MEMBERS, replace(choice, lists=None)).mapped(table)
    columns: dict[str, list[object]] = {IDS: list(table.column(mapped.columns[IDS][0]).texts())}
    if SCORES in mapped.columns:
        numbers = np.asarray(table.column(mapped.columns[SCORES][0]).numbers()).tolist()
        columns[SCORES] = [None if number != number else number for number in numbers]
    has_runs = RUN in table.columns and RUN not in mapped.used
    if has_runs and file.name is not None:
        raise Misuse(
            f"{file.source.name}: its column {quoted(RUN)} names the runs; leave out NAME="
        )
    count = len(table)
    runs = table.column(RUN).texts() if has_runs else [file.stem] * count
    queries = [""] * count if choice.lists is None else table.column(choice.lists).texts()
    found: dict[str, dict[str, Hits]] = {}
    for row, (run, query) in enumerate(zip(runs, queries, strict=True)):
        hits = found.setdefault(run, {}).setdefault(query, {name: [] for name in columns})
        for name, values in columns.items():
            hits[name].append(values[row])
    for run, by_query in found.items():
        plain = None if choice.lists is not None else by_query[""]
        yield _Lists(run, plain, by_query, choice.lists)


def _trec(file: RunFile) -> Lines:
    from normd.wire.codecs import Unparseable
    from normd.wire.codecs.trec import read_run

    try:
        with file.source.opened() as content:
            return read_run(file.stem, content.read())
    except Unparseable as error:
        raise BadFile(file.source.name, error.message) from None


def _of_lines(lines: Lines) -> dict[str, Hits]:
    """Return the lists of TREC lines, with a score that is none as null."""
    queries = list(dict.fromkeys(lines.queries))
    member = lines.as_member({query: place for place, query in enumerate(queries)})
    scores = np.asarray(member[SCORES], dtype=object)
    scores[[score != score for score in scores]] = None
    parts: dict[str, list[object]] = {
        IDS: cast("list[object]", member[IDS]),
        SCORES: scores.tolist(),
    }
    edges = pairwise(np.asarray(member["offsets"]).tolist())
    return {
        query: {name: values[start:stop] for name, values in parts.items()}
        for query, (start, stop) in zip(queries, edges, strict=True)
    }


def _require_names(found: Sequence[_Lists]) -> None:
    names: set[str] = set()
    for run in found:
        if run.name in names:
            raise Misuse(
                f"two runs are called {quoted(run.name)}; name one as in other=FILE: weights name "
                "runs"
            )
        names.add(run.name)


def _plain(values: Mapping[str, object]) -> dict[str, object]:
    """Return lists of Python values: ids and scores stand side by side in a record."""
    return {name: _listed(value) for name, value in values.items()}


def _listed(value: object) -> object:
    if isinstance(value, np.ndarray):
        return [None if number != number else number for number in value.tolist()]
    return [_listed(item) if isinstance(item, np.ndarray) else item for item in _items(value)]


def _items(value: object) -> Iterable[object]:
    return value if isinstance(value, list) else []


def _in_order(hits: Mapping[str, Hits], queries: Sequence[str]) -> dict[str, object]:
    names = {name for one in hits.values() for name in one}
    return {
        name: [hits[query][name] if query in hits else [] for query in queries]
        for name in (IDS, SCORES)
        if name in names
    }
