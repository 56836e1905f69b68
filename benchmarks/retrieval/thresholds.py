"""How well one threshold serves all queries, and how well probabilities are calibrated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from benchmarks.retrieval.collection import RETRIEVERS, Collection, Sent, cranfield
from benchmarks.retrieval.fusions import TWO_SCALES
from benchmarks.retrieval.plan import Planned, fitted_on, fitted_runs, plain
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.evaluation import evaluate

HEAD = ("score", "AUC", "average precision", "F1 at the threshold")
QUALITY_HEAD = ("probability", "Brier", "log loss", "calibration error")
MEASURES = ("auc", "average_precision", "f1_threshold")
QUALITY = ("brier", "log_loss", "calibration_error")
CALIBRATORS = ("platt", "isotonic")
# What is measured of a collection: scores with labels, or runs with judgements.
Evidence = Callable[[Collection], Sent]


def single(run: str, method: str | None = None) -> Evidence:
    """Return the scores of one retriever, each list scaled by itself where a method is named."""

    def evidence(collection: Collection) -> Sent:
        lists = [np.array(scores) for _, scores in collection.runs[run]]
        scaled = lists if method is None else list(CATALOGUE.create(method, {}).transform(lists))
        return {"scores": scaled, "labels": collection.labels(run)}

    return evidence


def fused(planned: Planned) -> Evidence:
    """Return the fused lists with the judgements: every hit is a pair."""

    def evidence(collection: Collection) -> Sent:
        return {"runs": [planned().fused(collection)], "qrels": collection.qrels}

    return evidence


ROWS: Mapping[str, Evidence] = {
    "BM25 raw, and `platt` or fitted `percentile` of it": single("bm25"),
    "BM25, `min_max` per query": single("bm25", "min_max"),
    "BM25, `percentile` per query": single("bm25", "percentile"),
    "dense raw, and `platt` or fitted `percentile` of it": single("dense"),
    "dense, `min_max` per query": single("dense", "min_max"),
    "dense, `percentile` per query": single("dense", "percentile"),
    "`rrf`": fused(plain("rrf")),
    "`wsum` of `min_max`": fused(plain("wsum")),
    "`wsum` of fitted `percentile`": fused(fitted_runs("percentile", "wsum", missing="zero")),
    "`log_odds` of `platt`": fused(fitted_runs("platt", "log_odds")),
    "`logistic`, two scales": fused(TWO_SCALES),
}


def rows(labels: Sequence[str] = tuple(ROWS)) -> Iterator[list[str]]:
    """Yield the rows of the table of thresholds: chosen on training queries, used on the others."""
    for label in labels:
        training, test = (ROWS[label](cranfield(part)) for part in ("train", "test"))
        found = evaluate(MEASURES, training=training, **cast(Mapping[str, Any], test))
        yield [label, *(f"{found[name]:.3f}" for name in MEASURES)]


def quality_rows(retrievers: Sequence[str] = RETRIEVERS) -> Iterator[list[str]]:
    """Yield how well the calibrators of each retriever foretell relevance."""
    for run in retrievers:
        yield from _quality(run)


def _quality(run: str) -> Iterator[list[str]]:
    scores, labels = cranfield("train").pooled(run)
    training = {"scores": scores, "labels": labels}
    test_scores, test_labels = cranfield("test").pooled(run)
    for name in CALIBRATORS:
        probabilities = fitted_on(name, run).transform(test_scores)
        told = evaluate(QUALITY, training=training, probabilities=probabilities, labels=test_labels)
        yield [f"{run}, `{name}`", *(f"{one.value:.4f}" for one in told.results)]
    bases = ("" if one.base is None else f"{one.base:.4f}" for one in told.results)
    yield [f"{run}, the same for every hit", *bases]
