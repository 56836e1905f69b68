"""The queries of a fusion: each with its id and the runs that answered it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import orjson

from normalizers.errors import DtypeError, InvalidInput, InvalidParams
from normalizers.messages import did_you_mean, printable_name, quoted

QUERIES, RUNS, ID, NAME = "queries", "runs", "id", "name"
MEMBERS = (ID, RUNS)
# What every query has its own of; a run is the same run in all of them.
LISTS = frozenset({"ids", "scores"})
# A run by its name, or by its place in its query.
Key: TypeAlias = str | int
Signature: TypeAlias = tuple[tuple[Key, bytes], ...]
# One fusion reads that many lists without hits in the time that one more fusion needs for a run.
LACKING_A_PAIR = 64
PLACE = re.compile(r"runs\[(\d+)\]")


@dataclass(frozen=True)
class Query:
    """One query of a request.

    Parameters
    ----------
    place : int
        Its place among the queries.
    id : str
        What it is called.
    runs : list
        The runs as they were sent.
    fault : InvalidInput, optional
        What is wrong with how they were sent.
    """

    place: int
    id: str
    runs: Sequence[Mapping[str, object]]
    fault: InvalidInput | None = None

    @property
    def path(self) -> str:
        """Where it stands in the body."""
        return f"{QUERIES}[{self.place}]"

    @property
    def keys(self) -> list[Key]:
        """Its runs, in order."""
        return [run_key(run, place) for place, run in enumerate(self.runs)]

    def documents(self, most: int | None) -> int:
        """Return how many documents its answer can hold, `most` of them."""
        lists = [ids for run in self.runs if isinstance(ids := run.get("ids"), list)]
        count = sum(map(len, lists))
        return count if most is None else min(count, most)

    @property
    def has_distinct_runs(self) -> bool:
        """Whether no run is sent twice."""
        return len(set(self.keys)) == len(self.runs)

    @property
    def signature(self) -> Signature | None:
        """What queries share whose lists are fused at once; None for one to be fused alone."""
        if self.fault or not self.has_distinct_runs or not all(map(_is_plain, self.runs)):
            return None
        said = [_about(run) for run in self.runs]
        return None if None in said else tuple(zip(self.keys, said, strict=True))  # type: ignore[arg-type]

    def own_path(self, path: str, keys: Sequence[Key]) -> str:
        """Return a place in `runs`, which are those of `keys`, as a place in this query."""
        found = PLACE.match(path)
        if found is None or not self.has_distinct_runs:
            return f"{self.path}.{path}"
        key = keys[int(found[1])]
        own = f"{self.path}.runs" + (f"[{self.keys.index(key)}]" if key in self.keys else "")
        return own + path[found.end() :]


def read_queries(sent: object) -> list[Query]:
    """Return the queries of a request.

    Raises
    ------
    DtypeError
        What is no list of objects with an id.
    InvalidInput
        An id that another query has.
    """
    if not isinstance(sent, list):
        raise DtypeError("queries are a list of objects with an id and runs", path=QUERIES)
    queries = [_query(item, place) for place, item in enumerate(sent)]
    seen: set[str] = set()
    for query in queries:
        if query.id in seen:
            raise InvalidInput("another query has this id", path=f"{query.path}.id")
        seen.add(query.id)
    return queries


def run_key(run: Mapping[str, object], place: int) -> Key:
    """Return a run's name, or its place where it has none."""
    name = run.get(NAME)
    return name if isinstance(name, str) else place


def all_keys(queries: Iterable[Query]) -> list[Key]:
    """Return every run of the queries, in order of their first appearance."""
    return list(dict.fromkeys(key for query in queries for key in query.keys))


def check_positions(weights: object, queries: Sequence[Query], keys: Sequence[Key]) -> None:
    """Refuse weights by place where the runs do not stand in one order in all queries."""
    if not isinstance(weights, list):
        return
    places = {key: place for place, key in enumerate(keys)}
    for query in queries:
        own = [places[key] for key in query.keys]
        if own != sorted(own):
            raise InvalidParams(
                "the runs stand in another order here than before, so their places tell no "
                "weights; name the runs and weigh them by name",
                path=f"{query.path}.runs",
            )


def grouped(queries: Iterable[Query]) -> Iterator[list[Query]]:
    """Yield the queries that are fused at once; what they share is said once.

    Queries whose runs say the same of themselves wherever they stand are fused together, though
    each may lack runs of the others; the rest only with those of its very signature. Looking for
    the fewest groups would compare each query with every group.
    """
    agreed: dict[Key, bytes] = {}
    together: list[Query] = []
    groups: dict[Signature, list[Query]] = {}
    for query in queries:
        signature = query.signature
        if signature is None:
            yield [query]
        elif all(agreed.get(key, about) == about for key, about in signature):
            agreed.update(signature)
            together.append(query)
        else:
            groups.setdefault(signature, []).append(query)
    if together:
        yield together
    yield from groups.values()


def count_pairs(queries: Iterable[Query], keys: Sequence[Key]) -> int:
    """Return how many more pairs of a fusion and a run there are than if all runs were sent.

    A list that a query lacks, among others that are fused at once, costs a small part of a pair.
    """
    pairs = -len(keys)
    for group in grouped(queries):
        lacking = len(group) * len(keys) - sum(len(query.runs) for query in group)
        pairs += len(keys) + (lacking // LACKING_A_PAIR if len(group) > 1 else 0)
    return pairs


def runs_alone(query: Query, keys: Sequence[Key]) -> list[object]:
    """Return the runs of one query as a request for it alone has them."""
    if not query.has_distinct_runs:
        return list(query.runs)
    own = dict(zip(query.keys, query.runs, strict=True))
    return [own.get(key, _absent(key)) for key in keys]


def runs_together(queries: Sequence[Query], keys: Sequence[Key]) -> list[object]:
    """Return the runs of queries that are fused at once, one list a query."""
    columns: dict[Key, dict[int, Mapping[str, object]]] = {}
    for place, query in enumerate(queries):
        for key, run in zip(query.keys, query.runs, strict=True):
            columns.setdefault(key, {})[place] = run
    return [
        _together(columns[key], len(queries)) if key in columns else _absent(key) for key in keys
    ]


def _together(records: Mapping[int, Mapping[str, object]], queries: int) -> dict[str, object]:
    first = next(iter(records.values()))
    lists: dict[str, list[object]] = {name: [[]] * queries for name in LISTS if name in first}
    for place, record in records.items():
        for name, column in lists.items():
            column[place] = record[name]
    return {**first, **lists}


def _absent(key: Key) -> dict[str, object]:
    return {"ids": [], **({NAME: key} if isinstance(key, str) else {})}


def _query(item: object, place: int) -> Query:
    path = f"{QUERIES}[{place}]"
    if not isinstance(item, Mapping):
        raise DtypeError("a query is an object with an id and runs", path=path)
    name = _id(item.get(ID), f"{path}.id")
    try:
        return Query(place, name, _runs(item, path))
    except InvalidInput as error:
        return Query(place, name, (), error)


def _runs(item: Mapping[str, object], path: str) -> Sequence[Mapping[str, object]]:
    for name in item:
        if name not in MEMBERS:
            raise InvalidInput(
                f"a query has no member {quoted(name)}{did_you_mean(name, MEMBERS)}; it has "
                f"{' and '.join(MEMBERS)}",
                path=f"{path}.{printable_name(name)}",
            )
    runs = item.get(RUNS)
    if not isinstance(runs, list) or not all(isinstance(run, Mapping) for run in runs):
        raise DtypeError("runs are a list of objects with ids and scores", path=f"{path}.runs")
    return runs


def _id(value: object, path: str) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value:
        raise DtypeError("a query is named by a string or an integer", path=path)
    return value


def _is_plain(run: Mapping[str, object]) -> bool:
    """Return whether a run holds flat lists under the usual names."""
    return isinstance(run.get("ids"), list) and all(
        isinstance(run[name], list) or (isinstance(run[name], np.ndarray) and run[name].ndim == 1)  # type: ignore[attr-defined]
        for name in LISTS & run.keys()
    )


def _about(run: Mapping[str, object]) -> bytes | None:
    """Return what a run says of itself beside its lists; None for what has no one spelling."""
    rest = {name: value for name, value in run.items() if name not in LISTS}
    rest["scored"] = "scores" in run
    options = orjson.OPT_SORT_KEYS | orjson.OPT_SERIALIZE_NUMPY
    try:
        return orjson.dumps(rest, option=options)
    except orjson.JSONEncodeError:
        return None
