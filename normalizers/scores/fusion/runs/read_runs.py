"""Runs read from a request: every list best first, once each id, with its ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from normalizers.contract import Batch, Notice, notice
from normalizers.data.arrays import Array
from normalizers.data.batch import PLAIN
from normalizers.data.ragged import Ragged, offsets_of
from normalizers.errors import InvalidInput, NonFiniteError, ShapeError
from normalizers.kernels import ranking, segments
from normalizers.kernels.factorize import FactorizedIds, factorize
from normalizers.kernels.list_order import sorted_lists
from normalizers.messages import unknown
from normalizers.scores.base.similarity import SIMILARITIES
from normalizers.scores.fusion.runs.run import ReadRules, Run, RunNanPolicy

MIXED_IDS = "integers and strings are mixed as ids; integers count as their decimal text"


def read_runs(
    batch: Batch,
    rules: ReadRules,
    path: str = "input.runs",
    directions: Sequence[bool | None] | None = None,
) -> tuple[list[Run], list[Notice]]:
    """Return the runs of a request and what was noticed about them; `path` is where they stand.

    `directions` holds for runs that do not say theirs, before that of the rules.

    Raises
    ------
    InvalidInput
        No runs, a name twice, an unknown similarity, an id twice where that is an error.
    ShapeError
        Runs with different numbers of queries.
    """
    found = batch.records("runs")
    if not found:
        raise InvalidInput("at least one run is needed", path=path)
    lists = [record.ragged("ids") for record in found]
    absent = [
        record.forms.get("ids", PLAIN).style == "flat" and not len(ids.values)
        for record, ids in zip(found, lists, strict=True)
    ]
    queries = _queries(lists, absent, path)
    names = _names(found, path)
    nothing = Ragged(np.empty(0, dtype=object), offsets_of([0] * queries))
    ids = factorize([nothing if none else own for own, none in zip(lists, absent, strict=True)])
    read = [
        _run(record, name, coded, own, f"{path}[{index}]")
        for index, (record, name, coded, own) in enumerate(
            zip(found, names, ids, _rules_by_run(rules, found, directions), strict=True)
        )
    ]
    notices = [noted for _, notices in read for noted in notices]
    return [run for run, _ in read], [*notices, *_mixed(found, path)]


def _rules_by_run(
    rules: ReadRules, found: Sequence[Batch], directions: Sequence[bool | None] | None
) -> list[ReadRules]:
    return [
        rules if direction is None else replace(rules, higher_is_better=direction)
        for direction in directions or [None] * len(found)
    ]


def _mixed(found: Sequence[Batch], path: str) -> list[Notice]:
    """Tell of runs with integers beside runs with strings; a mixed run was told of before."""
    written = [record.forms.get("ids", PLAIN).ids for record in found]
    if len(frozenset().union(*written)) < 2 or any(len(kinds) > 1 for kinds in written):
        return []
    return [notice("mixed_id_types", MIXED_IDS, path=path)]


def _queries(lists: Sequence[Ragged], absent: Sequence[bool], path: str) -> int:
    """Return the number of queries; one empty list stands for no hits of any query."""
    sizes = {index: len(ids) for index, ids in enumerate(lists) if not absent[index]}
    expected = next(iter(sizes.values()), 1)
    for index, size in sizes.items():
        if size != expected:
            raise ShapeError(
                f"this run has lists for {size} queries, the first one for {expected}",
                path=f"{path}[{index}].ids",
            )
    return expected


def _names(found: Sequence[Batch], path: str) -> list[str | int]:
    names: dict[str | int, None] = {}
    for index, record in enumerate(found):
        name = str(record["name"]) if "name" in record else index
        if name in names:
            raise InvalidInput("another run has this name", path=f"{path}[{index}].name")
        names[name] = None
    return list(names)


def _run(
    record: Batch, name: str | int, ids: FactorizedIds, rules: ReadRules, path: str
) -> tuple[Run, list[Notice]]:
    raw = _raw(record, ids.codes, rules.nan_policy, path)
    if rules.nan_policy == "omit" and np.isnan(raw).any():
        ids, raw = ids.filter(~np.isnan(raw)), raw[~np.isnan(raw)]
    higher_is_better = _direction(record, rules.higher_is_better, path)
    similarity = str(record["similarity"]) if "similarity" in record else None
    keys, by_score = _keys(ids.codes.with_values(raw), higher_is_better, rules.nan_policy)
    if rules.ties != "average" and rules.order == "id" and _stand_best_first(keys, ids.codes):
        places = np.arange(1, len(raw) + 1) - segments.broadcast(keys.offsets[:-1], keys)
        run = Run(name, ids, raw, places, higher_is_better, similarity)
        return _cut(run, rules.depth), []
    repeated = _repeated(ids.codes)
    if rules.duplicates == "error":
        _check_repeated(record, ids.codes, repeated, path)
    if rules.order == "trec":
        place = ranking.order_as_trec(keys, ids.codes.values)
    else:
        place = ranking.order_lists(keys, ids.codes.values)
    ordered = ids.take(place)
    if rules.duplicates in ("best", "first") and repeated.any():
        dropped = _repeated(ordered.codes) if rules.duplicates == "best" else repeated[place]
        ordered, place = ordered.filter(~dropped), place[~dropped]
    ranks = ranking.rank_lists(ordered.codes.with_values(keys.values[place]), rules.ties)
    run = Run(name, ordered, raw[place], ranks, higher_is_better, similarity)
    return _cut(run, rules.depth), list(_noticed(name, keys, by_score, repeated))


def _direction(record: Batch, default: bool, path: str) -> bool:
    stated = bool(record["higher_is_better"]) if "higher_is_better" in record else None
    if "similarity" not in record:
        return default if stated is None else stated
    similarity = str(record["similarity"])
    if similarity not in SIMILARITIES:
        raise InvalidInput(
            unknown("similarity", similarity, SIMILARITIES),
            path=f"{path}.similarity",
        )
    implied = SIMILARITIES[similarity]
    if stated is not None and stated != implied:
        raise InvalidInput(
            f"'{similarity}' means higher_is_better {str(implied).lower()}",
            path=f"{path}.higher_is_better",
        )
    return implied


def _raw(record: Batch, ids: Ragged, nan_policy: RunNanPolicy, path: str) -> Array:
    if "scores" not in record:
        if nan_policy == "reject" and len(ids.values):
            raise InvalidInput("this fusion needs the scores of every run", path=f"{path}.scores")
        return np.full(len(ids.values), np.nan)
    scores = record.ragged("scores").values
    if nan_policy in ("omit", "last"):
        return np.where(np.isfinite(scores), scores, np.nan)
    _refuse(record, np.isinf(scores), "a score is infinite", path)
    if nan_policy == "reject":
        hint = "a score is missing (null or NaN); nan_policy 'omit' or 'last' allows it"
        _refuse(record, np.isnan(scores), hint, path)
    return scores


def _refuse(record: Batch, wrong: Array, message: str, path: str) -> None:
    where = np.flatnonzero(wrong)
    if len(where):
        scores = record.ragged("scores")
        place = path + ".scores" + _place(record, *scores.position(int(where[0])))
        positions = scores.positions(where).tolist()
        raise NonFiniteError(message, path=place, positions=positions)


def _place(record: Batch, query: int, position: int) -> str:
    if record.form("ids").style in ("flat", "offsets"):
        return f"[{int(record.ragged('ids').offsets[query]) + position}]"
    return f"[{query}][{position}]"


def _keys(raw: Ragged, higher_is_better: bool, nan_policy: RunNanPolicy) -> tuple[Ragged, Array]:
    """Return what lists are ordered by, more is better, and which lists are by their scores."""
    directed = raw.with_values(raw.values if higher_is_better else -raw.values)
    missing = np.isnan(raw.values)
    if nan_policy != "position" or not missing.any():
        return directed, np.ones(len(raw), dtype=bool)
    by_score = segments.counts(raw, missing) == 0
    position = segments.broadcast(raw.offsets[:-1], raw) - np.arange(len(raw.values))
    keys = np.where(segments.broadcast(by_score, raw), directed.values, position)
    return raw.with_values(keys), by_score


def _stand_best_first(keys: Ragged, codes: Ragged) -> bool:
    """Return whether every list stands in its order, without ties, and holds each id once.

    So most runs come, and nothing is left to sort or to tell of.
    """
    falls = keys.values[1:] < keys.values[:-1]
    if len(keys) == 1:
        return bool(falls.all()) and len(set(codes.values.tolist())) == len(codes.values)
    starts = keys.offsets[1:-1]
    falls[starts[(starts > 0) & (starts < len(keys.values))] - 1] = True
    return bool(falls.all()) and not _repeated(codes).any()


def _repeated(codes: Ragged) -> Array:
    """Return which ids stood in their list before, shape (N,)."""
    repeated = np.zeros(len(codes.values), dtype=bool)
    ordered = sorted_lists(codes)
    for query in _lists_where(ordered, ordered.values[1:] == ordered.values[:-1]).tolist():
        start, stop = codes.offsets[query : query + 2].tolist()
        _, first = np.unique(codes.values[start:stop], return_index=True)
        repeated[start:stop] = True
        repeated[start + first] = False
    return repeated


def _lists_where(lists: Ragged, of_neighbours: Array) -> Array:
    """Return the lists in which something holds of two neighbours, a mask of shape (N - 1,)."""
    if not of_neighbours.any():
        return np.empty(0, dtype=np.int64)
    part = lists.part_of_each()
    return np.unique(part[1:][of_neighbours & (part[1:] == part[:-1])])


def _check_repeated(record: Batch, ids: Ragged, repeated: Array, path: str) -> None:
    where = np.flatnonzero(repeated)
    if len(where):
        more = f" ({len(where)} of them)" if len(where) > 1 else ""
        position = ids.position(int(where[0]))
        raise InvalidInput(
            f"an id stands in its list twice{more}, and duplicates is 'error'",
            path=f"{path}.ids" + _place(record, *position),
            positions=[position],
        )


def _noticed(name: str | int, keys: Ragged, by_score: Array, repeated: Array) -> Iterator[Notice]:
    if repeated.any():
        message = "an id stands in a list of this run more than once"
        yield notice("duplicate_ids", message, run=name, count=int(repeated.sum()))
    disagree = _lists_where(keys, keys.values[1:] > keys.values[:-1])
    count = int(by_score[disagree].sum())
    if count:
        message = "the order of a list contradicts its scores; the scores decide"
        yield notice("order_disagrees", message, run=name, count=count)


def _cut(run: Run, depth: int | None) -> Run:
    lists = run.lists
    if depth is None or not (lists.lengths > depth).any():
        return run
    place = np.arange(len(lists.values)) - segments.broadcast(lists.offsets[:-1], lists)
    inside = place < depth
    return replace(
        run, coded=run.coded.filter(inside), raw=run.raw[inside], ranks=run.ranks[inside]
    )
