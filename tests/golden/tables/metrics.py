"""Golden words of the metric alignment methods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tests.golden import derive, plays
from tests.golden.answers import entries, members, read
from tests.golden.case import Case
from tests.golden.request import Members
from tests.golden.tables.entry import Entry, Rule
from tests.golden.tables.rewards import REWARDS_TABLE
from tests.golden.tables.rules import remark, same, turned


def _rows(scores: object) -> dict[str, object]:
    groups = members(scores)
    return {
        "x": [score for rows in groups.values() for score in entries(rows)],
        "groups": [group for group, rows in groups.items() for _ in entries(rows)],
    }


def _source(case: Case) -> Members:
    return {"fit": _rows(case.fit["scores"])}


def _levelled_source(case: Case) -> Members:
    levels = entries(case.params["levels"])
    return {
        "fit": {
            **_rows(case.fit["scores"]),
            "qualities": [level for _ in members(case.fit["scores"]) for level in levels],
        }
    }


def _given(case: Case) -> Members:
    return _rows(case.input["scores"])


def _rated(case: Case) -> Members:
    return {"scores": case.input["metric"], "qualities": case.input["human"]}


def _linked(case: Case) -> Members:
    rows = entries(case.fit["source"])
    fit = {"x": rows, "groups": ["k"] * len(rows), "reference": entries(case.fit["target"])}
    return {"fit": fit}


def _linked_to_reference(case: Case) -> Members:
    rows = entries(case.fit["source"])
    fit = {"x": rows, "groups": ["k"] * len(rows), "reference": entries(case.fit["reference"])}
    return {"fit": fit}


def _counted(case: Case) -> Members:
    counts, reference = (
        {"bins": [float(score) for score in held], "counts": list(held.values())}
        for held in (members(case.fit["source_counts"]), members(case.fit["target_counts"]))
    )
    return {"statistics": {"counts": {"k": counts}, "counts_reference": reference}}


def _alone(case: Case) -> Members:
    rows = entries(case.input["scores"])
    return {"x": rows, "groups": ["k"] * len(rows)}


def _averaged(case: Case) -> Members:
    scores = members(case.input["scores"])
    return {
        "x": [score for of_system in scores.values() for score in members(of_system).values()],
        "systems": [system for system, of_system in scores.items() for _ in members(of_system)],
        "groups": [group for of_system in scores.values() for group in members(of_system)],
    }


PARAMS: dict[str, Rule] = {
    "ddof": same("ddof"),
    "on_few": same("on_few"),
    "nan_policy": same("nan_policy"),
}
BY_GROUP = (read("sent.scores", "output.y", by=derive.by_group),)
MEAN = (read("fitted.keys", "fitted.mean", by=derive.by_key),)
STD = (read("fitted.keys", "fitted.std", by=derive.by_key),)

LINK = Entry(
    method="link_mean",
    play=plays.stored,
    params={},
    off={},
    source=_linked,
    given=_alone,
    readings={"scores": (read("output.y"),)},
)

SCALED = Entry(
    method="group_min_max",
    play=plays.stored,
    params={"clip": same("clip")},
    off={},
    source=_source,
    given=_given,
    readings={"scores": BY_GROUP},
)


def _rated_anchors(case: Case) -> Members:
    scores = entries(case.fit.get("scores", case.fit.get("anchor_scores")))
    qualities = entries(case.fit.get("quality", case.fit.get("anchor_quality")))
    return {"fit": {"x": scores, "groups": ["k"] * len(scores), "qualities": qualities}}


ANCHORED = Entry(
    method="anchor_isotonic",
    play=plays.stored,
    params={"out_of_bounds": turned("out_of_bounds", {"clip": "clip", "nan": "missing"})},
    off={},
    source=_rated_anchors,
    given=_alone,
    readings={
        "quality": (read("output.y"),),
        "x_thresholds": (read("fitted.x_thresholds"),),
        "y_thresholds": (read("fitted.y_thresholds"),),
    },
)


def _rows_of_systems(case: Case) -> Members:
    metrics = [name for name in case.input if name != "systems"]
    rows = zip(*(entries(case.input[name]) for name in metrics), strict=True)
    return {"x": list(map(list, rows)), "systems": entries(case.input["systems"])}


def _directions(case: Case) -> Members:
    lower = members(case.params.get("lower_is_better", {}))
    metrics = [name for name in case.input if name != "systems"]
    return {"higher_is_better": [not lower.get(name, False) for name in metrics]}


def _percent(case: Case) -> Members:
    return {"accuracy_percent": [100 * float(str(case.input["accuracy"]))]}


RANKED = Entry(
    method="autorank",
    play=plays.stateless,
    params={"lower_is_better": remark, "worst_rank": same("worst_rank")},
    off={"variant": "2024"},
    settings=_directions,
    given=_rows_of_systems,
    readings={
        "rank_metricx": (read("output.ranks", by=derive.first_column),),
        "rank_cometkiwi": (read("output.ranks", by=derive.second_column),),
        "autorank": (read("output.autorank", by=derive.squeezed),),
    },
)


def _p_values(case: Case) -> Members:
    return {
        "p_values": case.input["metric_p"],
        "quality_p_values": case.input["human_p"],
    }


TABLE: Mapping[str, Entry] = {
    "tie_calibrated_accuracy": Entry(
        method="tie_calibrated_accuracy",
        play=plays.evaluated,
        params={},
        off={},
        given=_rated,
        readings={
            "accuracy": (read("value"),),
            "threshold": (read("answer.params.tie_epsilon"),),
        },
    ),
    "soft_pairwise_accuracy": Entry(
        method="soft_pairwise_accuracy",
        play=plays.evaluated,
        params={},
        off={},
        given=_p_values,
        readings={"spa": (read("value"),)},
    ),
    "autorank_minmax": RANKED,
    "median_interpercentile": replace(
        RANKED,
        params={"low": remark, "high": remark, "eps": remark},
        off={"variant": "2025"},
        readings={
            "z_mean": (read("output.scaled", by=derive.mean_of_columns),),
            "autorank": (read("output.autorank", by=derive.squeezed),),
        },
    ),
    "delta_to_accuracy": Entry(
        method="accuracy_curve",
        play=plays.stateless,
        params={"metric": same("metric"), "unit": remark},
        off={},
        given=lambda case: {"deltas": [case.input["delta"]]},
        readings={"accuracy_percent": (read("output.accuracy_percent", by=derive.squeezed),)},
    ),
    "accuracy_to_delta": Entry(
        method="accuracy_curve",
        play=plays.undone,
        params={"metric": same("metric")},
        off={},
        given=_percent,
        readings={"delta": (read("output.deltas", by=derive.squeezed),)},
    ),
    "anchor_isotonic": ANCHORED,
    "anchor_piecewise_linear": replace(
        ANCHORED, method="anchor_piecewise_linear", params={"extrapolate": same("out_of_bounds")}
    ),
    "anchor_linear": replace(
        ANCHORED,
        method="anchor_linear",
        params={"direction": same("regression")},
        readings={
            "quality": (read("output.y"),),
            "slope": (read("fitted.slope", by=derive.squeezed),),
            "intercept": (read("fitted.intercept", by=derive.squeezed),),
        },
    ),
    "baseline_rescale": Entry(
        method="baseline_rescale",
        play=plays.stateless,
        params={"clip": same("clip")},
        off={},
        settings=lambda case: dict(case.fit),
        given=lambda case: {"x": case.input["scores"]},
        readings={"scores": (read("output.y"),)},
    ),
    **REWARDS_TABLE,
    "group_minmax": SCALED,
    "group_percentile": replace(SCALED, method="group_percentile", params={"kind": same("kind")}),
    "group_robust": replace(
        SCALED,
        method="group_robust",
        params={"center": same("center"), "scale": same("scale")},
        readings={
            "scores": BY_GROUP,
            "center": (read("fitted.median", by=derive.squeezed),),
            "scale": (read("fitted.range", by=derive.squeezed),),
        },
    ),
    "group_zscore_shrunk": replace(
        SCALED,
        method="shrunk_z_score",
        params={name: same(name) for name in ("prior_n", "prior_mean", "prior_var")},
        readings={
            "scores": BY_GROUP,
            "parameters": (read("report.groups", by=derive.shrunk_parameters),),
        },
    ),
    "link_mean": LINK,
    "link_equipercentile": replace(
        LINK,
        method="link_equipercentile",
        params={
            "lower": same("lower"),
            "upper": same("upper"),
            "grid": remark,
            "half_width": remark,
        },
        source=_counted,
    ),
    "quantile_match": replace(
        LINK,
        method="quantile_map",
        params={"method": same("variant")},
        source=_linked_to_reference,
    ),
    "link_mean_sigma": replace(LINK, method="link_mean_sigma"),
    "aggregate_languages": Entry(
        method="group_average",
        play=plays.stateless,
        params={
            "missing": turned("missing", {"mean_of_available": "skip"}),
            "report_coverage": remark,
        },
        off={},
        given=_averaged,
        readings={
            "mean": (read("output.systems", "output.mean", by=derive.by_name),),
            "coverage": (read("output.systems", "output.coverage", by=derive.by_name),),
            "languages": (read("report.n_groups"),),
        },
    ),
    "kendall": Entry(
        method="kendall",
        play=plays.evaluated,
        params={"variant": same("variant"), "epsilon": same("tie_epsilon")},
        off={},
        given=_rated,
        readings={"tau": (read("value"),)},
    ),
    "group_zscore": Entry(
        method="group_z_score",
        play=plays.stored,
        params=PARAMS,
        off={},
        source=_source,
        given=_given,
        readings={
            "mean": MEAN,
            "std": STD,
            "scores": BY_GROUP,
            "error": (read("output"),),
        },
    ),
    "lgn": Entry(
        method="group_z_score",
        play=plays.stored,
        params=PARAMS
        | {
            "anchors": same("anchors"),
            "levels": remark,
            "lower_is_better": turned("higher_is_better", {True: False, False: True}),
        },
        off={"reference_kind": "anchors"},
        source=_levelled_source,
        given=_given,
        readings={
            "mean": MEAN,
            "std": STD,
            "scores": BY_GROUP,
            "range_raw_by_level": (read("sent.scores", by=derive.level_ranges),),
            "range_after_by_level": (
                read("sent.scores", "output.y", by=derive.level_ranges_after),
            ),
        },
    ),
}
