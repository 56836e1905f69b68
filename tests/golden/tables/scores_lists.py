"""Golden words of the list normalizers."""

from __future__ import annotations

from collections.abc import Mapping

from tests.golden import derive, plays
from tests.golden.answers import Reading, entries, members, read
from tests.golden.case import Case
from tests.golden.request import Members
from tests.golden.tables.entry import Entry, Rule
from tests.golden.tables.rules import constant_value, implied, remark, same, turned


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
    """Return one record a run with its lists of all queries."""
    return {
        "runs": [
            {
                "ids": [list(members(hits)) for hits in members(run).values()],
                "scores": [list(members(hits).values()) for hits in members(run).values()],
            }
            for run in entries(case.input["runs"])
        ]
    }


def _end(end: str) -> Rule:
    def rule(value: object, params: Members) -> Members:
        given = members(value)
        scores = [score for name, score in given.items() if name.endswith("_score")]
        return {"bounds": "fixed", f"{end}_mode": given["mode"], end: scores[0]}

    return rule


BY_LIST = {
    "values": (read("output.values"),),
    "scores": (read("sent.scores", "output.values", by=derive.by_document),),
    "lists": (read("sent.lists", "output.values", by=derive.by_hit),),
    "error": (read("output"),),
}
SHARED: dict[str, Rule] = {
    "constant_value": constant_value,
    "higher_is_better": same("higher_is_better"),
    "floor": same("floor"),
    "clip": same("clip"),
    "nan_policy": same("nan_policy"),
    "scope": same("scope"),
    "note": remark,
}
# Elasticsearch leaves a missing score in place.
NAN = turned("nan_policy", {"keep": "propagate"})


def _normalizer(
    method: str,
    params: Mapping[str, Rule] | None = None,
    off: Members | None = None,
    fitted: Mapping[str, Reading] | None = None,
) -> Entry:
    return Entry(
        method=method,
        play=plays.stored if fitted else plays.stateless,
        params=SHARED | dict(params or {}),
        off=off or {},
        source=_source,
        given=_lists,
        readings={**BY_LIST, **{name: (reading,) for name, reading in (fitted or {}).items()}},
    )


ENDS = {"lower": _end("lower"), "upper": _end("upper")}
DDOF = {"ddof": same("ddof")}
TABLE: Mapping[str, Entry] = {
    "normalize/min_max": _normalizer("min_max", ENDS),
    "normalize/min_max_inverted": _normalizer("min_max", ENDS, {"higher_is_better": False}),
    "normalize/min_max_bounds_opensearch": _normalizer("min_max", ENDS),
    "normalize/percentile": _normalizer("percentile", {"kind": same("kind")}),
    "normalize/quantile": _normalizer(
        "quantile_transform", {"n_quantiles": same("n_quantiles"), "output": same("output")}
    ),
    "normalize/zmuv": _normalizer("z_score", DDOF, {"ddof": 0}),
    "normalize/z_sigmoid": _normalizer("z_sigmoid", DDOF, {"ddof": 0}),
    "normalize/normal_cdf": _normalizer("normal_cdf", DDOF, {"ddof": 0}),
    "normalize/gamma_cdf": _normalizer(
        "gamma_cdf",
        {"loc": implied(0)},
        fitted={"shape": read("fitted.shape"), "scale": read("fitted.scale")},
    ),
    "normalize/max": _normalizer("max"),
    "normalize/sum": _normalizer("sum"),
    "normalize/l2": _normalizer("l2", {"nan": NAN}),
    "normalize/borda": Entry(
        method="borda",
        play=plays.stateless,
        params=SHARED,
        off={},
        given=_runs,
        readings={"runs": (read("sent.runs", "output.runs", by=derive.by_run),)},
    ),
    "normalize/rank": _normalizer("rank"),
    "normalize/reciprocal_rank": _normalizer("reciprocal_rank", {"k": same("k")}),
    "normalize/sigmoid": _normalizer(
        "sigmoid", {"scale": same("slope"), "shift": same("intercept")}
    ),
    "normalize/milvus": _normalizer("milvus_map", {"metric": same("similarity")}),
    "normalize/positive_map_elastic": _normalizer("positive_map"),
}
