"""Every figure, in one table: a group a target of make, the figures of a group in its order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.figure import Figure, Goal
from benchmarks.figures import (
    arrow_transform,
    candidates,
    catalogue,
    embeddings,
    fit,
    fusion,
    hubness,
    json_transform,
    live_beside_json,
    memory,
    metrics,
    npy_transform,
    one_vector,
    operator,
    percentile,
    series,
    small_calls,
    start,
)

GROUPS: Mapping[str, Sequence[Figure]] = {
    "service": (
        Figure("npy-transform", Goal(1.3), npy_transform.measure),
        Figure("arrow-transform", Goal(0.7), arrow_transform.measure),
        Figure("json-transform-bare", Goal(5, faster=True), json_transform.against_bare),
        Figure(
            "json-transform-annotated", Goal(2.2, faster=True), json_transform.against_annotated
        ),
        Figure("json-fast-bare", Goal(12, faster=True), json_transform.fast_against_bare),
        Figure("json-fast-annotated", Goal(5, faster=True), json_transform.fast_against_annotated),
        Figure("livez-beside-wide-json", Goal(50), live_beside_json.wide),
        Figure("livez-beside-narrow-json", Goal(50), live_beside_json.narrow),
        Figure("livez-beside-null-json", Goal(50), live_beside_json.missing),
        Figure("seen-and-guarded", Goal(1.15), operator.seen_and_guarded),
        Figure("two-workers", Goal(1.7, faster=True), operator.workers),
        Figure("memory-transform", Goal(1), memory.transform),
        Figure("ready", Goal(8), start.measure),
    ),
    "scores": (
        Figure("fuse-ranks-ranx", Goal(6, faster=True), fusion.ranks_against_ranx),
        Figure("fuse-scores-ranx", Goal(6, faster=True), fusion.scores_against_ranx),
        Figure("fuse-service", Goal(2.5), fusion.service_against_library),
        Figure("percentile", Goal(1.5), percentile.measure),
    ),
    "embeddings": (
        # A transform and its lengths at 85 % of the speed of the product alone.
        Figure("whiten-and-norm", Goal(1 / 0.85), embeddings.transform),
        Figure("whiten-beside-pca", Goal(1.0), embeddings.principal_components),
        Figure("scatter", Goal(2.5), embeddings.scatter),
        Figure("fit", Goal(2.5), fit.measure),
        Figure("memory-streamed-fit", Goal(1.05), memory.streamed_fit),
        Figure("hadamard", Goal(1.0), embeddings.hadamard),
    ),
    "hubness": (
        Figure("csls-fit", Goal(1.8), hubness.csls_fit),
        Figure("nnn-fit", Goal(1.8), hubness.nnn_fit),
        Figure("inverted-softmax-fit", Goal(1.8), hubness.inverted_softmax_fit),
        Figure("dynamic-fit", Goal(2.2), hubness.dynamic_fit),
        Figure("sinkhorn-fit", Goal(3), hubness.sinkhorn_fit),
        Figure("published-query-bank", Goal(5, faster=True), hubness.official),
        Figure("one-item-more", Goal(3), hubness.one_item),
        Figure("memory-fit", Goal(1), hubness.memory),
        # 60, 2 and 100 microseconds where a dictionary of a million names takes 42.
        Figure("candidates-by-id", Goal(60 / 42), candidates.by_id),
        Figure("candidates-by-position", Goal(2 / 42), candidates.by_position),
        Figure("candidates-one-list", Goal(100 / 42), candidates.one_list),
    ),
    "metrics": (
        Figure("few-groups", Goal(3), metrics.few_groups),
        Figure("many-groups", Goal(5), metrics.many_groups),
        Figure("groups-from-parquet", Goal(2), metrics.from_parquet),
        Figure("bootstrap-of-averages", Goal(20), metrics.bootstrap),
    ),
    "series": (
        Figure("window-z-score", Goal(2), series.window_z_score),
        Figure("windows-as-npy", Goal(1.5), series.windows_as_npy),
        Figure("streamed-row", Goal(4), series.streamed_row),
        Figure("rolling-z-score", Goal(1), series.rolling_z_score),
        Figure("rolling-windows", Goal(1.5), series.rolling_windows),
        Figure("ewm-z-score", Goal(10), series.ewm_z_score),
    ),
    "calls": (
        Figure("min-max-call", Goal(3), small_calls.min_max),
        Figure("percentile-call", Goal(3), small_calls.percentile),
        Figure("whitening-call", Goal(3), small_calls.whitening),
        Figure("group-z-score-call", Goal(3), small_calls.group_z_score),
        Figure("window-z-score-call", Goal(3), small_calls.window_z_score),
        Figure("rrf-call", Goal(2.5), small_calls.rrf),
        Figure("wsum-call", Goal(4), small_calls.wsum),
        Figure("nested-lists-call", Goal(4), small_calls.nested_lists),
        Figure("catalogue", Goal(2), catalogue.measure),
        Figure("one-vector-npy", Goal(3), one_vector.npy_p50),
        Figure("one-vector-json", Goal(4), one_vector.json_p50),
        Figure("fuse-one-request", Goal(5), fusion.one_request),
    ),
}
