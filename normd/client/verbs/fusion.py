"""Ranked lists fused: of one query, of many as columns, of many as objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from normalizers.data.arrays import Array
from normalizers.data.batch import Notice
from normd.client.answers import NEEDED, ServedAnswer, Style, notice_of, read_answer, style_of
from normd.client.blocks import in_halves
from normd.client.calls import Call, Flow
from normd.client.columns import Columns, columns_of, joined_fusions
from normd.client.combine import Span
from normd.client.errors import Refused, TooLarge, refused
from normd.client.exchange import exchange, limits_of
from normd.client.fields import written
from normd.client.forms import FormName
from normd.client.methods import Method, method_behind, method_of
from normd.client.sessions import Session
from normd.wire.field_specs import FieldSpec

FUSE = Call("POST", "/v1/fuse")
# No method is called so.
REFERENCE_MARK = "@"
QUERY_IDS = {"query_ids": FieldSpec("query_ids", "ids", ("q",))}
NEEDED_OF_MANY = ("method", "effective_params", "queries", "warnings")


@dataclass(frozen=True)
class FusedQuery:
    """The fused list of one query, or why there is none.

    Parameters
    ----------
    id : str
        What the query is called.
    ids, scores : array of shape (k,)
        Best first; empty for a query that failed.
    total : int
        How many documents there are, whatever was cut off.
    depth_used : int
        How deep its lists were read.
    explain : object, optional
        The parts of its scores.
    error : Refused, optional
        Why it has no list.
    """

    id: str
    ids: Array
    scores: Array
    total: int = 0
    depth_used: int = 0
    explain: object | None = None
    error: Refused | None = None


@dataclass(frozen=True)
class FusedQueries:
    """The answers to many queries, in their order, and what holds for all of them.

    Parameters
    ----------
    queries : tuple of FusedQuery
    method : str
        The fusion.
    effective_params : mapping
        Every parameter as it was used.
    warnings : tuple of Notice
        Counted over all queries.
    report : mapping, optional
        The weights of the runs.
    """

    queries: tuple[FusedQuery, ...]
    method: str
    effective_params: Mapping[str, object]
    warnings: tuple[Notice, ...] = ()
    report: Mapping[str, object] | None = None

    def __iter__(self) -> Iterator[FusedQuery]:
        return iter(self.queries)

    def __len__(self) -> int:
        return len(self.queries)

    def __getitem__(self, query: str) -> FusedQuery:
        """Return the answer to the query of this name."""
        for fused in self.queries:
            if fused.id == str(query):
                return fused
        raise KeyError(query)


def fuse(
    session: Session,
    runs: Sequence[Mapping[str, object]],
    /,
    method: str,
    *,
    query_ids: Sequence[str | int] | None = None,
    options: Mapping[str, object] | None = None,
    form: FormName | None = None,
    **params: object,
) -> Flow[ServedAnswer]:
    """Return one ranked list of several, for one query or for many at once.

    Parameters
    ----------
    runs : sequence of mappings
        A retriever's lists each: ``ids``, and ``scores``, ``name`` ... as the method takes them.
        Nested lists, or flat ones with ``offsets``, are lists of many queries.
    method : str
        The fusion, or a stored one: ``name@7``, ``name@prod``.
    query_ids : sequence of str, optional
        What the queries are called; comes back as the output ``query_ids``.
    options : mapping, optional
        ``top_k``, ``depth``, ``explain`` ...
    form : str, optional
        The form of the bodies.
    **params : object
        Parameters of the fusion; a stored one has its own.

    Returns
    -------
    ServedAnswer
        With ``ids`` and ``scores``, best first.

    Notes
    -----
    Lists above a limit of the service go out in blocks of queries; the answer is that of the whole.

    Examples
    --------
    >>> import tempfile
    >>> from normd.client import Client
    >>> from app.settings import Settings
    >>> client = Client.local(Settings(data=tempfile.mkdtemp()))
    >>> runs = [{"ids": ["a", "b"]}, {"ids": ["c", "a"]}]
    >>> answer = client.fuse(runs, "rrf", options={"top_k": 2})
    >>> answer["ids"].tolist()
    ['a', 'c']
    >>> many = [{"ids": [["a", "b"], ["d"]]}, {"ids": [["b"], ["e", "d"]]}]
    >>> answer = client.fuse(many, "rrf", query_ids=["q1", "q2"])
    >>> [ids.tolist() for ids in answer["ids"]], answer["query_ids"].tolist()
    ([['b', 'a'], ['d', 'e']], ['q1', 'q2'])
    >>> client.close()
    """
    known, named = yield from _fusion(session, method, params)
    asked = {**named, **params, **(options or {})}
    columns = columns_of(runs, query_ids)
    if columns is None or not columns.is_large:
        return (yield from _fused(session, known, asked, runs, query_ids, form))
    return (yield from _in_blocks(session, known, asked, columns, form))


def fuse_queries(
    session: Session,
    queries: Iterable[Mapping[str, object]],
    /,
    method: str,
    *,
    on_error: Literal["fail", "skip"] = "fail",
    options: Mapping[str, object] | None = None,
    form: FormName | None = None,
    **params: object,
) -> Flow[FusedQueries]:
    """Return the fused list of each query; a run may be absent from some of them.

    Parameters
    ----------
    queries : iterable of mappings
        Each ``{"id", "runs"}``; runs are told apart by their names.
    method : str
        The fusion, or a stored one: ``name@7``, ``name@prod``.
    on_error : str
        ``skip`` answers a query that cannot be fused with its error; ``fail`` refuses all.
    options : mapping, optional
        ``top_k``, ``depth``, ``explain`` ...
    form : str, optional
        The form of the bodies.
    **params : object
        Parameters of the fusion; a stored one has its own.

    Raises
    ------
    Refused
        With the place of the query that cannot be fused, unless it is skipped.

    Examples
    --------
    >>> import tempfile
    >>> from normd.client import Client
    >>> from app.settings import Settings
    >>> client = Client.local(Settings(data=tempfile.mkdtemp()))
    >>> words = {"name": "words", "ids": ["a", "b"], "scores": [7, 3]}
    >>> broken = {"name": "words", "ids": ["a"], "scores": [None]}
    >>> queries = [{"id": "q1", "runs": [words]}, {"id": "q2", "runs": [broken]}]
    >>> fused = client.fuse_queries(queries, "wsum", on_error="skip")
    >>> fused["q1"].ids.tolist(), fused["q2"].error.path
    (['a', 'b'], 'queries[1].runs[0].scores[0]')
    >>> client.close()
    """
    known, named = yield from _fusion(session, method, params)
    asked = {**named, **params, **(options or {}), "on_error": on_error}
    sent = written({**asked, "queries": list(queries)}, "fuse")
    document = yield from exchange(session, FUSE, sent, form, NEEDED_OF_MANY)
    tree = document.tree
    items = cast("list[Mapping[str, object]]", tree["queries"])
    return FusedQueries(
        tuple(_query(item, known) for item in items),
        str(tree["method"]),
        cast("Mapping[str, object]", tree["effective_params"]),
        tuple(map(notice_of, cast("list[Mapping[str, object]]", tree["warnings"]))),
        cast("Mapping[str, object] | None", tree.get("report")),
    )


def _fusion(
    session: Session, method: str, params: Mapping[str, object]
) -> Flow[tuple[Method, Mapping[str, object]]]:
    """Return the fusion, and the member of the body that names it."""
    if REFERENCE_MARK in method:
        return (yield from method_behind(session, method)), {"ref": method}
    return (yield from method_of(session, method, params)), {"method": method}


def _fused(
    session: Session,
    known: Method,
    asked: Mapping[str, object],
    runs: Sequence[Mapping[str, object]],
    query_ids: Sequence[object] | None,
    form: FormName | None,
) -> Flow[ServedAnswer]:
    named = {} if query_ids is None else {"query_ids": list(query_ids)}
    sent = written({**asked, **named, "runs": list(runs)}, "fuse")
    document = yield from exchange(session, FUSE, sent, form, NEEDED)
    return read_answer(document.tree, {**known.gives, **QUERY_IDS}, style_of(runs))


def _in_blocks(
    session: Session,
    known: Method,
    asked: Mapping[str, object],
    columns: Columns,
    form: FormName | None,
) -> Flow[ServedAnswer]:
    """Return the answer in blocks of queries; what the service finds too large is cut in half."""

    def answer(span: Span, before: list[ServedAnswer]) -> Flow[ServedAnswer]:
        start, stop = span
        runs, names = columns.block(start, stop)
        # An alias may move meanwhile: all blocks are fused by the version that fused the first.
        named = {"ref": before[0].reference} if before and "ref" in asked else {}
        try:
            return (yield from _fused(session, known, {**asked, **named}, runs, names, form))
        except TooLarge:
            raise
        except Refused as error:
            if span != (0, columns.count):
                error.add_note(f"in the block of queries {start} to {stop - 1}")
            raise

    spans = columns.spans((yield from limits_of(session)))
    answers, done = yield from in_halves(spans, answer)
    return joined_fusions(answers, done)


def _query(item: Mapping[str, object], known: Method) -> FusedQuery:
    problem = item.get("error")
    if isinstance(problem, Mapping):
        nothing = _lists({"ids": [], "scores": []}, known)
        return FusedQuery(
            str(item["id"]), *nothing, error=refused(problem, int(problem["status"]), "")
        )
    output = cast("Mapping[str, object]", item["output"])
    return FusedQuery(
        str(item["id"]),
        *_lists(output, known),
        total=cast(int, item["total"]),
        depth_used=cast(int, item["depth_used"]),
        explain=item.get("explain"),
    )


def _lists(output: Mapping[str, object], known: Method) -> tuple[Array, Array]:
    tree = {"method": known.name, "effective_params": {}, "output": output, "flags": {}}
    style: Style = "plain"
    answer = read_answer({**tree, "warnings": []}, known.gives, style)
    return cast(Array, answer["ids"]), cast(Array, answer["scores"])
