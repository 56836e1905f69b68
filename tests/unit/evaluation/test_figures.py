"""Figures measured elsewhere on the Cranfield and CACM runs, found again."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from normalizers import Normalizer
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.evaluation import evaluate
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
# One row was measured at the threshold next to the best one of the training part.
F1_TOLERANCE = 0.001
MEASURES = ["ndcg@10", "recall@10", "recall@100", "mrr@10"]
# The rows of the table that are one fusion of both runs without a fit: method and parameters.
FUSIONS = {
    "ranx rrf k=60": ("rrf", {"k": 60}),
    "ranx rrf k=1": ("rrf", {"k": 1}),
    "ranx rrf k=10": ("rrf", {"k": 10}),
    "ranx rrf k=100": ("rrf", {"k": 100}),
}
# The figure depends on the order in which equal probabilities fall into bins; ours does not.
ERROR_TOLERANCE = {"platt": 1e-4, "isotonic": 0.0015}
CALIBRATORS = {"platt": "platt", "isotonic": "isotonic"}


def rows() -> dict[str, dict[str, dict[str, float]]]:
    found = cast(list[dict[str, object]], expected()["rows"])
    return {str(row["method"]): cast(dict[str, dict[str, float]], row) for row in found}


def fused(collection: Collection, method: Normalizer) -> dict[str, object]:
    answer = method.apply_to([collection.run("bm25"), collection.run("dense")])
    ids, scores = answer["ids"], answer["scores"]
    return {"name": "fused", "ids": [one.tolist() for one in ids], "scores": list(scores)}  # type: ignore[union-attr]


def check(run: dict[str, object], collection: Collection, figures: dict[str, float]) -> None:
    found = evaluate(MEASURES, runs=[run], qrels=collection.qrels)
    for name in MEASURES:
        if name in figures:
            assert found[name] == pytest.approx(figures[name], abs=TOLERANCE), name


@pytest.mark.parametrize("name", ["bm25", "dense"])
def test_a_run_alone(name: str) -> None:
    row = rows()[name]
    check(cranfield("test").run(name), cranfield("test"), row["cranfield_test"])
    check(cacm().run(name), cacm(), row["cacm"])


@pytest.mark.parametrize("name", FUSIONS)
def test_a_fusion(name: str) -> None:
    method, params = FUSIONS[name]
    row = rows()[name]
    for collection, part in ((cranfield("test"), "cranfield_test"), (cacm(), "cacm")):
        fusion = CATALOGUE.create(method, params)
        check(fused(collection, fusion), collection, row[part])


def threshold(training: dict[str, object], test: dict[str, object]) -> dict[str, float]:
    found = evaluate(["auc", "average_precision", "f1_threshold"], training=training, **test)
    return {one.measure: one.value for one in found.results}


def scaled(name: str, method: str | None, part: str) -> dict[str, object]:
    """Return scores with labels, each query's list scaled on its own."""
    collection = cranfield(part)
    lists = [np.array(scores) for _, scores in collection.runs[name]]
    if method is not None:
        lists = list(CATALOGUE.create(method, {}).transform(lists))
    return {"scores": lists, "labels": np.split(collection.pooled(name)[1], _ends(lists))}


def _ends(lists: list[np.ndarray]) -> np.ndarray:
    return np.cumsum([len(one) for one in lists])[:-1]


@pytest.mark.parametrize(
    "label, run, method",
    [
        ("bm25 raw", "bm25", None),
        ("bm25 min-max per query", "bm25", "min_max"),
        ("bm25 PIT per query", "bm25", "percentile"),
        ("dense raw", "dense", None),
        ("dense min-max per query", "dense", "min_max"),
        ("dense PIT per query", "dense", "percentile"),
    ],
)
def test_one_threshold_for_all_queries(label: str, run: str, method: str | None) -> None:
    table = cast(dict[str, list[dict[str, float]]], expected()["one_threshold_for_all_queries"])
    row = next(row for row in table["rows"] if row["score"] == label)
    found = threshold(scaled(run, method, "train"), scaled(run, method, "test"))
    assert found["auc"] == pytest.approx(row["auc"], abs=TOLERANCE)
    assert found["average_precision"] == pytest.approx(row["ap"], abs=TOLERANCE)
    assert found["f1_threshold"] == pytest.approx(row["test_f1"], abs=F1_TOLERANCE)


def test_one_threshold_of_fused_lists() -> None:
    table = cast(dict[str, list[dict[str, float]]], expected()["one_threshold_for_all_queries"])
    row = next(row for row in table["rows"] if row["score"] == "rrf k=60")
    parts = {
        part: {
            "runs": [fused(cranfield(part), CATALOGUE.create("rrf", {}))],
            "qrels": cranfield(part).qrels,
        }
        for part in ("train", "test")
    }
    assert threshold(parts["train"], parts["test"])["f1_threshold"] == pytest.approx(
        row["test_f1"], abs=TOLERANCE
    )


@pytest.mark.parametrize("calibrator", CALIBRATORS)
@pytest.mark.parametrize("run", ["bm25", "dense"])
def test_the_quality_of_calibration(run: str, calibrator: str) -> None:
    table = cast(dict[str, dict[str, dict[str, float]]], expected()["calibration_on_test"])
    row, base = table[run][calibrator], table[run]["base_rate"]
    scores, labels = cranfield("train").pooled(run)
    fitted = CATALOGUE.create(CALIBRATORS[calibrator], {}).fit(scores, labels=labels)
    test_scores, test_labels = cranfield("test").pooled(run)
    found = evaluate(
        ["brier", "log_loss", "calibration_error"],
        probabilities=fitted.transform(test_scores),
        labels=test_labels,
        training={"scores": scores, "labels": labels},
    )
    brier, log_loss, error = [one.value for one in found.results]
    assert [brier, log_loss] == pytest.approx([row["brier"], row["log_loss"]], abs=TOLERANCE)
    assert error == pytest.approx(row["ece10"], abs=ERROR_TOLERANCE[calibrator])
    bases = [one.base for one in found.results[:2]]
    assert bases == pytest.approx([base["brier"], base["log_loss"]], abs=TOLERANCE)
