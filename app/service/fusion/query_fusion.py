"""Fusions of many queries in one request: fused at once, and one by one where one cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from app.registry.errors import Conflict, NotFound
from app.registry.records import VersionRecord
from app.service.fusion.queries import (
    Key,
    Query,
    all_keys,
    grouped,
    runs_alone,
    runs_together,
)
from app.service.work import Transformed
from normalizers.contract.method import Method
from normalizers.data.batch import Notice
from normalizers.errors import Fault, NormalizerError, ShapeError
from normalizers.versions.manifest import params_json

# What one query may have wrong by itself; limits are those of the whole request.
OWN_FAULTS = (NormalizerError, NotFound, Conflict)
Fuse: TypeAlias = Callable[[list[object]], Transformed]
COUNT = "count"


@dataclass(frozen=True)
class FusedQuery:
    """What one query was answered: its list, or why there is none.

    Parameters
    ----------
    id : str
        The query.
    output : mapping
        Its fields: ids and scores.
    extra : mapping
        How many documents there are in all, how deep its lists were read, the parts of its scores.
    error : Exception, optional
        Why it has no answer.
    """

    id: str
    output: Mapping[str, object] = field(default_factory=dict)
    extra: Mapping[str, object] = field(default_factory=dict)
    error: Exception | None = None


@dataclass(frozen=True)
class FusedQueries:
    """Every query's answer in the order of the request, and what was done to all of them.

    Parameters
    ----------
    method : Method
        The fusion.
    queries : list
        The answers.
    works : list
        What was answered at once.
    record : VersionRecord, optional
        The stored version that fused.
    """

    method: Method
    queries: Sequence[FusedQuery]
    works: Sequence[Transformed]
    record: VersionRecord | None = None

    @property
    def effective_params(self) -> Mapping[str, object]:
        """Every parameter as it was used."""
        resolved = (
            self.works[0].version.resolved_method if self.works else self.method.resolved(None)
        )
        return params_json(resolved, resolved.explicit_params)

    @property
    def report(self) -> Mapping[str, object] | None:
        """What all queries share: the weights of the runs."""
        return self.works[0].answer.report if self.works else None

    @property
    def warnings(self) -> list[Notice]:
        """The warnings of all queries, each kind once for a run, its counts added up."""
        found: dict[tuple[str, object], Notice] = {}
        for notice in (noted for work in self.works for noted in work.answer.warnings):
            key = (notice.code, dict(notice.detail).get("run"))
            found[key] = _added(found[key], notice) if key in found else notice
        return list(found.values())


def fuse_queries(
    method: Method, queries: Sequence[Query], fuse: Fuse, *, skip: bool
) -> FusedQueries:
    """Return the fused list of every query; `skip` leaves out those that cannot be fused.

    Raises
    ------
    NormalizerError
        What is wrong with the parameters; with a query too, unless it is skipped.
    """
    keys = all_keys(queries)
    works: list[Transformed] = []
    answers: dict[int, FusedQuery] = {}
    for group in grouped(queries):
        for part, work in _attempted(group, keys, fuse, skip=skip):
            if isinstance(work, Transformed):
                works.append(work)
                answers |= zip((query.place for query in part), _answers(part, work), strict=True)
            else:
                answers[part[0].place] = FusedQuery(part[0].id, error=work)
    return FusedQueries(method, [answers[query.place] for query in queries], works)


def _attempted(
    group: Sequence[Query], keys: Sequence[Key], fuse: Fuse, *, skip: bool
) -> Iterator[tuple[Sequence[Query], Transformed | Exception]]:
    """Yield queries with what was answered to them at once, or why there is no answer."""
    if len(group) == 1:
        try:
            yield group, _alone(group[0], keys, fuse)
        except OWN_FAULTS as error:
            if not skip or not error.path.startswith(group[0].path):
                raise
            yield group, error
        return
    try:
        work = fuse(runs_together(group, keys))
    except OWN_FAULTS as error:
        if not error.path.startswith("runs"):
            raise
    else:
        yield group, work
        return
    faulty = _faulty(group, fuse)
    if faulty:
        if not skip:
            raise next(iter(faulty.values()))
        yield from (([group[place]], error) for place, error in faulty.items())
        sound = [query for place, query in enumerate(group) if place not in faulty]
        if sound:
            yield from _attempted(sound, keys, fuse, skip=skip)
        return
    middle = len(group) // 2
    yield from _attempted(group[:middle], keys, fuse, skip=skip)
    yield from _attempted(group[middle:], keys, fuse, skip=skip)


def _faulty(group: Sequence[Query], fuse: Fuse) -> dict[int, Exception]:
    """Return by place the queries that cannot be fused, each looked at with its own runs only.

    Beside every run of the request, each of many faulty queries would cost as much as all.
    """
    found: dict[int, Exception] = {}
    for place, query in enumerate(group):
        try:
            _alone(query, query.keys, fuse)
        except OWN_FAULTS as error:
            if error.path.startswith(query.path):
                found[place] = error
    return found


def _alone(query: Query, keys: Sequence[Key], fuse: Fuse) -> Transformed:
    """Return the answer to one query; places in errors are those of the request."""
    if query.fault is not None:
        raise query.fault
    try:
        work = fuse(runs_alone(query, keys))
        if not isinstance(work.answer.extra.get("total"), int):
            raise ShapeError("a query has one list a run, not several", path="runs")
        return work
    except OWN_FAULTS as error:
        if error.path.startswith("runs"):
            error.path = query.own_path(error.path, keys)
            if isinstance(error, NormalizerError):
                error.faults = tuple(
                    Fault(query.own_path(fault.path, keys), fault.message) for fault in error.faults
                )
        raise


def _answers(queries: Sequence[Query], work: Transformed) -> Iterator[FusedQuery]:
    answer, explained = work.answer, work.answer.explain
    columns: Mapping[str, object] = dict(answer.output)
    extra: dict[str, object] = dict(answer.extra)
    if explained is not None:
        extra["explain"] = explained
    if len(queries) == 1:
        yield FusedQuery(queries[0].id, columns, extra)
        return
    for place, query in enumerate(queries):
        yield FusedQuery(query.id, _at(columns, place), _at(extra, place))


def _at(columns: Mapping[str, object], place: int) -> dict[str, object]:
    return {name: cast("Sequence[object]", column)[place] for name, column in columns.items()}


def _added(first: Notice, second: Notice) -> Notice:
    detail, more = dict(first.detail), dict(second.detail)
    counts = detail.get(COUNT), more.get(COUNT)
    if all(isinstance(count, int) for count in counts):
        detail[COUNT] = sum(cast("tuple[int, int]", counts))
    return Notice(first.code, first.message, tuple(detail.items()))
