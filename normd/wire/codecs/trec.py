"""``text/plain``: ranked lists as TREC writes them, ``query Q0 document rank score tag`` a line.

A body is one text whose tags name the runs, or ``multipart/form-data`` with a text a run, named by
its part. Lines of a query may stand in any order: the ranks tell it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged, offsets_of
from normalizers.errors import printable
from normalizers.validation.whole_numbers import FIRST_GAP, LOST, is_held
from normd.wire.codecs.document import DecodeLimits, Document, Tree
from normd.wire.codecs.errors import NotAcceptable, Unparseable
from normd.wire.codecs.multipart import parts
from normd.wire.codecs.tensors import check_values

MEDIA_TYPE = "text/plain"
PARTS_MEDIA_TYPE = "multipart/form-data"
COLUMNS = ("query", "Q0", "document", "rank", "score", "tag")
QUERY_IDS, RUNS, OUTPUT, QUERIES = "query_ids", "runs", "output", "queries"
# Names are shown in errors up to so many characters.
SHOWN = 40
# Only the blanks of ASCII end a word: an id may hold those of other scripts.
WORD = re.compile(r"[^ \t\r\v\f\n]+")


@dataclass(frozen=True)
class Lines:
    """The lines of one run, column by column.

    Parameters
    ----------
    name : str
        The run.
    queries, documents : sequence of str
        What each line is about.
    ranks : int64 array
        The place of each document, which orders the lines of a query.
    scores : float64 array
        NaN and infinities as they are written.
    """

    name: str
    queries: Sequence[str]
    documents: Sequence[str]
    ranks: Array
    scores: Array

    def as_member(self, places: Mapping[str, int]) -> dict[str, object]:
        """Return the run as a body has it: columns, one list for each of all queries."""
        query = np.array([places[name] for name in self.queries], dtype=np.int64)
        order = np.lexsort((self.ranks, query))
        documents = self.documents
        return {
            "name": self.name,
            "ids": [documents[line] for line in order.tolist()],
            "scores": self.scores[order],
            "offsets": offsets_of(np.bincount(query, minlength=len(places))),
        }


def decode(body: bytes, bounds: DecodeLimits, member: str = "") -> Document:
    r"""Return the runs of a text; its tags name them.

    Raises
    ------
    Unparseable
        For a line of other than six words, a rank that is no whole number, a score that is no
        number, or an integer that float64 does not hold; names the run and the line.
    TooLarge
        For more lines than values are allowed.

    Examples
    --------
    >>> from normd.wire.codecs import trec
    >>> from normd.wire.codecs.document import DecodeLimits
    >>> found = trec.decode(b"q1 Q0 d2 2 0.5 bm25\nq1 Q0 d1 1 0.7 bm25\n", DecodeLimits()).tree
    >>> found["query_ids"], found["runs"][0]["name"], found["runs"][0]["ids"]
    (['q1'], 'bm25', ['d1', 'd2'])
    """
    rows = list(_rows(body, "the run"))
    check_values(len(rows), bounds)
    by_tag: dict[str, list[list[str]]] = {}
    for _, row in rows:
        by_tag.setdefault(row[-1], [])
    numbered: dict[str, list[int]] = {tag: [] for tag in by_tag}
    for number, row in rows:
        by_tag[row[-1]].append(row)
        numbered[row[-1]].append(number)
    return _document([_lines(tag, by_tag[tag], numbered[tag]) for tag in by_tag])


def decode_parts(body: bytes, bounds: DecodeLimits, member: str = "") -> Document:
    """Return the runs of a form with a text a run; parts name them.

    Raises
    ------
    Unparseable
        For what is no form, a part without a name, or lines as `decode` refuses them.
    TooLarge
        For more lines than values are allowed.
    """
    runs: list[Lines] = []
    for name, text in parts(body):
        runs.append(read_run(name, text))
        check_values(sum(len(run.documents) for run in runs), bounds)
    return _document(runs)


def read_run(name: str, text: bytes) -> Lines:
    """Return the lines of one run, whatever their tags say.

    Raises
    ------
    Unparseable
        For lines as `decode` refuses them.
    """
    rows = list(_rows(text, f"run '{_shown(name)}'"))
    return _lines(name, [row for _, row in rows], [number for number, _ in rows])


def encode(tree: Tree, encoded: frozenset[str] = frozenset()) -> bytes:
    """Return fused lists as lines; the tag is the fusion, queries without names have their place.

    Raises
    ------
    NotAcceptable
        For what is no fused list, explained scores, a query that failed, and ids with white space:
        lines have no room for them.
    """
    tag = str(tree.get("method"))
    lines = [line for query in _queries(tree) for line in _written(*query, tag)]
    return "".join(lines).encode()


def _rows(body: bytes, called: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the words of each line that has some, with its number."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unparseable(f"{called} is not text in UTF-8") from None
    for number, line in enumerate(text.split("\n"), start=1):
        words = WORD.findall(line)
        if not words:
            continue
        if len(words) != len(COLUMNS):
            raise Unparseable(
                f"{called}, line {number}: {len(words)} words stand here, and a line of a run has "
                f"{len(COLUMNS)}: {' '.join(COLUMNS)}"
            )
        yield number, words


def _lines(name: str, rows: Sequence[Sequence[str]], numbers: Sequence[int]) -> Lines:
    queries, _, documents, ranks, scores, _ = zip(*rows, strict=True) if rows else ((),) * 6
    values = _numbers(SCORE, scores, "score", name, numbers)
    for line in np.flatnonzero(np.abs(values) >= FIRST_GAP).tolist():
        if not _is_held(scores[line]):
            raise Unparseable(f"run '{_shown(name)}', line {numbers[line]}: {LOST}")
    return Lines(name, queries, documents, _numbers(RANK, ranks, "rank", name, numbers), values)


def _numbers(
    kind: Kind, words: Sequence[str], column: str, name: str, numbers: Sequence[int]
) -> Array:
    try:
        return np.array(list(map(kind.read, words)), dtype=kind.dtype)
    except (ValueError, OverflowError):
        wrong = (n for n, word in zip(numbers, words, strict=True) if not kind.reads(word))
        place = f"run '{_shown(name)}', line {next(wrong)}"
    raise Unparseable(f"{place}: the {column} is no {kind.called}")


def _number(word: str) -> float:
    _require_plain(word)
    return float(word)


def _is_held(word: str) -> bool:
    """Return whether float64 holds the score, as it holds every one not written as an integer."""
    try:
        return is_held(int(word))
    except ValueError:
        return True


def _whole_number(word: str) -> int:
    _require_plain(word)
    return int(word)


def _require_plain(word: str) -> None:
    """Refuse what Python reads beyond plain numbers: underscores, separators, other scripts."""
    if "_" in word or not word.isascii() or not word.isprintable():
        raise ValueError(word)


@dataclass(frozen=True)
class Kind:
    """Numbers of one column: how they are read, and what they are called."""

    read: Callable[[str], int | float]
    dtype: type[np.generic]
    called: str

    def reads(self, word: str) -> bool:
        """Whether a word is such a number."""
        try:
            np.array([self.read(word)], dtype=self.dtype)
        except (ValueError, OverflowError):
            return False
        return True


RANK = Kind(_whole_number, np.int64, "whole number")
SCORE = Kind(_number, np.float64, "number")


def _document(runs: Sequence[Lines]) -> Document:
    names = dict.fromkeys(query for run in runs for query in run.queries)
    places = {name: place for place, name in enumerate(names)}
    members = [run.as_member(places) for run in runs]
    return Document({RUNS: members, QUERY_IDS: list(places)})


def _queries(tree: Tree) -> Iterator[tuple[str, Sequence[str], Sequence[float]]]:
    """Yield the name, the ids and the scores of each query of an answer."""
    if "explain" in tree:
        raise _no_room("the parts of scores")
    queries = tree.get(QUERIES)
    if isinstance(queries, list):
        for query in queries:
            if "error" in query or "explain" in query:
                raise _no_room("what is beside the lists")
            output = query[OUTPUT]
            yield str(query["id"]), _texts(output["ids"]), _floats(output["scores"])
        return
    output = tree.get(OUTPUT)
    if not isinstance(output, Mapping) or not {"ids", "scores"} <= output.keys():
        raise _no_room("anything but fused lists")
    ids, scores = _lists(output["ids"]), _lists(output["scores"])
    names = _texts(output[QUERY_IDS]) if QUERY_IDS in output else map(str, range(len(ids)))
    for name, documents, values in zip(names, ids, scores, strict=True):
        yield name, _texts(documents), _floats(values)


def _lists(value: object) -> Sequence[object]:
    if isinstance(value, Ragged):
        return list(value)
    if isinstance(value, np.ndarray) and value.ndim == 1:
        return [value]
    return list(value)  # type: ignore[call-overload,no-any-return]


def _written(
    query: str, documents: Sequence[str], scores: Sequence[float], tag: str
) -> Iterable[str]:
    if any(WORD.fullmatch(word) is None for word in (query, *documents)):
        raise _no_room("an id with white space")
    return [
        f"{query} Q0 {document} {rank} {score!r} {tag}\n"
        for rank, (document, score) in enumerate(zip(documents, scores, strict=True), start=1)
    ]


def _texts(value: object) -> list[str]:
    return list(np.asarray(value, dtype=object).tolist())


def _floats(value: object) -> list[float]:
    return list(np.asarray(value, dtype=np.float64).tolist())


def _no_room(what: str) -> NotAcceptable:
    return NotAcceptable(f"lines of text/plain have no room for {what}; accept application/json")


def _shown(name: str) -> str:
    return printable(name[:SHOWN])
