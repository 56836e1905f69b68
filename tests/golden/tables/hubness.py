"""Golden words of the hubness methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

import numpy as np

from tests.golden import derive, plays
from tests.golden.answers import Answers, entries, read
from tests.golden.case import Case
from tests.golden.request import Members, Unsupported
from tests.golden.tables.entry import Entry, Rule
from tests.golden.tables.rules import implied, remark, renamed, same

# The factor of the rule `beta: auto`.
AUTO_FACTOR = 2.5


def _source(case: Case) -> Members:
    return {"fit": case.fit}


def _named_source(case: Case) -> Members:
    items = range(len(entries(entries(case.fit["bank_sims"])[0])))
    return {"fit": {**case.fit, "gallery_ids": [str(item) for item in items]}}


def _given(case: Case) -> Members:
    return case.input


def _candidates(case: Case) -> Members:
    ids = [[str(name) for name in entries(row)] for row in entries(case.input["candidate_ids"])]
    return {"candidate_ids": ids, "candidate_scores": case.input["candidate_scores"]}


def _live(case: Case) -> Members:
    """Return the similarities of the bank's own rows that are asked."""
    sims = read(
        "fit.bank_embeddings", "fit.gallery_embeddings", "sent.query_rows_of_bank",
        by=derive.similarities,
    )  # fmt: skip
    return {"sims": sims.of(Answers({"fit": lambda: case.fit, "sent": lambda: case.input}))}


def _shards(case: Case) -> Sequence[Members]:
    return [{"fit": {"bank_sims": shard}} for shard in entries(case.fit["bank_shards"])]


def _kept_rows(case: Case) -> Sequence[Members]:
    return _row_runs(case, gone=False)


def _gone_rows(case: Case) -> Sequence[Members]:
    return _row_runs(case, gone=True)


def _row_runs(case: Case, gone: bool) -> Sequence[Members]:
    """Return the bank's rows that stay or go, one part for every run of neighbours."""
    rows = enumerate(entries(case.fit["bank_sims"]))
    leaving = entries(case.fit["remove"])
    runs = groupby(rows, key=lambda row: row[0] in leaving)
    return [
        {"fit": {"bank_sims": [sims for _, sims in run]}} for leaves, run in runs if leaves == gone
    ]


def _nearest_candidates(case: Case) -> Members:
    """Return the nearest target rows of each source row, with their distances."""
    read_rows = read("fit.source", "fit.target", "params.n_candidates", by=derive.nearest)
    far = read("fit.source", "fit.target", by=derive.distances)
    answers = Answers({"fit": lambda: case.fit, "params": lambda: case.params})
    nearest, distances = np.asarray(read_rows.of(answers)), np.asarray(far.of(answers))
    return {
        "candidate_ids": nearest.astype(str).tolist(),
        "candidate_scores": np.take_along_axis(distances, nearest, axis=1).tolist(),
    }


def _both_sides(case: Case) -> Members:
    ids = [str(item) for item in range(len(entries(case.fit["target"])))]
    embeddings = {"bank_embeddings": case.fit["source"], "gallery_embeddings": case.fit["target"]}
    return {"fit": {**embeddings, "gallery_ids": ids}}


def _products(case: Case) -> Members:
    """Return the dot products of the live queries with the gallery."""
    sims = read("sent.query_embeddings", "fit.gallery_embeddings", by=derive.products)
    return {"sims": sims.of(Answers({"fit": lambda: case.fit, "sent": lambda: case.input}))}


def _sims(case: Case) -> Members:
    return {"sims": case.input["sims"]}


def _two_banks(case: Case) -> Members:
    banks = {"bank_sims": "query_bank_sims", "gallery_bank_sims": "gallery_bank_sims"}
    return {"fit": {name: case.fit[theirs] for name, theirs in banks.items()}}


def _bank_beside(case: Case) -> Members:
    beside = case.fit["bank_vs_target_bank_sims"]
    return {"fit": {"bank_sims": case.fit["bank_sims"], "bank_gallery_bank_sims": beside}}


def _bank_cosines(case: Case) -> Members:
    sims = read("fit.bank_embeddings", "fit.gallery_embeddings", by=derive.cosines)
    return {"sims": sims.of(Answers({"fit": lambda: case.fit}))}


def _rounds(value: object, params: Members) -> Members:
    # One round is kept in its form with a prior, which is off.
    return {"iterations": value, **({"prior": 0.0} if value == 1 else {})}


def _square(case: Case) -> Members:
    return {"sims": case.input["distances"]}


def _candidates_of_items(case: Case) -> Members:
    """Return the moments of each item's distances to its own candidates."""
    answers = Answers({"fit": lambda: case.fit, "params": lambda: case.params})
    far = read("fit.target", "fit.source", by=derive.distances)
    k = int(str(case.params["n_candidates"]))
    nearest = np.sort(np.asarray(far.of(answers)), axis=1)[:, :k]
    moments = {"n": k, "mean": -nearest.mean(axis=1), "m2": nearest.var(axis=1) * k}
    return {
        "statistics": {
            "item_moments": {
                "n": k,
                "mean": moments["mean"].tolist(),
                "m2": moments["m2"].tolist(),
                "item_ids": [str(item) for item in range(len(nearest))],
            }
        }
    }


def _cohort(case: Case) -> Members:
    names = {"bank_embeddings": "cohort_embeddings", "gallery_embeddings": "gallery_embeddings"}
    return {"fit": {name: case.fit[theirs] for name, theirs in names.items()}}


def _against_cohort(case: Case) -> Members:
    cohort = read("sent.query_embeddings", "fit.cohort_embeddings", by=derive.cosines)
    answers = Answers({"fit": lambda: case.fit, "sent": lambda: case.input})
    return {"sims": case.input["sims"], "query_bank_sims": cohort.of(answers)}


def _both_means(case: Case) -> Members:
    names = {"bank": "query_dev_embeddings", "gallery_bank": "gallery_dev_embeddings"}
    return {"fit": {f"{name}_embeddings": case.fit[theirs] for name, theirs in names.items()}}


def _both_embeddings(case: Case) -> Members:
    return {
        "query_embeddings": case.input["query_embeddings"],
        "gallery_embeddings": case.fit["gallery_embeddings"],
    }


def _three_banks(case: Case) -> Members:
    names = {"bank_embeddings": "query_bank", "gallery_bank_embeddings": "gallery_bank"}
    banks = {name: case.fit[theirs] for name, theirs in names.items()}
    return {"fit": {"gallery_embeddings": case.fit["gallery_embeddings"], **banks}}


def _gallery(case: Case) -> Members:
    return {"gallery_embeddings": case.fit["gallery_embeddings"]}


def _background(case: Case) -> Members:
    return {"fit": {"background_embeddings": case.fit["background_embeddings"]}}


def _with_products(case: Case) -> Members:
    return {**_products(case), "query_embeddings": case.input["query_embeddings"]}


def _hub_measures(case: Case) -> Members:
    cut = {"k": case.params["k"]}
    hubs = {"hub_occurrence": {**cut, "hub_size": case.params["hub_size"]}}
    return {**dict.fromkeys(HUBNESS, cut), **hubs}


def _neighbours(case: Case) -> Members:
    return {"neighbor_ids": case.input["neighbor_ids"], "items": case.params["n_gallery"]}


def _explained(case: Case) -> Members:
    return {"explain": True}


def _distances(value: object, params: Members) -> Members:
    if value != "euclidean":
        raise Unsupported(f"metric {value!r}")
    return {"similarity": value, "score_type": "distance"}


def _auto(value: object, params: Members) -> Members:
    if value != AUTO_FACTOR:
        raise Unsupported(f"factor {value!r} of beta: auto")
    return {"beta": "auto"}


CANDIDATES: dict[str, Rule] = {"metric": _distances, "n_candidates": renamed("k"), "k_out": remark}
NEIGHBOURS = ("fit.source", "fit.target", "params.n_candidates")
NEAREST = {
    "neigh_dist": (read("output.scores", "params.k_out", by=derive.lowest),),
    "neigh_ind": (
        read(*NEIGHBOURS, "output.scores", "params.k_out", by=derive.nearest_by_distance),
    ),
}
SMALLEST = {
    "neigh_dist": (read("output.scores", "params.k_out", by=derive.smallest),),
    "neigh_ind": (read(*NEIGHBOURS, "output.scores", "params.k_out", by=derive.nearest_by_score),),
}
DUAL: dict[str, Rule] = {name: same(name) for name in ("beta_query", "beta_gallery")}
BETA: dict[str, Rule] = {"beta": same("beta"), "strength": same("strength")}
HUBNESS = (
    "k_skewness", "robin_hood", "gini", "atkinson", "antihub_rate", "hub_occurrence",
    "max_hub_share", "max_hub_query_share",
)  # fmt: skip
WHOLE = {"strength": 1.0}


TABLE: Mapping[str, Entry] = {
    "inverted_softmax": Entry(
        method="inverted_softmax",
        play=plays.biased,
        params=BETA,
        off=WHOLE,
        source=_source,
        given=_given,
        readings={
            "item_lse": (read("fitted.item_lse"),),
            "item_bias": (read("fitted.item_bias"),),
            "adjusted": (read("output.scores"),),
            "log_scores": (read("log.scores"),),
            "scores": (read("ratio.scores"),),
            "official_scores": (read("ratio.scores"),),
            "ranking": (read("output.scores", by=derive.ranking),),
            "error": (read("output"),),
        },
    ),
    "inverted_softmax_candidates": Entry(
        method="inverted_softmax",
        play=plays.stored,
        params=BETA,
        off=WHOLE,
        source=_named_source,
        given=_candidates,
        readings={
            "item_lse": (read("fitted.item_lse"),),
            "adjusted": (read("output.scores"),),
            "reranked_ids": (read("sent.candidate_ids", "output.scores", by=derive.reranked),),
        },
    ),
    "inverted_softmax_top1": Entry(
        method="inverted_softmax",
        play=plays.stored,
        params=BETA,
        off=WHOLE,
        source=_source,
        given=_live,
        readings={"top1": (read("output.scores", by=derive.top1),)},
    ),
    "inverted_softmax_merge": Entry(
        method="inverted_softmax",
        play=plays.merged,
        params=BETA,
        off=WHOLE,
        parts=_shards,
        readings={
            "shard_lse": (read("parts", by=derive.lses),),
            "item_lse": (read("fitted.item_lse"),),
            "count": (read("statistics.log_sum_exp.n"),),
        },
    ),
    "inverted_softmax_remove": Entry(
        method="inverted_softmax",
        play=plays.removed,
        params=BETA,
        off=WHOLE,
        parts=_kept_rows,
        removed=_gone_rows,
        readings={
            "item_lse_before": (read("before.item_lse"),),
            "item_lse": (read("fitted.item_lse"),),
        },
    ),
    "csls": Entry(
        method="csls",
        play=plays.published,
        params={"k": same("k")},
        off=WHOLE,
        source=_source,
        given=_sims,
        options=_explained,
        readings={
            "r_gallery": (read("fitted.item_bias", "fitted.item_bias", by=derive.added),),
            "r_query": (read("explain.query_means"),),
            "item_bias_scores": (read("output.scores"),),
            "scores": (read("score.scores"),),
            "ranking": (
                read("output.scores", by=derive.ranking),
                read("score.scores", by=derive.ranking),
            ),
        },
    ),
    "csls_distance_candidates": Entry(
        method="csls",
        play=plays.stored,
        params=CANDIDATES,
        off={"strength": 1.0, "output": "score"},
        source=_both_sides,
        given=_nearest_candidates,
        readings=SMALLEST,
    ),
    "nnn": Entry(
        method="nnn",
        play=plays.stored,
        params={"k": same("k"), "alpha": renamed("strength")},
        off={"similarity": "dot"},
        source=_source,
        given=_products,
        readings={
            "item_bias": (read("fitted.item_bias"),),
            "adjusted": (read("output.scores"),),
            "top_scores": (read("output.scores", by=derive.descending),),
            "ranking": (read("output.scores", by=derive.ranking),),
        },
    ),
    "topk_mean_merge": Entry(
        method="nnn",
        play=plays.merged,
        params={"k": same("k")},
        off=WHOLE,
        parts=_shards,
        readings={
            "item_topk": (read("statistics.top_k.values"),),
            "item_topk_mean": (read("fitted.item_bias"),),
        },
    ),
    "dis": Entry(
        method="dynamic_inverted_softmax",
        play=plays.biased,
        params={**BETA, "k": same("k")},
        off=WHOLE,
        source=_source,
        given=_given,
        readings={
            "item_lse": (read("fitted.item_lse"),),
            "adjusted": (read("output.scores"),),
            "official_scores": (read("ratio.scores"),),
            "ranking": (read("output.scores", by=derive.ranking),),
            "activated_rows": (read("output.activated", by=derive.flags_of),),
            "activation_set": (read("fitted.active", by=derive.places_of),),
        },
    ),
    "dual_is": Entry(
        method="dual_inverted_softmax",
        play=plays.biased,
        params={**DUAL, "k": remark},
        off=WHOLE,
        source=_two_banks,
        given=_given,
        readings={
            "official_scores": (read("ratio.scores"),),
            "log_scores": (read("log.scores"),),
            "item_bias": (read("fitted.item_bias"),),
            "ranking": (read("output.scores", by=derive.ranking),),
        },
    ),
    "dual_dis": Entry(
        method="dual_dynamic_inverted_softmax",
        play=plays.biased,
        params={**DUAL, "k": same("k")},
        off=WHOLE,
        source=_two_banks,
        given=_given,
        readings={
            "official_scores": (read("ratio.scores"),),
            "ranking": (read("ratio.scores", by=derive.ranking),),
            "active_query_bank": (read("output.activated", by=derive.flags_of),),
            "active_gallery_bank": (read("output.activated_gallery", by=derive.flags_of),),
        },
    ),
    "sinkhorn": Entry(
        method="sinkhorn",
        play=plays.stored,
        params={"tau": renamed("temperature"), "iters": _rounds},
        off=WHOLE,
        source=_source,
        given=_given,
        readings={
            "item_bias": (
                read(
                    "fit.bank_sims",
                    "params.tau",
                    "params.iters",
                    "fitted.item_bias",
                    by=derive.bias_of_rounds,
                ),
            ),
            "adjusted": (
                read(
                    "fit.bank_sims",
                    "params.tau",
                    "params.iters",
                    "output.scores",
                    by=derive.scores_of_rounds,
                ),
            ),
            "ranking": (read("output.scores", by=derive.ranking),),
        },
    ),
    "sinkhorn_one_iteration_prior": Entry(
        method="sinkhorn",
        play=plays.stored,
        params={**BETA, "prior": same("prior")},
        off=WHOLE,
        source=_source,
        given=_given,
        readings={
            "item_bias": (read("fitted.item_bias"),),
            "adjusted": (read("output.scores"),),
            "ranking": (read("output.scores", by=derive.ranking),),
        },
    ),
    "dual_bank_sinkhorn": Entry(
        method="dual_bank_sinkhorn",
        play=plays.stored,
        params={"tau": renamed("temperature"), "iters": renamed("iterations")},
        off=WHOLE,
        source=_bank_beside,
        given=_given,
        readings={
            "item_bias": (read("fitted.item_bias"),),
            "adjusted": (read("output.scores"),),
            "ranking": (read("output.scores", by=derive.ranking),),
        },
    ),
    "dual_softmax": Entry(
        method="dual_softmax",
        play=plays.stateless,
        params={"temp": renamed("temperature")},
        off={},
        given=_given,
        readings={
            "scores": (read("output.scores"),),
            "ranking": (read("output.scores", by=derive.ranking),),
        },
    ),
    **{
        f"margin_{variant}": Entry(
            method="margin",
            play=plays.stored,
            params={"k": same("k")},
            off={**WHOLE, "variant": variant},
            source=_source,
            given=_bank_cosines,
            readings={"scores": (read("output.scores", "sent.candidate_ids", by=derive.in_rows),)},
        )
        for variant in ("ratio", "distance")
    },
    "local_scaling_candidates": Entry(
        method="local_scaling",
        play=plays.stored,
        params=CANDIDATES,
        off={},
        source=_both_sides,
        given=_nearest_candidates,
        readings=NEAREST,
    ),
    "mutual_proximity_gauss_candidates": Entry(
        method="mutual_proximity",
        play=plays.stored,
        params={**CANDIDATES, "n_candidates": remark},
        off={"variant": "gauss"},
        source=_candidates_of_items,
        given=_nearest_candidates,
        readings=NEAREST,
    ),
    **{
        name: Entry(
            method=method,
            play=plays.stateless,
            params={
                "k": same("k"),
                "geomean_factor": same("geomean_factor"),
                "self": remark,
                "denominator": implied("n"),
            },
            off={"symmetric": True, **({"variant": variant} if variant else {})},
            given=_square,
            readings={"distances": (read("output.scores"),)},
        )
        for name, method, variant in (
            ("local_scaling_symmetric", "local_scaling", ""),
            ("nicdm_symmetric", "nicdm", ""),
            ("mutual_proximity_gauss_symmetric", "mutual_proximity", "gauss"),
            ("mutual_proximity_empiric_symmetric", "mutual_proximity", "empirical"),
        )
    },
    "as_norm": Entry(
        method="s_norm",
        play=plays.stored,
        params={"top_n": renamed("k")},
        off={},
        source=_cohort,
        given=_against_cohort,
        options=_explained,
        readings={
            "gallery_mean": (read("fitted.item_bias"),),
            "gallery_std": (read("fitted.item_std"),),
            "query_mean": (read("explain.query_mean"),),
            "query_std": (read("explain.query_std"),),
            "scores": (read("output.scores"),),
        },
    ),
    "distribution_normalization": Entry(
        method="distribution_normalization",
        play=plays.both_sides,
        params={"lambda": renamed("strength")},
        off={},
        source=_both_means,
        given=_both_embeddings,
        readings={
            "adjusted": (read("queries", "items", by=derive.products),),
            "ranking": (read("queries", "items", by=derive.ranking_of_products),),
        },
    ),
    "invgc": Entry(
        method="invgc",
        play=plays.stored,
        params={
            "r_gallery": same("r_gallery"),
            "r_query": same("r_query"),
            "local_adj": implied(False),
            "pool_rate": remark,
        },
        off={},
        source=_three_banks,
        given=_gallery,
        readings={
            "scores": (read("sent.query_embeddings", "output.y", by=derive.products),),
            "ranking": (read("sent.query_embeddings", "output.y", by=derive.ranking_of_products),),
        },
    ),
    "query_background_norm": Entry(
        method="query_background_norm",
        play=plays.stored,
        params={"n": renamed("k"), "factor": same("factor"), "reduction": implied("min")},
        off={"similarity": "dot"},
        source=_background,
        given=_with_products,
        options=_explained,
        readings={
            "query_bias": (read("explain.query_bias"),),
            "scores": (read("output.scores"),),
            "ranking": (read("output.scores", by=derive.ranking),),
        },
    ),
    "hubness_metrics": Entry(
        method="hubness",
        play=plays.measured,
        params={"k": remark, "hub_size": remark, "n_gallery": remark},
        off={},
        settings=_hub_measures,
        given=_neighbours,
        readings={
            **{name: (read(f"{name}.value"),) for name in HUBNESS if name != "robin_hood"},
            "robinhood": (read("robin_hood.value"),),
            "k_occurrence": (read("k_skewness.details.k_occurrence"),),
            "hubs": (read("hub_occurrence.details.hubs"),),
            # Not wanted, so not offered: it is no skewness.
            "k_skewness_truncnorm": (read("expected.k_skewness_truncnorm"),),
        },
    ),
    "gc": Entry(
        method="global_correction",
        play=plays.stored,
        params={},
        off={},
        source=_source,
        given=_given,
        readings={
            "rank_in_bank": (read("sent.sims", "output.scores", by=derive.less),),
            "scores": (read("output.scores"),),
            "ranking": (read("output.scores", by=derive.ranking),),
        },
    ),
    "gc_top1": Entry(
        method="global_correction",
        play=plays.stored,
        params={},
        off={},
        source=_source,
        given=_live,
        readings={"top1": (read("output.scores", by=derive.top1),)},
    ),
    "dis_sim_local": Entry(
        method="dis_sim_local",
        play=plays.stateless,
        params={
            "k": same("k"),
            "gallery_self_included": implied(True),
            "shift_non_negative": implied(False),
            "squared": implied(True),
        },
        off={},
        given=_both_embeddings,
        readings={"dissimilarity": (read("output.scores"),)},
    ),
    "beta_auto": Entry(
        method="inverted_softmax",
        play=plays.stored,
        params={"factor": _auto},
        off=WHOLE,
        source=_source,
        readings={
            "beta": (read("statistics.log_sum_exp.beta"), read("resolved.beta")),
            "mean_row_std": (read("params.factor", "resolved.beta", by=derive.ratio),),
        },
    ),
}
