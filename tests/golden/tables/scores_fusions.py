"""Golden words of the fusions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from tests.golden import derive, plays
from tests.golden.answers import entries, members, read
from tests.golden.case import Case
from tests.golden.request import Members, Unsupported
from tests.golden.tables.entry import Entry, Rule
from tests.golden.tables.rules import constant_value, implied, remark, same

# The best sum of 1 / (k + rank) is 1 / (k + 1).
FIRST_RANK = 1
# Parameters of the normalizer of the runs; those with a list of values have one a run.
OF_NORMALIZER = ("norm", "constant_value", "ddof", "n_sigma", "clip", "floor")
BY_RUN = ("theoretical_min",)


def runs_by_query(case: Case) -> Members:
    """Return for every query one record a run; golden lists are those of one query."""
    if "lists" in case.input:
        lists = [[entries(hit) for hit in entries(hits)] for hits in entries(case.input["lists"])]
        return {"": _records([record_of(hits) for hits in lists], case.params)}
    runs = [members(run) for run in entries(case.input["runs"])]
    queries = dict.fromkeys(query for run in runs for query in run)
    return {
        query: _records(
            [record_of(members(run.get(query, {})).items()) for run in runs], case.params
        )
        for query in queries
    }


def record_of(hits: Iterable[Sequence[object]]) -> dict[str, object]:
    pairs = list(hits)
    return {"ids": [hit[0] for hit in pairs], "scores": [hit[1] for hit in pairs]}


def _records(runs: Sequence[Members], params: Members) -> list[Members]:
    """Return the runs named by position, with what every run has of its own."""
    each: list[Members] = [{}] * len(runs)
    directions = params.get("higher_is_better")
    if isinstance(directions, list):
        each = [{"higher_is_better": direction} for direction in directions]
    if "theoretical_min" in params:
        ends = entries(params["theoretical_min"])
        own = [{"method": params["norm"], "params": {"theoretical_min": end}} for end in ends]
        each = [{**run, "normalizer": one} for run, one in zip(each, own, strict=True)]
    return [
        {"name": f"run {index}", **run, **own}
        for index, (run, own) in enumerate(zip(runs, each, strict=True))
    ]


def _one_document(case: Case) -> Members:
    """Return a run a score, each of the same document."""
    scores = entries(case.input["normalized"])
    runs = [{"ids": ["document"], "scores": [score]} for score in scores]
    return {"": _records(runs, case.params)}


def _explain(case: Case) -> Members:
    return {"explain": True} if case.expected.keys() & {"contributions", "normalized"} else {}


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


def normalizer(standard: str) -> Rule:
    """Gather the parameters of the normalizer in one object."""

    def rule(value: object, params: Members) -> Members:
        method = params.get("norm", standard) or "identity"
        own: dict[str, object] = {}
        for name in OF_NORMALIZER[1:]:
            if name == "constant_value" and name in params:
                own |= constant_value(params[name], params)
            elif name in params:
                own[name] = params[name]
        return {"normalizer": {"method": method, "params": own}}

    return rule


SHARED: dict[str, Rule] = {
    "tie_break": implied("id_asc"),
    "duplicates": same("duplicates"),
    "higher_is_better": _directions,
    "note": remark,
    "formula": remark,
}
RANK_PARAMS: dict[str, Rule] = SHARED | {
    "norm": implied(None),
    "rank_base": implied(1),
    **{name: same(name) for name in ("k", "weights", "sigma", "phi")},
    "scale": _scale,
}
FUSED = {
    "scores": (read("fused", "expected.scores", by=derive.fused_scores),),
    "score": (read("first.output.scores", by=derive.only),),
    "order": (read("first.output.ids"),),
    "contributions": (read("first.explain", by=derive.contributions),),
    "normalized": (read("first.explain", by=derive.normalized),),
    "error": (read("fused"),),
}
ZERO = {"missing": "zero"}


def _by_rank(method: str) -> Entry:
    return Entry(
        method=method,
        play=plays.fused,
        params=RANK_PARAMS,
        off={},
        given=runs_by_query,
        options=_explain,
        readings=FUSED,
    )


def _by_score(method: str, off: Members, standard: str = "min_max") -> Entry:
    rule = normalizer(standard)
    own = {"weights": same("weights"), "gamma": same("gamma"), "alpha": same("alpha")}
    of_normalizer = dict.fromkeys(OF_NORMALIZER, rule)
    return Entry(
        method=method,
        play=plays.fused,
        params=SHARED
        | own
        | of_normalizer
        | {"alpha_applies_to": lambda value, _: {"alpha_run": value}}
        | dict.fromkeys(BY_RUN, remark),
        off=off,
        given=runs_by_query,
        options=_explain,
        readings=FUSED,
    )


def _convex(value: object, params: Members) -> Members:
    return {} if "theoretical_min" in params else normalizer("min_max")(value, params)


def _combined(value: object, params: Members) -> Members:
    if value != "max":
        raise Unsupported(f"combine {value!r}")
    return {"missing": None}


def _dbsf() -> Entry:
    """Return distribution-based scores, added up or, where the case says so, the highest."""
    summed = _by_score("combsum", ZERO, "dbsf")
    return replace(
        summed,
        params=summed.params | {"combine": _combined},
        method_of=lambda case: "combmax" if "combine" in case.params else "combsum",
    )


def _mean(method: str) -> Entry:
    return replace(_by_score(method, {"normalizer": "identity"}), given=_one_document)


def _with_own_minima(entry: Entry) -> Entry:
    return replace(entry, params=entry.params | {"norm": _convex})


SKIPPING = ("combmnz", "combanz", "combmed", "combmin", "combmax", "gmnz", "wmnz", "mixed")
BY_RANK = ("rrf", "isr", "log_isr", "logn_isr", "rbc", "bordafuse", "w_bordafuse", "condorcet")

TABLE: Mapping[str, Entry] = {
    **{f"fuse/{method}": _by_rank(method) for method in BY_RANK},
    "fuse/rrf_qdrant_weighted": replace(
        _by_rank("rrf"), params=RANK_PARAMS | {"k": _own_constant}, off={"weight_mode": "stretch"}
    ),
    **{f"fuse/{method}": _by_score(method, {}) for method in SKIPPING},
    **{f"fuse/{method}": _by_score(method, ZERO) for method in ("combsum", "wsum")},
    "fuse/convex": _with_own_minima(_by_score("convex", ZERO)),
    "fuse/dbsf": _dbsf(),
    **{
        f"combine/{method}": _mean(method)
        for method in ("arithmetic_mean", "geometric_mean", "harmonic_mean")
    },
}
