"""Ranked lists in files: one file a run, the queries of all runs in one order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

import numpy as np

from normalizers.messages import quoted
from normd.cli.errors import Misuse
from normd.cli.files.formats import without_gzip
from normd.cli.files.piece import Cells
from normd.cli.files.readers import whole
from normd.cli.files.source import Source
from normd.cli.files.table import Table, joined, whole_lists
from normd.cli.io.mapping import ColumnChoice, Mapper
from normd.wire.field_specs import FieldSpec, FieldSpecs

RUNS = "runs"
# What a file of a run may hold.
MEMBERS = FieldSpecs(
    {
        "ids": FieldSpec(
            "ids", "id_lists", ("N",), help="ids, best first unless scores say otherwise"
        ),
        "scores": FieldSpec("scores", "lists", ("N",), required=False, help="their scores"),
    }
)


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

    members: list[dict[str, object]]
    queries: Sequence[str] | None = None
    column: str | None = None

    def beside(self, output: Mapping[str, object]) -> dict[str, Cells]:
        """Return the column that tells the query of each fused hit."""
        main = next(iter(output.values()))
        if self.queries is None or self.column is None or not isinstance(main, list):
            return {}
        lengths = [len(part) for part in main]
        return {self.column: np.repeat(np.array(self.queries, dtype=object), lengths)}


def fuses(described: Mapping[str, object]) -> bool:
    """Return whether a described method fuses runs."""
    takes = described.get("takes")
    return isinstance(takes, Mapping) and RUNS in takes


def read_runs(given: Sequence[Source], choice: ColumnChoice) -> Runs:
    """Return the runs in files; a query that a run lacks has an empty list there.

    Raises
    ------
    Misuse
        Files that are called alike, or without the columns of a run.
    """
    names = stems(source.name for source in given)
    mapper = Mapper(MEMBERS, choice)
    found = [_run(mapper, source, choice) for source in given]
    if choice.lists is None:
        members = [{"name": name, **run} for name, (run, _) in zip(names, found, strict=True)]
        return Runs(members)
    queries = list(dict.fromkeys(label for _, labels in found for label in labels))
    members = [
        {"name": name, **_in_order(run, labels, queries)}
        for name, (run, labels) in zip(names, found, strict=True)
    ]
    return Runs(members, queries, choice.lists)


def stems(names: Iterable[str]) -> list[str]:
    """Return the names of files without ending.

    Raises
    ------
    Misuse
        Files that are called alike.
    """
    found: list[str] = []
    for name in names:
        stem = PurePath(without_gzip(name)).stem
        if stem in found:
            raise Misuse(f"two runs are called {quoted(stem)}; rename a file: weights name runs")
        found.append(stem)
    return found


def _run(
    mapper: Mapper, given: Source, choice: ColumnChoice
) -> tuple[dict[str, object], list[str]]:
    table = whole(given)
    if choice.lists is None:
        return _plain(mapper.values(table)), []
    grouped = joined(whole_lists([table], choice.lists))
    return _plain(mapper.values(grouped)), _labels(grouped, choice.lists)


def _labels(table: Table, column: str) -> list[str]:
    return list(dict.fromkeys(table.column(column).texts()))


def _plain(values: Mapping[str, object]) -> dict[str, object]:
    """Return lists of Python values: ids and scores stand side by side in a record."""
    return {name: _listed(value) for name, value in values.items()}


def _listed(value: object) -> object:
    if isinstance(value, np.ndarray):
        return [None if number != number else number for number in value.tolist()]
    return [_listed(item) if isinstance(item, np.ndarray) else item for item in _items(value)]


def _items(value: object) -> Iterable[object]:
    return value if isinstance(value, list) else []


def _in_order(
    run: Mapping[str, object], labels: Sequence[str], queries: Sequence[str]
) -> dict[str, object]:
    places = {label: place for place, label in enumerate(labels)}
    return {
        name: [lists[places[query]] if query in places else [] for query in queries]
        for name, lists in run.items()
        if isinstance(lists, list)
    }
