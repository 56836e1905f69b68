"""TREC files: runs (query Q0 document rank score tag), judgements (query 0 document judgement)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TypeAlias

from normd.cli.errors import BadFile, Misuse
from normd.cli.files.formats import without_gzip
from normd.cli.files.source import source
from normd.wire.codecs.errors import Unparseable
from normd.wire.codecs.trec import WORD, read_run

# By query: documents, and a number each.
Listed: TypeAlias = Mapping[str, tuple[list[str], list[float]]]
QRELS = ("query", "0", "document", "judgement")


def trec_run(path: str) -> Listed:
    """Return the documents and scores of a run by query; the ranks in it are not used."""
    try:
        lines = read_run(PurePath(without_gzip(path)).stem, _content(path))
    except Unparseable as error:
        raise BadFile(path, error.message) from None
    found: dict[str, tuple[list[str], list[float]]] = defaultdict(lambda: ([], []))
    rows = zip(lines.queries, lines.documents, lines.scores.tolist(), strict=True)
    for query, document, score in rows:
        ids, values = found[query]
        ids.append(document)
        values.append(score)
    return found


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


def evidence(runs: Mapping[str, Listed], qrels: Listed) -> dict[str, object]:
    """Return runs and judgements as a request has them: every judged query, and those beside.

    Examples
    --------
    >>> from normd.cli.io.trec import evidence
    >>> found = evidence({"bm25": {"q2": (["a"], [1.0])}}, {"q1": (["b"], [1.0])})
    >>> found["query_ids"], found["runs"]
    (['q1', 'q2'], [{'name': 'bm25', 'ids': [[], ['a']], 'scores': [[], [1.0]]}])
    """
    queries = list(dict.fromkeys([*qrels, *(query for run in runs.values() for query in run)]))
    members = [{"name": name, **_in_order(run, queries, "scores")} for name, run in runs.items()]
    judged = _in_order(qrels, queries, "judgements")
    return {"runs": members, "qrels": judged, "query_ids": queries}


def named_runs(paths: Sequence[str]) -> dict[str, Listed]:
    """Return run files by their names without ending."""
    found: dict[str, Listed] = {}
    for path in paths:
        name = PurePath(without_gzip(path)).stem
        if name in found:
            raise Misuse(f"two runs are called '{name}'; rename a file")
        found[name] = trec_run(path)
    return found


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
