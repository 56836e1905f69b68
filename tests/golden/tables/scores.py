"""Golden words of the score normalizers and fusions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tests.golden import derive, plays
from tests.golden.answers import entries, members, read
from tests.golden.case import Case
from tests.golden.request import Members, Unsupported
from tests.golden.tables import scores_calibrators
from tests.golden.tables.entry import Entry, Rule
from tests.golden.tables.rules import constant_value, implied, remark, same

# The best sum of 1 / (k + rank) is 1 / (k + 1).
FIRST_RANK = 1


def _source(case: Case) -> Members:
    return {"fit": {"scores": case.fit["scores"]}} if "scores" in case.fit else {}


def _lists(case: Case) -> Members:
    return {"scores": _sent(case.input)}


def _sent(sent: Members) -> object:
    if "values" in sent:
        return sent["values"]
    if "lists" in sent:
        return [[entries(hit)[1] for hit in entries(hits)] for hits in entries(sent["lists"])]
    scores = sent["scores"]
    if isinstance(scores, list):
        return scores
    return [list(members(hits).values()) for hits in members(scores).values()]


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


def _end(end: str) -> Rule:
    def rule(value: object, params: Members) -> Members:
        given = members(value)
        scores = [score for name, score in given.items() if name.endswith("_score")]
        return {"bounds": "fixed", f"{end}_mode": given["mode"], end: scores[0]}

    return rule


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


BY_LIST = {
    "values": (read("output.values"),),
    "scores": (read("sent.scores", "output.values", by=derive.by_document),),
    "lists": (read("sent.lists", "output.values", by=derive.by_hit),),
    "error": (read("output"),),
}
LIST_PARAMS: dict[str, Rule] = {
    "constant_value": constant_value,
    "higher_is_better": same("higher_is_better"),
    "floor": same("floor"),
    "clip": same("clip"),
    "nan_policy": same("nan_policy"),
    "scope": same("scope"),
    "note": remark,
}
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


def _min_max(off: Members) -> Entry:
    return Entry(
        method="min_max",
        play=plays.stateless,
        params=LIST_PARAMS | {"lower": _end("lower"), "upper": _end("upper")},
        off=off,
        source=_source,
        given=_lists,
        readings=BY_LIST,
    )


TABLE: Mapping[str, Entry] = {
    **scores_calibrators.TABLE,
    "normalize/min_max": _min_max({}),
    "normalize/min_max_inverted": _min_max({"higher_is_better": False}),
    "normalize/min_max_bounds_opensearch": _min_max({}),
    "normalize/percentile": Entry(
        method="percentile",
        play=plays.stateless,
        params=LIST_PARAMS | {"kind": same("kind")},
        off={},
        source=_source,
        given=_lists,
        readings=BY_LIST,
    ),
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
