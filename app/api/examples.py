"""The example requests of the OpenAPI document: each method's own, and evaluations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.api.schema import Schema
from app.service.describing import docstring_sections
from normalizers.catalogue import Catalogue
from normalizers.evaluation.sample import comparable
from normalizers.normalizer import UNKNOWN_STATISTICS, Normalizer

EVALUATIONS: Mapping[str, Schema] = {
    "rankings": {
        "summary": "Two runs against judgements, one beside the other",
        "value": {
            "measures": ["ndcg@10", "recall@2", "mrr"],
            "runs": [
                {"name": "bm25", "ids": [["a", "b"], ["d", "e"]], "scores": [[9.1, 4.0], [5, 2]]},
                {"name": "dense", "ids": [["b", "c"], ["e"]], "scores": [[0.8, 0.7], [0.4]]},
            ],
            "query_ids": ["q1", "q2"],
            "qrels": {"ids": [["b", "c"], ["e"]], "judgements": [[1, 0], [2]]},
            "baseline": "bm25",
            "bootstrap": {"samples": 200, "seed": 7},
            "per_query": True,
        },
    },
    "probabilities": {
        "summary": "Probabilities against labels, one list a query",
        "value": {
            "measures": ["brier", "log_loss", "auc"],
            "probabilities": [[0.9, 0.4, 0.1], [0.7, 0.2]],
            "labels": [[1, 0, 0], [0, 1]],
            "reliability": {"bins": 2},
        },
    },
    "threshold": {
        "summary": "One threshold for all queries, chosen on others",
        "value": {
            "measures": ["f1_threshold", {"measure": "f1_threshold", "params": {"threshold": 4}}],
            "scores": [[9.1, 4.0], [5.5, 2.0]],
            "labels": [[1, 0], [1, 0]],
            "training": {"scores": [[8.0, 6.0, 1.0]], "labels": [[1, 0, 0]]},
            "threshold_curve": True,
        },
    },
}


RUNS: Sequence[Schema] = (
    {"name": "bm25", "ids": ["a", "b"], "scores": [12.1, 7.0]},
    {"name": "dense", "ids": ["c", "a"], "scores": [0.83, 0.62]},
)
FUSIONS: Mapping[str, Schema] = {
    "queries": {
        "summary": "Many queries, each with the runs that answered it",
        "value": {
            "method": "wsum",
            "weights": {"bm25": 0.4, "dense": 0.6},
            "queries": [{"id": "q1", "runs": list(RUNS)}, {"id": "q2", "runs": [RUNS[1]]}],
            "on_error": "skip",
        },
    },
    "columns": {
        "summary": "Many queries as columns with offsets",
        "value": {
            "method": "rrf",
            "query_ids": ["q1", "q2"],
            "runs": [
                {"name": "bm25", "ids": ["a", "b", "d"], "offsets": [0, 2, 3]},
                {"name": "dense", "ids": ["c", "a"], "offsets": [0, 2, 2]},
            ],
        },
    },
}


def examples_of(name: str, catalogue: Catalogue) -> Schema:
    """Return an example of an operation's body for every method that has one."""
    if name == "evaluate":
        return dict(EVALUATIONS)
    of_methods = {
        cls.name: {"summary": docstring_sections(cls)["summary"], "value": value}
        for cls in catalogue.values()
        if (value := _example(name, cls)) is not None
    }
    return {**of_methods, **FUSIONS} if name == "fuse" else of_methods


def _example(name: str, cls: type[Normalizer]) -> Schema | None:
    example = cls.example
    params, fit = dict(example.params), example.fit
    if not example.given:
        return None
    if name == "fuse":
        runs = example.given.get("runs")
        stateless = runs is not None and not fit
        return {"method": cls.name, **params, "runs": runs} if stateless else None
    if name == "drift":
        comparable_fit = fit is not None and comparable(cls(**params).resolved(UNKNOWN_STATISTICS))
        return {"input": dict(example.given)} if comparable_fit else None
    described = {"method": cls.name, "params": params, **({"fit": dict(fit)} if fit else {})}
    if name == "transform":
        return {**described, "input": dict(example.given)}
    return {"name": cls.name, **described} if name == "create" else None
