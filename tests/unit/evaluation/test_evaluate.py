"""Evaluations: what is compared with what, what is undefined, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, InvalidParams, NormalizerError, ShapeError
from normalizers.evaluation import Evaluation, evaluate

RUNS = [
    {"name": "bm25", "ids": [["a", "b", "c"], ["d", "e"]], "scores": [[9, 7, 7], [2, 1]]},
    {
        "name": "dense",
        "ids": [["b", "c", "a"], ["e", "d"]],
        "scores": [[0.8, 0.7, 0.1], [0.5, 0.4]],
    },
]
QRELS = {"ids": [["b", "z"], ["e"]], "judgements": [[1, 1], [2]]}
NDCG_OF_B_SECOND = (1 / np.log2(3)) / (1 + 1 / np.log2(3))


def ask(*measures: object, **members: object) -> Evaluation:
    return evaluate(measures, **{"runs": RUNS, "qrels": QRELS, **members})


def test_equal_scores_are_ordered_by_id() -> None:
    run = {"ids": [["c", "b"]], "scores": [[1, 1]]}
    found = evaluate(["mrr"], runs=[run], qrels={"ids": [["b"]]})
    assert found["mrr"] == 1.0


def test_lower_is_better_where_the_run_says_so() -> None:
    run = {"ids": [["a", "b"]], "scores": [[0.9, 0.1]], "similarity": "l2"}
    found = evaluate(["mrr", "auc"], runs=[run], qrels={"ids": [["b"]]})
    assert (found["mrr"], found["auc"]) == (1.0, 1.0)


def test_every_run_beside_the_baseline() -> None:
    found = ask("ndcg@10", baseline="bm25")
    bm25, dense = found.results
    assert bm25.comparison is None
    assert dense.comparison is not None
    assert dense.comparison.value == bm25.value
    assert dense.comparison.difference == dense.value - bm25.value
    assert bm25.by_unit is not None
    np.testing.assert_allclose(bm25.by_unit, [NDCG_OF_B_SECOND, 1 / np.log2(3)])
    lower, upper = dense.comparison.interval
    assert 0 < lower <= dense.comparison.difference <= upper
    assert found.as_dict()["bootstrap"] == {"samples": 1000, "seed": 0, "confidence": 0.95}


def test_the_baseline_by_its_place() -> None:
    by_name, by_place = ask("mrr", baseline="dense"), ask("mrr", baseline=1)
    assert by_name.as_dict() == by_place.as_dict()


def test_a_pooled_measure_is_compared_by_query() -> None:
    found = ask("auc", baseline="bm25", bootstrap={"samples": 50, "seed": 3})
    again = ask("auc", baseline="bm25", bootstrap={"samples": 50, "seed": 3})
    assert found.as_dict() == again.as_dict()
    assert found.results[0].interval is not None


def test_other_scores_as_a_baseline() -> None:
    members = {"scores": [0.9, 0.1, 0.8], "labels": [1, 0, 0], "baseline": {"scores": [1, 2, 3]}}
    found = evaluate(["auc"], **members)
    (one,) = found.results
    assert one.comparison is not None
    assert (one.value, one.comparison.value, one.comparison.difference) == (1.0, 0.0, 1.0)


def test_judgements_in_any_order_by_query_id() -> None:
    flat = {"query_ids": ["q2", "q9", "q1", "q1"], "ids": ["e", "a", "z", "b"]}
    named = ask("ndcg@10", qrels=flat, query_ids=["q1", "q2"])
    listed = ask("ndcg@10")
    assert [one.value for one in named.results] == [one.value for one in listed.results]
    assert named.counts["queries_not_asked"] == 1
    assert named.counts["judged"] == 3


def test_judged_ids_that_no_run_returned_are_counted() -> None:
    assert ask("mrr").counts == {
        "queries": 2,
        "queries_without_relevant": 0,
        "judged": 3,
        "relevant": 3,
        "relevant_not_retrieved": 1,
        "queries_not_asked": 0,
    }


def test_a_query_without_relevant_documents_is_counted_beside_the_value() -> None:
    found = ask("recall@2", qrels={"ids": [["b"], ["e"]], "judgements": [[1], [0]]})
    shown = found.as_dict(per_query=True)["results"][1]  # type: ignore[index]
    assert (shown["value"], shown["n"], shown["undefined"]) == (1.0, 1, 1)
    assert "reason" not in shown
    assert np.isnan(shown["per_query"]).tolist() == [False, True]


def test_nothing_relevant_at_all_is_null_and_never_0() -> None:
    found = ask("ndcg@10", "auc", "f1_threshold", qrels={"ids": [[], []]}, baseline="bm25")
    for shown in found.as_dict()["results"]:  # type: ignore[union-attr]
        assert shown["value"] is None
        assert shown["reason"]
        if "baseline" in shown:
            assert shown["baseline"]["difference"] is None
            assert shown["baseline"]["interval"] == {"lower": None, "upper": None}


def test_one_class_only() -> None:
    found = evaluate(["auc", "brier"], probabilities=[0.5, 0.25], labels=[1, 1])
    auc, brier = found.as_dict()["results"]  # type: ignore[misc]
    assert (auc["value"], auc["reason"]) == (None, "all labels are of one class")
    assert brier["value"] == (0.25 + 0.5625) / 2
    assert brier["base_value"] == 0.0


def test_the_threshold_comes_from_the_training_part() -> None:
    training = {"scores": [0.4, 0.3, 0.2], "labels": [1, 1, 0]}
    members = {"scores": [0.9, 0.35, 0.1], "labels": [1, 0, 0]}
    (one,) = evaluate(["f1_threshold"], training=training, **members).results
    assert one.params == {"threshold": 0.3}
    assert one.value == pytest.approx(2 / 3)
    flattered = evaluate(["f1_threshold"], **members)
    assert flattered["f1_threshold"] == 1.0
    assert [noted.code for noted in flattered.warnings] == ["threshold_in_sample"]


def test_a_threshold_is_told_in_the_units_it_was_sent_in() -> None:
    run = {"ids": [["a", "b", "c"]], "scores": [[0.1, 0.4, 0.9]], "higher_is_better": False}
    members = {"runs": [run], "qrels": {"ids": [["a", "b"]]}}
    found = evaluate(["f1_threshold"], threshold_curve=True, **members)
    assert found.results[0].params == {"threshold": 0.4}
    (curve,) = found.threshold_curves
    assert np.asarray(curve["threshold"]).tolist() == [0.1, 0.4, 0.9]
    given = {"measure": "f1_threshold", "params": {"threshold": 0.4}}
    assert evaluate([given], **members)["f1_threshold"] == 1.0


def test_the_share_of_positives_comes_from_the_training_part() -> None:
    training = {"scores": [1, 2, 3, 4], "labels": [0, 0, 0, 1]}
    (one,) = evaluate(["brier"], probabilities=[0.5, 0.5], labels=[1, 0], training=training).results
    assert one.base == pytest.approx((0.75**2 + 0.25**2) / 2)


def test_curves_and_diagrams_without_a_measure() -> None:
    found = evaluate(
        [], probabilities=[0.9, 0.2], labels=[1, 0], threshold_curve={"points": 2}, reliability=True
    )
    assert found.results == ()
    assert len(found.threshold_curves) == len(found.reliability) == 1


@pytest.mark.parametrize(
    "scores",
    [[[0.9, 0.4], [0.7]], Ragged.of([[0.9, 0.4], [0.7]]), np.array([0.9, 0.4, 0.7])],
    ids=["nested", "ragged", "flat"],
)
def test_scores_in_every_form(scores: object) -> None:
    flat = isinstance(scores, np.ndarray)
    labels = [1, 0, 1] if flat else [[1, 0], [1]]
    found = evaluate(["auc"], scores=scores, labels=labels)
    assert found["auc"] == 1.0
    assert found.counts["clusters"] == (3 if flat else 2)


def test_clusters_are_the_units_of_the_bootstrap() -> None:
    found = evaluate(
        ["auc"], scores=[3, 1, 2], labels=[1, 0, 0], clusters=["x", "x", "y"], bootstrap=True
    )
    assert found.counts["clusters"] == 2


def test_lists_may_be_empty() -> None:
    runs = [{"ids": [[], ["e"]], "scores": [[], [1]]}]
    assert ask("recall", runs=runs)["recall"] == 0.5


def test_depth_cuts_before_anything_is_measured() -> None:
    assert ask("recall", depth=1, runs=RUNS[:1])["recall"] == 0.0


WRONG: list[tuple[dict[str, object], type[NormalizerError], str, str]] = [
    ({"asked": []}, InvalidInput, "measures", "name at least one measure"),
    ({"asked": "auc"}, InvalidInput, "measures", "a list of names"),
    ({"asked": ["auc", "auc"]}, InvalidParams, "measures[1]", "asked for twice"),
    ({"asked": ["auc"] * 101}, InvalidInput, "measures", "at most 100"),
    ({"asked": ["brier"]}, InvalidInput, "runs[0].scores", "needs probabilities"),
    ({"runs": []}, InvalidInput, "runs", "at least one run"),
    ({"qrels": None}, InvalidInput, "qrels", "qrels are an object"),
    ({"qrels": [1]}, InvalidInput, "qrels", "qrels are an object"),
    ({"qrels": {"ids": [["a"]]}}, ShapeError, "qrels.ids", "judgements of 1 queries"),
    ({"qrels": {"ids": [["a", "a"], []]}}, InvalidInput, "qrels.ids", "judged twice"),
    ({"qrels": {"id": [["a"], []]}}, InvalidInput, "qrels.id", "unknown field"),
    (
        {"qrels": {"ids": [["a"], ["e"]], "judgements": [[1], [None]]}},
        InvalidInput,
        "qrels.judgements[1][0]",
        "missing or infinite",
    ),
    (
        {"qrels": {"ids": [["a"], ["e"]], "judgements": [[1], [1, 2]]}},
        ShapeError,
        "qrels.judgements",
        "same lengths",
    ),
    (
        {"qrels": {"ids": ["a"], "query_ids": ["q1"]}},
        InvalidInput,
        "query_ids",
        "send query_ids beside the runs too",
    ),
    (
        {"qrels": {"ids": ["a"], "query_ids": ["q1", "q2"]}, "query_ids": ["q1", "q2"]},
        ShapeError,
        "qrels.query_ids",
        "2 query ids for 1 ids",
    ),
    ({"query_ids": ["q1"]}, ShapeError, "query_ids", "1 query ids"),
    ({"query_ids": ["q1", "q1"]}, InvalidInput, "query_ids[1]", "twice"),
    ({"baseline": "bm52"}, InvalidInput, "baseline", "did you mean 'bm25'"),
    ({"baseline": 7}, InvalidInput, "baseline", "no run is called"),
    ({"baseline": True}, InvalidInput, "baseline", ""),
    ({"baseline": {"scores": [1]}}, InvalidInput, "baseline", "name or the place"),
    ({"training": 3}, InvalidInput, "training", "like the evidence"),
    (
        {"asked": ["f1_threshold"], "training": {"runs": RUNS[:1], "qrels": QRELS}},
        InvalidInput,
        "training.runs",
        "no run 'dense'",
    ),
    ({"scores": [1.0]}, InvalidInput, "scores", "not both"),
    ({"depht": 3}, InvalidInput, "depht", "did you mean 'depth'"),
    ({"depth": 0}, InvalidParams, "depth", "greater than or equal to 1"),
    ({"duplicates": "frist"}, InvalidParams, "duplicates", "'first'"),
    ({"bootstrap": {"samples": 0}}, InvalidParams, "bootstrap.samples", "greater"),
    ({"bootstrap": {"sample": 9}}, InvalidParams, "bootstrap.sample", "did you mean 'samples'"),
    ({"bootstrap": 3}, InvalidParams, "bootstrap", "an object of parameters"),
    ({"threshold_curve": {"points": 1}}, InvalidParams, "threshold_curve.points", "greater"),
    ({"reliability": {"binning": "x"}}, InvalidParams, "reliability.binning", "'width'"),
    (
        {"asked": ["auc"], "runs": [{"ids": [["a"], ["e"]]}]},
        InvalidInput,
        "runs[0].scores",
        "needs a score at every hit",
    ),
]


@pytest.mark.parametrize("members, error, path, message", WRONG, ids=lambda value: str(value)[:50])
def test_what_cannot_be_evaluated(
    members: dict[str, object], error: type[NormalizerError], path: str, message: str
) -> None:
    sent = {"asked": ["mrr"], "runs": RUNS, "qrels": QRELS, **members}
    with pytest.raises(error) as refused:
        evaluate(sent.pop("asked"), **sent)  # type: ignore[arg-type]
    assert refused.value.path == path
    assert message in refused.value.message
    assert all(fault.path and "evidence" not in fault.path for fault in refused.value.faults)


LABELLED: list[tuple[dict[str, object], str, str]] = [
    ({"scores": [0.1, None]}, "scores[1]", "missing or infinite"),
    ({"scores": [0.1, np.inf]}, "scores[1]", "infinity"),
    ({"labels": [1, 2]}, "labels[1]", "a label is 0 or 1"),
    ({"labels": [1, 0.5]}, "labels[1]", "a label is 0 or 1"),
    ({"labels": None}, "labels", "missing"),
    ({"labels": [1]}, "labels", "same lengths"),
    ({"scores": [], "labels": []}, "scores", "no scores"),
    ({"probabilities": [0.1, 0.2]}, "", "one of scores and probabilities"),
    ({"scores": None, "probabilities": [0.1, 1.5]}, "probabilities[1]", "within 0..1"),
    ({"clusters": ["x"]}, "clusters", "1 clusters for 2 scores"),
    ({"asked": ["ndcg@10"]}, "scores", "needs rankings"),
    ({"asked": ["brier"], "scores": [0.1, 7.0]}, "scores", "needs probabilities"),
    ({"baseline": "bm25"}, "baseline", "an object with other scores"),
    ({"baseline": {"scores": [1]}}, "baseline", ""),
    ({"baseline": {"labels": [1, 0]}}, "baseline.labels", "unknown member"),
]


@pytest.mark.parametrize("members, path, message", LABELLED, ids=lambda value: str(value)[:50])
def test_what_scores_cannot_be_evaluated(
    members: dict[str, object], path: str, message: str
) -> None:
    sent = {"asked": ["auc"], "scores": [0.3, 0.2], "labels": [1, 0], **members}
    with pytest.raises(NormalizerError) as refused:
        evaluate(sent.pop("asked"), **sent)  # type: ignore[arg-type]
    assert refused.value.path.startswith(path)
    assert message in refused.value.message


def test_inputs_are_never_modified() -> None:
    scores, labels = np.array([0.3, 0.1, 0.2]), np.array([1.0, 0.0, 1.0])
    before = scores.copy(), labels.copy()
    evaluate(["auc", "f1_threshold"], scores=scores, labels=labels, bootstrap=True)
    assert (scores == before[0]).all()
    assert (labels == before[1]).all()


def test_no_evidence_at_all_is_refused_with_a_place() -> None:
    with pytest.raises(InvalidInput, match="send runs with qrels") as caught:
        evaluate(["auc"])
    assert caught.value.path == "scores"
