"""Runs in TREC files and fused lists as such: ``query Q0 document rank score tag`` a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import numpy as np

from normd.cli.errors import BadFile, Misuse
from normd.cli.files.formats import ending_of
from normd.cli.files.source import Source
from normd.cli.io.runs import Runs, stems

if TYPE_CHECKING:
    from normd.client.answers import ServedAnswer
    from normd.wire.codecs.trec import Lines

TREC = "trec"
ENDINGS = {TREC, "run"}
QUERY = "query"


def is_trec(form: str | None, *paths: str) -> bool:
    """Return whether files are TREC lines: by the form that is named, or by all their endings."""
    if form is not None:
        return form.lower() == TREC
    endings = {ending_of(path) for path in paths}
    return bool(endings) and endings <= ENDINGS


def trec_runs(given: Sequence[Source]) -> Runs:
    """Return the runs in TREC files, with the queries of all of them.

    Raises
    ------
    Misuse
        Files that are called alike.
    BadFile
        A line that is none.
    """
    names = stems(source.name for source in given)
    found = [_read(source, name) for source, name in zip(given, names, strict=True)]
    queries = list(dict.fromkeys(query for lines in found for query in lines.queries))
    places = {query: place for place, query in enumerate(queries)}
    return Runs([_nested(lines.as_member(places)) for lines in found], queries, QUERY)


def trec_lines(runs: Runs, answer: ServedAnswer) -> bytes:
    """Return fused lists as TREC lines; queries without names are called by their place.

    Raises
    ------
    Misuse
        For names that lines have no room for.
    """
    from normd.wire.codecs import NotAcceptable
    from normd.wire.codecs.trec import encode

    named = {} if runs.queries is None else {"query_ids": list(runs.queries)}
    try:
        return encode({"method": answer.method, "output": {**answer.output, **named}})
    except NotAcceptable as error:
        raise Misuse(f"{error.message.partition(';')[0]}; write another form") from None


def _read(given: Source, name: str) -> Lines:
    from normd.wire.codecs import Unparseable
    from normd.wire.codecs.trec import read_run

    try:
        with given.opened() as file:
            return read_run(name, file.read())
    except Unparseable as error:
        raise BadFile(given.name, error.message) from None


def _nested(member: Mapping[str, object]) -> dict[str, object]:
    """Return a run of columns as one with a list a query."""
    scores = np.asarray(member["scores"], dtype=object)
    scores[[score != score for score in scores]] = None
    parts = {"ids": cast("list[str]", member["ids"]), "scores": scores.tolist()}
    edges = list(pairwise(np.asarray(member["offsets"]).tolist()))
    lists = {name: [values[start:stop] for start, stop in edges] for name, values in parts.items()}
    return {"name": member["name"], **lists}
