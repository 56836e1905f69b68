"""Logistic regression on what several runs say of a document."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import expit, logit

from normalizers.errors import FitError, InvalidInput, InvalidParams, NormalizerError
from normalizers.normalizer import Normalizer
from normalizers.versions import fitting
from normalizers.versions.file import from_bytes, to_bytes
from tests.unit.scores.fusion.fusing import scored
from tests.unit.scores.fusion.trained.training import made, part, qrels, runs

SETS = ("score_presence", "two_scale")


def regression(features: str = "two_scale", **params: object) -> Normalizer:
    return made("logistic", features=features, **{"C": 0.5, **params}).fit(runs(), qrels=qrels())


def asked(query: int = 0) -> list[dict[str, object]]:
    chosen = part(runs(seed=5), slice(query, query + 1))
    return [{**run, "ids": run["ids"][0], "scores": run["scores"][0]} for run in chosen]  # type: ignore[index]


def rows(lists: list[dict[str, object]], query: int) -> tuple[list[str], np.ndarray]:
    """Return the documents of a query and their two-scale features, runs by name."""
    documents = sorted({name for run in lists for name in run["ids"][query]})  # type: ignore[index]
    columns = []
    for run in sorted(lists, key=lambda run: str(run["name"])):
        ids, scores = run["ids"][query], run["scores"][query]  # type: ignore[index]
        best, worst, n = max(scores), min(scores), len(ids)
        absent = [worst, worst / best, math.log(n + 1), 0.0]
        there = {
            name: [score, score / best, math.log(rank), 1.0]
            for rank, (name, score) in enumerate(zip(ids, scores, strict=True), 1)
        }
        columns.append([there.get(name, absent) for name in documents])
    return documents, np.hstack([np.array(column) for column in columns])


def test_it_is_the_regression_of_scikit_learn() -> None:
    from sklearn.linear_model import LogisticRegression

    tables = [rows(runs(), query) for query in range(12)]
    x = np.vstack([table for _, table in tables])
    y = [name < "d05" for documents, _ in tables for name in documents]
    means, scales = x.mean(axis=0), x.std(axis=0)
    oracle = LogisticRegression(C=0.5, tol=1e-12, max_iter=100_000).fit((x - means) / scales, y)
    fitted = regression().fitted_
    assert fitted["coefficients"].ravel() == pytest.approx(oracle.coef_[0], abs=1e-6)
    assert float(fitted["intercept"]) == pytest.approx(oracle.intercept_[0], abs=1e-6)
    lists = [{**run, "ids": [run["ids"]], "scores": [run["scores"]]} for run in asked()]
    documents, table = rows(lists, 0)
    expected = oracle.predict_proba((table - means) / scales)[:, 1]
    answer = scored(regression().apply_to(runs=asked()))
    assert [answer[name] for name in documents] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("features", SETS)
def test_parts_add_up_to_the_log_odds(features: str) -> None:
    linear = regression(features, output="linear").apply_to(runs=asked(), explain=True)
    for hit in linear.explain:  # type: ignore[attr-defined]
        assert math.fsum(part["contribution"] for part in hit["parts"]) == hit["score"]
    probability = scored(regression(features).apply_to(runs=asked()))
    for name, log_odds in scored(linear).items():
        assert probability[name] == pytest.approx(expit(log_odds), rel=1e-14)


@pytest.mark.parametrize("output", ["probability", "linear"])
def test_a_threshold_filters_what_is_answered(output: str) -> None:
    fusion = regression(output=output)
    whole = scored(fusion.apply_to(runs=asked()))
    threshold = 0.3 if output == "probability" else float(logit(0.3))
    kept = fusion.apply_to(runs=asked(), min_score=threshold)
    assert scored(kept) == {name: one for name, one in whole.items() if one >= threshold}
    assert kept.extra["total"] == len(kept["ids"]) < len(whole)


@pytest.mark.parametrize("features", SETS)
def test_parts_of_the_queries_merge_to_the_same_bits(features: str) -> None:
    whole = regression(features).version_
    cuts = (slice(0, 4), slice(4, 5), slice(5, 12))
    versions = [
        made("logistic", features=features, C=0.5)
        .fit(part(runs(), cut), qrels={"ids": qrels()["ids"][cut]})  # type: ignore[index]
        .version_
        for cut in cuts
    ]
    merged = fitting.merge(whole.method, versions[::-1])
    for name, array in whole.fitted.arrays.items():
        assert np.array_equal(array, merged.fitted[name]), name


@pytest.mark.parametrize("params", [{}, {"normalizer": "z_score"}, {"output": "linear"}])
def test_a_file_answers_the_same_bits(params: dict[str, object]) -> None:
    version = regression("score_presence", **params).version_
    again = from_bytes(to_bytes(version))
    sent = {"runs": asked()}
    assert again.resolved == version.resolved
    assert version.transform(sent)["scores"].tolist() == again.transform(sent)["scores"].tolist()


def test_the_order_of_the_runs_changes_no_bit() -> None:
    fusion = regression()
    assert scored(fusion.apply_to(runs=asked())) == scored(fusion.apply_to(runs=asked()[::-1]))


def test_an_empty_list_has_no_say() -> None:
    fusion = regression(output="linear")
    words, vectors = asked()
    silent = {"name": "words", "ids": [], "scores": []}
    alone = scored(fusion.apply_to(runs=[silent, vectors]))
    both = fusion.apply_to(runs=[words, vectors], explain=True).explain
    said = {
        hit["id"]: part["contribution"] for hit in both for part in hit["parts"]
        if part["run"] == "vectors"
    }  # fmt: skip
    level = float(fusion.fitted_["intercept"]) / 2
    for name, score in alone.items():
        assert score == pytest.approx(said[name] + level, rel=1e-12)


def test_without_a_penalty_what_separates_the_labels_is_refused() -> None:
    training = [{"name": "a", "ids": [["x", "y", "z"]], "scores": [[3.0, 2.0, 1.0]]}]
    with pytest.raises(FitError) as caught:
        made("logistic", features="two_scale").fit(training, qrels={"ids": [["x"]]})
    assert caught.value.path == "params.C"


@pytest.mark.parametrize("relevant", [[], ["x", "y"]])
def test_one_class_is_refused(relevant: list[str]) -> None:
    training = [{"name": "a", "ids": [["x", "y"]], "scores": [[3.0, 2.0]]}]
    with pytest.raises(FitError, match="one class only"):
        made("logistic", features="score_presence", C=1.0).fit(training, qrels={"ids": [relevant]})


def test_two_scales_need_a_best_score_above_zero() -> None:
    lists = [{**run, "scores": [-1.0 for _ in run["scores"]]} for run in asked()]  # type: ignore[attr-defined]
    with pytest.raises(InvalidInput, match="not above 0") as caught:
        regression().apply_to(runs=lists)
    assert caught.value.path == "input.runs[0].scores"
    training = [{**run, "higher_is_better": False} for run in runs()]
    with pytest.raises(InvalidInput) as caught:
        made("logistic", features="two_scale").fit(training, qrels=qrels())
    assert caught.value.path == "fit.runs[0].scores"


@pytest.mark.parametrize(
    "params",
    [
        {"features": "two_scale", "similarity": "cosine"},
        {"features": "two_scale", "inf_policy": "reject"},
        {"features": "two_scale", "nan_policy": "propagate"},
        {"normalizer": "min_max"}, {"output": "linear"}, {"duplicates": "best"},
        {"features": "three_scale"},
    ],
)  # fmt: skip
def test_parameters_without_a_meaning_are_refused(params: dict[str, object]) -> None:
    with pytest.raises(InvalidParams):
        made("logistic", **params)


def test_options_of_a_fusion_have_no_meaning_for_a_calibrator() -> None:
    calibrator = made("logistic").fit([1.0, 2.0, 2.0, 3.0], labels=[0, 1, 1, 0])
    with pytest.raises(NormalizerError, match="top_k"):
        calibrator.apply_to([1.0], top_k=1)
    assert len(regression().apply_to(runs=asked(), top_k=3)["ids"]) == 3


def test_equal_documents_tie_and_stand_by_id() -> None:
    lists = [
        {"name": name, "ids": ["c", "b", "a"], "scores": [2.0, 1.0, 1.0]}
        for name in ("words", "vectors")
    ]
    answer = regression("score_presence").apply_to(runs=lists)
    assert answer["ids"].tolist()[1:] == ["a", "b"]
    assert answer["scores"][1] == answer["scores"][2]


def test_a_stored_normalizer_leaves_the_direction_to_each_run() -> None:
    fusion = made("wsum", normalizer="z_score").version_
    again = from_bytes(to_bytes(fusion))
    near = [{"name": "a", "ids": ["x", "y"], "scores": [1.0, 2.0], "higher_is_better": False}]
    assert again.transform({"runs": near})["ids"].tolist() == ["x", "y"]


def pair(scores: list[float], **params: object) -> Normalizer:
    training = [{"name": "x", "ids": [["a", "b"]], "scores": [scores]}]
    return made("logistic", C=1.0, **params).fit(training, qrels={"ids": [["a"]]})


@pytest.mark.parametrize(
    "features",
    [{"features": "two_scale"}, {"features": "score_presence", "normalizer": "identity"}],
)
def test_a_power_of_two_in_the_scores_changes_no_coefficient(features: dict[str, object]) -> None:
    near_one = pair([1.25, 2.5], **features).fitted_["coefficients"]
    for power in (-1000, -565, 1020):
        scores = [math.ldexp(1.25, power), math.ldexp(2.5, power)]
        assert np.array_equal(pair(scores, **features).fitted_["coefficients"], near_one)


@pytest.mark.parametrize("scores", [[5e-324, 1e-323], [1e-310, 2e-310]])
def test_scores_without_a_deviation_in_float64_are_refused(scores: list[float]) -> None:
    with pytest.raises(FitError, match="'score' of run 'x' lie too close"):
        pair(scores, features="two_scale")


def test_scores_whose_range_is_not_finite_are_refused() -> None:
    with pytest.raises(FitError, match="'score' of run 'x' lie"):
        pair([1.7e308, -1.7e308], features="two_scale")


@pytest.mark.parametrize("label", [2.0, 0.5, -1.0, 1e10, 1e300])
def test_posted_labels_are_0_or_1(label: float) -> None:
    fusion = regression()
    sample = fusion.version_.statistics["sample"]
    labels = np.array(sample["labels"])
    labels[0] = label
    posted = type(sample)(("features", "labels")).update(sample["features"], labels)
    statistics = fusion.version_.statistics.replace(sample=posted)
    with pytest.raises(InvalidInput, match="a label is 0 or 1") as caught:
        made("logistic", features="two_scale", C=0.5).check_statistics(statistics, "statistics")
    assert caught.value.path.startswith("statistics.sample.labels[")
