"""Golden words of the fusions, beside those of list normalizers and calibrators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tests.golden import derive, plays
from tests.golden.answers import entries, members, read
from tests.golden.case import Case
from tests.golden.request import Members, Unsupported
from tests.golden.tables import scores_calibrators, scores_lists
from tests.golden.tables.entry import Entry, Rule
from tests.golden.tables.rules import implied, remark, same

# The best sum of 1 / (k + rank) is 1 / (k + 1).
FIRST_RANK = 1


def _runs(case: Case) -> Members:
    """Return for every query one record a run; golden lists are those of one query."""
    directions = case.params.get("higher_is_better")
    if "lists" in case.input:
        lists = [[entries(hit) for hit in entries(hits)] for hits in entries(case.input["lists"])]
        return {"": _records([_hits(hits) for hits in lists], directions)}
    runs = [members(run) for run in entries(case.input["runs"])]
    queries = dict.fromkeys(query for run in runs for query in run)
    return {
        query: _records([_hits(members(run.get(query, {})).items()) for run in runs], directions)
        for query in queries
    }


def _hits(hits: Iterable[Sequence[object]]) -> dict[str, object]:
    pairs = list(hits)
    return {"ids": [hit[0] for hit in pairs], "scores": [hit[1] for hit in pairs]}


def _records(runs: Sequence[Members], directions: object) -> list[Members]:
    """Return the runs named by position, with their directions when every run has its own."""
    each: list[Members] = [{}] * len(runs)
    if isinstance(directions, list):
        each = [{"higher_is_better": direction} for direction in directions]
    return [
        {"name": f"run {index}", **run, **own}
        for index, (run, own) in enumerate(zip(runs, each, strict=True))
    ]


def _explain(case: Case) -> Members:
    return {"explain": True} if "contributions" in case.expected else {}


def _directions(value: object, params: Members) -> Members:
    """Keep one direction for all runs; a list of them stands in the runs."""
    return {} if isinstance(value, list) else {"higher_is_better": value}


def _scale(value: object, params: Members) -> Members:
    """Return the output whose best score is 1; golden cases write the factor k + 1."""
    weights = [float(str(weight)) for weight in entries(params["weights"])]
    if value != float(str(params["k"])) + FIRST_RANK or sum(weights) != 1:
        raise Unsupported(f"scale {value!r}")
    return {"output": "unit"}


def _own_constant(value: object, params: Members) -> Members:
    """Return the paper's constant for one that counts positions from 0."""
    return {"k": float(str(value)) - FIRST_RANK}


RANK_PARAMS: dict[str, Rule] = {
    "k": same("k"),
    "weights": same("weights"),
    "norm": implied(None),
    "rank_base": implied(1),
    "tie_break": implied("id_asc"),
    "scale": _scale,
    "duplicates": same("duplicates"),
    "higher_is_better": _directions,
    "note": remark,
    "formula": remark,
}
FUSED = {
    "scores": (read("fused", "sent", by=derive.fused_scores),),
    "order": (read("first.output.ids"),),
    "contributions": (read("first.explain", by=derive.contributions),),
    "error": (read("fused"),),
}


TABLE: Mapping[str, Entry] = {
    **scores_lists.TABLE,
    **scores_calibrators.TABLE,
    "fuse/rrf": Entry(
        method="rrf",
        play=plays.fused,
        params=RANK_PARAMS,
        off={},
        given=_runs,
        options=_explain,
        readings=FUSED,
    ),
    "fuse/rrf_qdrant_weighted": Entry(
        method="rrf",
        play=plays.fused,
        params=RANK_PARAMS | {"k": _own_constant},
        off={"weight_mode": "stretch"},
        given=_runs,
        options=_explain,
        readings=FUSED,
    ),
}
