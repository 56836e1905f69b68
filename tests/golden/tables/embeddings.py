"""Golden words of the embedding methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tests.golden import derive, plays
from tests.golden.answers import Answers, entries, members, read
from tests.golden.case import Case
from tests.golden.client import Service
from tests.golden.request import Members, Request
from tests.golden.tables.entry import Entry, Rule
from tests.golden.tables.rules import implied, remark, same, turned

FULL_WHITENING = {"eps": 0.0, "strength": 1.0, "shrinkage": "none"}
SCATTER = ("statistics.scatter.scatter", "statistics.scatter.n")


def _source(case: Case) -> Members:
    if "shards" in case.fit:
        return {}
    if "stats" in case.fit:
        return {"statistics": {"scatter": case.fit["stats"]}}
    if "X_repeat" in case.fit:
        repeated = members(case.fit["X_repeat"])
        return {"fit": {"x": [repeated["row"]] * int(str(repeated["n"]))}}
    return {"fit": {"x": case.fit["X"]}}


def _given(case: Case) -> Members:
    return {"x": case.input["X"]}


def _shards(case: Case) -> Sequence[Members]:
    return _scatters(case.input["shards"])


def _fitted_shards(case: Case) -> Sequence[Members]:
    return _scatters(case.fit.get("shards", []))


def _merged_or_stored(request: Request, service: Service) -> Answers:
    return (plays.gathered if request.parts else plays.stored)(request, service)


def _total(case: Case) -> Sequence[Members]:
    return _scatters([case.input["total"]])


def _taken(case: Case) -> Sequence[Members]:
    return _scatters([case.input["remove"]])


def _scatters(stats: object) -> Sequence[Members]:
    found = stats if isinstance(stats, list) else [stats]
    return [{"statistics": {"scatter": part}} for part in found]


MERGED = {
    "n": (read("statistics.scatter.n"),),
    "mean": (read("statistics.scatter.mean"),),
    "scatter": (read("statistics.scatter.scatter"),),
    "error": (read("statistics"),),
}

NAN_POLICY: dict[object, str] = {"raise": "reject", "omit": "omit"}

L2_AFTER: dict[object, str] = {True: "l2", False: "none"}


def _rows_of_groups(given: Members) -> Members:
    """Return rows that stand by group, one group after the other, with their labels."""
    groups = members(given["groups"])
    labels = [name for name, rows in groups.items() for _ in entries(rows)]
    return {"x": [row for rows in groups.values() for row in entries(rows)], "groups": labels}


def _of_rows(method: str, params: Mapping[str, Rule]) -> Entry:
    """Return the entry of a method that maps each row by itself."""
    readings = {"output": (read("output.y"),)}
    return Entry(
        method=method, play=plays.stateless, params=params, off={}, given=_given, readings=readings
    )


TABLE: Mapping[str, Entry] = {
    "running_stats": Entry(
        method="running_standardization",
        play=plays.gathered,
        params={"ddof": same("ddof")},
        off={"dead_rel": 0.0},
        parts=lambda case: [{"fit": {"x": batch}} for batch in entries(case.input["batches"])],
        readings={
            "mean": (read("fitted.loc"),),
            "std": (read("fitted.scale"),),
            # What a peer's code gives, for the reader.
            "ultraedit_code_std": (read("expected.ultraedit_code_std"),),
        },
    ),
    "ema_stats": Entry(
        method="running_standardization",
        play=plays.stored,
        params={"alpha": same("alpha")},
        off={"update": "ema", "batch_size": 1, "second_moment": "covariance", "dead_rel": 0.0},
        source=lambda case: {"fit": {"x": case.input["X"]}},
        readings={
            "mean": (read("statistics.running.mean"),),
            "cov": (read("statistics.running.covariance"),),
        },
    ),
    "online_norm": Entry(
        method="running_standardization",
        play=plays.stateless,
        params={
            "alpha": same("decay"),
            "eps": same("eps"),
            "mean0": same("initial_mean"),
            "var0": same("initial_variance"),
        },
        off={"update": "online"},
        given=_given,
        readings={
            "output": (read("output.y"),),
            "mean": (read("output.state.mean", by=derive.squeezed),),
            "var": (read("output.state.variance", by=derive.squeezed),),
        },
    ),
    "stats_from_sums": Entry(
        method="whitening",
        play=plays.stored,
        params={},
        off=FULL_WHITENING,
        source=lambda case: {"statistics": {"scatter": case.input}},
        readings=MERGED,
    ),
    "center": Entry(
        method="centering",
        play=plays.stored,
        params={"l2_after": turned("post", L2_AFTER)},
        off={},
        source=_source,
        given=_given,
        readings={"output": (read("output.y"),), "inverse": (read("inverse.x"),)},
    ),
    "group_center": Entry(
        method="group_centering",
        play=plays.stored,
        params={
            "add_global_mean": same("add_global_mean"),
            "unknown_group": same("unknown_group"),
        },
        off={},
        source=lambda case: {"fit": _rows_of_groups(case.fit)},
        given=lambda case: _rows_of_groups(case.input),
        readings={
            "output": (read("output.y", "sent.groups", by=derive.rows_by_group),),
            "means": (read("fitted.loc", "fitted.keys", by=derive.rows_by_key),),
            "error": (read("output"),),
        },
    ),
    "power": Entry(
        method="power_transform",
        play=plays.stored,
        params={
            "method": turned("variant", {"yeo-johnson": "yeo_johnson", "box-cox": "box_cox"}),
            "standardize": same("standardize"),
        },
        off={},
        source=_source,
        given=_given,
        readings={
            "output": (read("output.y"),),
            "lambdas": (read("fitted.lambdas"),),
            "inverse": (read("inverse.x"),),
        },
    ),
    "language_removal": Entry(
        method="language_removal",
        play=plays.stored,
        params={"n_remove": same("n_remove"), "center": implied(False)},
        off={},
        source=lambda case: {"fit": _rows_of_groups(case.fit)},
        given=lambda case: _rows_of_groups(case.input),
        readings={"output": (read("output.y", "sent.groups", by=derive.rows_by_group),)},
    ),
    "nsn": Entry(
        method="nsn",
        play=plays.stored,
        params={"target_norm": same("target_norm")},
        off={},
        source=_source,
        given=_given,
        readings={"output": (read("output.y"),), "shift": (read("fitted.shift"),)},
    ),
    "cluster_isotropy": Entry(
        method="cluster_isotropy",
        play=plays.stored,
        params={
            # As many as its labels name.
            "n_clusters": remark,
            "n_remove": same("n_remove"),
            "assign": implied("nearest_center"),
        },
        off={"clusters": "given"},
        source=lambda case: {"fit": {"x": case.fit["X"], "labels": case.fit["labels"]}},
        given=_given,
        readings={"output": (read("output.y"),), "centers": (read("fitted.centers"),)},
    ),
    "robust": Entry(
        method="robust_scaling",
        play=plays.stored,
        params={"quantile_range": same("quantile_range")},
        off={},
        source=_source,
        given=_given,
        readings={
            "output": (read("output.y"),),
            "center": (read("fitted.loc"),),
            "scale": (read("fitted.scale"),),
        },
    ),
    "standardize": Entry(
        method="standardization",
        play=plays.stored,
        params={"ddof": same("ddof"), "nan_policy": turned("nan_policy", NAN_POLICY)},
        # A case of columns without spread knows the rule for rounding alone.
        off={"dead_rel": 0.0},
        source=_source,
        given=_given,
        readings={
            "output": (read("output.y"),),
            "mean": (read("fitted.loc"),),
            "scale": (read("fitted.scale"),),
            "dead_dims": (read("report.dead_dims"), read("flags.constant")),
            "inverse": (read("inverse.x"),),
            "error": (read("output"),),
        },
    ),
    "quantile": Entry(
        method="quantile_transform",
        play=plays.stored,
        params={"n_quantiles": same("n_quantiles"), "output_distribution": same("output")},
        off={},
        source=_source,
        given=_given,
        readings={"output": (read("output.y"),), "quantiles": (read("fitted.quantiles"),)},
    ),
    "whiten": Entry(
        method="whitening",
        play=plays.stored,
        params={
            "variant": same("variant"),
            "group_size": same("dim_group_size"),
            "n_components": same("n_components"),
            "ddof": same("ddof"),
            "eps": same("eps"),
            "eps_mode": implied("add_absolute"),
            "strength": same("strength"),
            "shrinkage": same("shrinkage"),
            "center": implied(True),
            "l2_after": turned("post", {True: "l2", False: "none"}),
            "pre": same("pre"),
            "rank_policy": same("rank_policy"),
            "rel_floor": same("rel_floor"),
            "truncate_to": same("truncate_to"),
            "nan_policy": turned("nan_policy", {"raise": "reject", "omit": "omit"}),
        },
        off=FULL_WHITENING,
        source=_source,
        given=_given,
        readings={
            "output": (read("output.y"),),
            "output_gram": (read("output.y", by=derive.gram),),
            "cosine": (read("output.y", by=derive.cosine),),
            "inverse": (read("inverse.x"),),
            "inverse_of_output": (read("inverse.x"),),
            "mean": (read("fitted.mean"),),
            "bias": (read("fitted.mean", by=derive.negated),),
            "eigenvalues": (read("fitted.eigenvalues"),),
            "W": (read("fitted.W"),),
            "W_rows": (read("fitted.W", by=derive.transposed),),
            "output_cov_eigenvalues_on_fit": (
                read("fitted.W", *SCATTER, "params.ddof", by=derive.output_spectrum),
            ),
            "rank": (read("report.rank"),),
            "n_dropped": (read("report.n_dropped"),),
            "error": (read("output"),),
        },
    ),
    "all_but_the_top": Entry(
        method="all_but_the_top",
        play=plays.stored,
        params={"n_remove": same("n_remove")},
        off={},
        source=_source,
        given=_given,
        readings={"output": (read("output.y"),), "mean": (read("fitted.mean"),)},
    ),
    "hadamard": Entry(
        method="hadamard_rotation",
        play=plays.stored,
        params={"order": implied("sylvester"), "seed": same("seed"), "signs": same("signs")},
        off={},
        given=_given,
        readings={"output": (read("output.y"),), "inverse": (read("inverse.x"),)},
    ),
    # The rows of the unit matrix give the matrix itself.
    "hadamard_property": Entry(
        method="hadamard_rotation",
        play=plays.repeated,
        params={"d": remark},
        off={"inexact": "fallback"},
        given=lambda case: {"x": np.eye(int(str(case.input["d"])))},
        readings={
            "abs_entry": (read("output.y", by=derive.common_size),),
            "orthogonality_max_error_below": (read("output.y", by=derive.orthogonality_error),),
            "output_dim": (read("output.y", by=derive.width),),
            "exact": (read("warnings", by=derive.without_warnings),),
            "deterministic": (read("output.y", "again.y", by=derive.identical),),
        },
    ),
    "iternorm": Entry(
        method="iterative_whitening",
        play=plays.stored,
        params={
            "iterations": same("iterations"),
            "eps": same("eps"),
            "ddof": same("ddof"),
            "group_size": same("dim_group_size"),
        },
        off={"eps": 0.0},
        source=_source,
        given=_given,
        readings={"W": (read("fitted.W"),), "output": (read("output.y"),)},
    ),
    "layernorm": _of_rows("layer_norm", {"eps": same("eps")}),
    "rmsnorm": _of_rows("rms_norm", {"eps": same("eps")}),
    "scalenorm": _of_rows("scale_norm", {"eps": same("eps"), "g": same("g")}),
    "l2": Entry(
        method="unit_norm",
        play=plays.stateless,
        params={"nan_policy": turned("nan_policy", {"raise": "reject"})},
        off={},
        given=_given,
        readings={
            "output": (read("output.y"),),
            "zero_norm_rows": (read("flags.zero_norm"),),
            "error": (read("output"),),
        },
    ),
    "merge_stats": Entry(
        method="whitening",
        play=plays.gathered,
        params={},
        off=FULL_WHITENING,
        parts=_shards,
        readings=MERGED,
    ),
    "fit_stats": Entry(
        method="whitening",
        play=plays.stored,
        params={"weights": lambda value, params: {}},
        off=FULL_WHITENING | {"weight_kind": "reliability"},
        source=lambda case: {"fit": {"x": case.fit["X"], "sample_weights": case.params["weights"]}},
        readings={
            "sum_w": (read("statistics.scatter.sum_w"),),
            "sum_w2": (read("statistics.scatter.sum_w2"),),
            "mean": (read("statistics.scatter.mean"),),
            "scatter": (read("statistics.scatter.scatter"),),
            "cov_biased": (read(SCATTER[0], "statistics.scatter.sum_w", by=derive.covariance),),
            "cov_reliability": (
                read(
                    SCATTER[0],
                    "statistics.scatter.sum_w",
                    "statistics.scatter.sum_w2",
                    by=derive.reliability_covariance,
                ),
            ),
        },
    ),
    "diagnostics": Entry(
        method="whitening",
        play=plays.stored,
        params={},
        off=FULL_WHITENING,
        source=_source,
        readings={
            name: (read(f"report.{name}"),)
            for name in (
                "isoscore",
                "average_cosine",
                "condition_number",
                "participation_ratio",
                "entropy_effective_rank",
                "mean_energy_fraction",
            )
        },
    ),
    "phi_s": Entry(
        method="isotropic_standardization",
        play=plays.stored,
        params={"ddof": same("ddof")},
        off={},
        source=_source,
        given=_given,
        readings={
            "output_gram": (read("output.y", by=derive.gram),),
            "gram_from_centered": (read("output.y", by=derive.gram),),
            "fit_output_variances": (
                read("fitted.W", *SCATTER, "params.ddof", by=derive.output_variances),
            ),
            "scalar": (read("report.scalar"),),
        },
    ),
    "quantize": Entry(
        method="quantization",
        play=plays.stored,
        params={"precision": same("precision")},
        off={},
        source=lambda case: _source(case) if case.fit else {},
        given=_given,
        readings={"output": (read("output.y"),)},
    ),
    "downdate_stats": Entry(
        method="whitening",
        play=plays.subtracted,
        params={},
        off=FULL_WHITENING,
        parts=_total,
        removed=_taken,
        readings=MERGED,
    ),
    "shrinkage": Entry(
        method="whitening",
        play=_merged_or_stored,
        parts=_fitted_shards,
        params={"estimator": same("shrinkage")},
        off=FULL_WHITENING | {"ddof": 0},
        source=_source,
        readings={
            "cov": (
                read(*SCATTER, "report.softening.shrinkage_weight", by=derive.shrunk_covariance),
            ),
            "shrinkage": (read("report.softening.shrinkage_weight"),),
        },
    ),
}
