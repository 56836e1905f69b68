"""Judgements in TREC files (query 0 document judgement), and runs beside them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from normd.cli.errors import BadFile, Misuse
from normd.cli.files.source import source
from normd.cli.io.runs import Runs
from normd.wire.codecs.trec import WORD

# By query: documents, and a number each.
Listed: TypeAlias = Mapping[str, tuple[list[str], list[float]]]
QRELS = ("query", "0", "document", "judgement")


def trec_qrels(path: str) -> Listed:
    """Return the judged documents and their judgements by query."""
    found: dict[str, tuple[list[str], list[float]]] = defaultdict(lambda: ([], []))
    for place, line in enumerate(_text(path).split("\n"), 1):
        cells = WORD.findall(line)
        if not cells:
            continue
        if len(cells) != len(QRELS):
            raise BadFile(
                path,
                f"{len(cells)} words stand here, and TREC has {len(QRELS)}: {' '.join(QRELS)}",
                place=f"line {place}",
            )
        ids, values = found[cells[0]]
        ids.append(cells[2])
        values.append(_number(cells[3], path, f"line {place}, judgement"))
    return found


def evidence(runs: Runs, qrels: Listed) -> dict[str, object]:
    """Return runs and judgements as a request has them: every judged query, and those beside.

    Raises
    ------
    Misuse
        Nothing tells the queries of the runs.

    Examples
    --------
    >>> from normd.cli.io.runs import Runs
    >>> from normd.cli.io.trec import evidence
    >>> runs = Runs([{"name": "bm25", "ids": [["a"]], "scores": [[1.0]]}], ["q2"])
    >>> found = evidence(runs, {"q1": (["b"], [1.0])})
    >>> found["query_ids"], found["runs"]
    (['q1', 'q2'], [{'name': 'bm25', 'ids': [[], ['a']], 'scores': [[], [1.0]]}])
    """
    if runs.queries is None:
        raise Misuse("judgements name queries: say --list COLUMN, which tells those of the runs")
    queries = list(dict.fromkeys([*qrels, *runs.queries]))
    judged = _in_order(qrels, queries, "judgements")
    return {"runs": runs.in_order(queries), "qrels": judged, "query_ids": queries}


def _in_order(found: Listed, queries: Sequence[str], numbers: str) -> dict[str, object]:
    lists = [found.get(query, ([], [])) for query in queries]
    return {"ids": [ids for ids, _ in lists], numbers: [values for _, values in lists]}


def _number(text: str, path: str, place: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadFile(path, "a number is expected here", place=place) from None


def _text(path: str) -> str:
    try:
        return _content(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadFile(path, "this is no text that can be read") from None


def _content(path: str) -> bytes:
    try:
        # Lines are read as bytes: no form of tables is meant.
        with source(path, "tsv").opened() as file:
            return file.read()
    except OSError:
        raise BadFile(path, "this is no text that can be read") from None
