"""Golden words of the hubness methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from tests.golden import derive, plays
from tests.golden.answers import Answers, entries, read
from tests.golden.case import Case
from tests.golden.request import Members, Unsupported
from tests.golden.tables.entry import Entry, Rule
from tests.golden.tables.rules import same

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


def _auto(value: object, params: Members) -> Members:
    if value != AUTO_FACTOR:
        raise Unsupported(f"factor {value!r} of beta: auto")
    return {"beta": "auto"}


BETA: dict[str, Rule] = {"beta": same("beta"), "strength": same("strength")}
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
