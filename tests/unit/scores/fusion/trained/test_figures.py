"""The measured figures of trained and searched fusions on the Cranfield and CACM runs."""

from __future__ import annotations

import pytest

from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.evaluation import evaluate
from normalizers.normalizer import Normalizer
from tests.unit.evaluation.collection import (
    ABSENT,
    FOLDER,
    Collection,
    cacm,
    cranfield,
    expected,
)

pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason=ABSENT)

TOLERANCE = 0.0005
NDCG = {"measure": "ndcg@10"}
SIMILARITIES = {"bm25": "bm25", "dense": "cosine"}
NORMALIZERS = {
    "min-max": "min_max", "max": "max", "tmm": "tmm", "dbsf": "dbsf", "l2": "l2",
    "pit-query": "percentile", "zmuv": "z_score", "raw": "identity",
}  # fmt: skip
# The runs were ordered when they were fused: their equal scores stand in the order of the file.
BY_ORDER = {
    "ranx mapfuse tuned (None)": ("mapfuse", {}, {}),
    "ranx posfuse tuned (None)": ("posfuse", {}, {}),
    "ranx bayesfuse tuned (None)": ("bayesfuse", {}, {}),
    "ranx slidefuse tuned (None)": ("slidefuse", {"w": 12}, {}),
    "ranx probfuse tuned (None)": ("probfuse", {"n_segments": 6}, {}),
    "ranx rrf tuned (None)": ("rrf", {}, NDCG),
    "ranx w_bordafuse tuned (None)": ("w_bordafuse", {}, NDCG),
    "ranx rbc tuned (None)": ("rbc", {}, {**NDCG, "grid": 0.05}),
    "ranx logn_isr tuned (None)": ("logn_isr", {}, NDCG),
}
BY_SCORE = {
    "ranx segfuse tuned (min-max)": ("segfuse", {}, {}),
    "ranx wsum tuned (min-max)": ("wsum", {}, NDCG),
    "ranx mixed tuned (min-max)": ("mixed", {}, NDCG),
    # Of equally good values that row took the last one, not the first.
    "ranx wmnz tuned (min-max)": ("wmnz", {}, {**NDCG, "grid": [[0.7, 0.3]]}),
    "ranx gmnz tuned (min-max)": ("gmnz", {}, {**NDCG, "grid": [1.0]}),
    **{
        f"wsum {row} miss={missing}": (
            "convex", {"normalizer": name, "missing": rule, "alpha_run": "dense"}, NDCG,
        )
        for row, name in NORMALIZERS.items()
        for missing, rule in (("0", "zero"), ("list min", "run_min"))
    },
    "logistic 4 features min-max": ("logistic", {"features": "score_presence", "C": 1.0}, {}),
    "logistic 4 features raw": (
        "logistic", {"features": "score_presence", "normalizer": "identity", "C": 1.0}, {},
    ),
}  # fmt: skip
# Rows whose regression stopped where the gradient was 1e-4: at the optimum one pair of documents
# of one query stands the other way.
STOPPED_EARLY = {
    "logistic 4 features tmm": (
        {"features": "score_presence", "normalizer": "tmm", "C": 1.0}, (0.437937, 0.573211)
    ),
    "two-scale logistic (raw, score/max, log rank, present) C=0.1": (
        {"features": "two_scale", "C": 0.1}, (0.434530, 0.558622)
    ),
}  # fmt: skip


def sent(collection: Collection, *, scores: bool = True) -> list[dict[str, object]]:
    runs = [
        {**collection.run(name), "similarity": similarity}
        for name, similarity in SIMILARITIES.items()
    ]
    return runs if scores else [{"name": run["name"], "ids": run["ids"]} for run in runs]


def fitted(method: str, params: object, fields: object, *, scores: bool = True) -> Normalizer:
    training = cranfield("train")
    fusion = CATALOGUE.create(method, params).validated()  # type: ignore[arg-type]
    return fusion.fit(sent(training, scores=scores), qrels=training.qrels, **fields)  # type: ignore[arg-type]


def fused(fusion: Normalizer, collection: Collection, *, scores: bool = True) -> dict[str, object]:
    answer = fusion.apply_to(runs=sent(collection, scores=scores))
    lists = {name: [part.tolist() for part in answer[name]] for name in ("ids", "scores")}  # type: ignore[union-attr]
    return {"runs": [{"name": "fused", **lists}], "qrels": collection.qrels}


def reached(fusion: Normalizer, *, scores: bool = True) -> list[float]:
    return [
        evaluate(["ndcg@10"], **fused(fusion, part, scores=scores))["ndcg@10"]
        for part in (cranfield("test"), cacm())
    ]


def figures(row: str) -> list[float]:
    found = next(each for each in expected()["rows"] if each["method"] == row)  # type: ignore[attr-defined]
    return [found[part]["ndcg@10"] for part in ("cranfield_test", "cacm")]


@pytest.mark.parametrize("row", BY_ORDER)
def test_rows_of_ranked_lists(row: str) -> None:
    fusion = fitted(*BY_ORDER[row], scores=False)
    assert reached(fusion, scores=False) == pytest.approx(figures(row), abs=TOLERANCE)


@pytest.mark.parametrize("row", BY_SCORE)
def test_rows_of_scored_lists(row: str) -> None:
    fusion = fitted(*BY_SCORE[row])
    assert reached(fusion) == pytest.approx(figures(row), abs=TOLERANCE)
    if row.startswith("wsum"):
        alpha = next(each for each in expected()["rows"] if each["method"] == row)["fitted"]  # type: ignore[attr-defined]
        assert alpha == f"alpha(dense)={fusion.version_.resolved['alpha']}"


@pytest.mark.parametrize("row", STOPPED_EARLY)
def test_rows_of_regressions_at_their_optimum(row: str) -> None:
    params, optimum = STOPPED_EARLY[row]
    found = reached(fitted("logistic", params, {}))
    assert found == pytest.approx(optimum, abs=1e-6)
    assert found == pytest.approx(figures(row), abs=0.0012)


def test_the_best_fitted_preset() -> None:
    params, _ = STOPPED_EARLY["logistic 4 features tmm"]
    test, other = reached(fitted("logistic", params, {}))
    assert test >= 0.4372
    assert other >= 0.573


def test_one_threshold_for_all_queries() -> None:
    params, _ = STOPPED_EARLY["two-scale logistic (raw, score/max, log rank, present) C=0.1"]
    fusion = fitted("logistic", params, {})
    found = evaluate(
        ["f1_threshold", "auc", "average_precision"],
        **fused(fusion, cranfield("test")),
        training=fused(fusion, cranfield("train")),
    )
    assert found["f1_threshold"] >= 0.36
    assert found["auc"] == pytest.approx(0.8474, abs=0.0005)
    assert found["average_precision"] == pytest.approx(0.2657, abs=0.0005)
