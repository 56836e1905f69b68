"""What was reported of fusions elsewhere, each as the whole kind that it is of."""

from __future__ import annotations

import subprocess
import sys

import pytest

from normalizers import errors
from normalizers.catalogue.catalogue import CATALOGUE
from tests.unit.scores.fusion.fusing import (
    ALL,
    RANK,
    SCORE,
    UNWEIGHTED,
    WEIGHTED,
    codes,
    fused,
    run,
    scored,
)

KEEPS_ZERO = ("rrf", "w_bordafuse", "wsum", "wmnz", "arithmetic_mean", "geometric_mean")


def test_weaviate_3243_a_lone_hit_keeps_its_weight() -> None:
    answer = fused("wsum", run("bm25", "a 3.2"), run("dense", "b 0.9, c 0.5"), weights=[0.5, 0.5])
    assert scored(answer) == {"a": 0.5, "b": 0.5, "c": 0.0}
    assert codes(answer)["constant_list"] == {"run": "bm25", "count": 1}


def test_elasticsearch_128689_a_lone_hit_is_normalized() -> None:
    runs = run("bm25", "a 37.5"), run("dense", "b 0.9, a 0.1")
    assert scored(fused("wsum", *runs, weights=[1.0, 1.0])) == {"a": 1.0, "b": 1.0}


@pytest.mark.parametrize("score", ["0.5", "0.1"])
def test_haystack_12507_equal_scores_have_a_distribution(score: str) -> None:
    flat = run("x", ", ".join(f"{name} {score}" for name in "abc"))
    answer = fused("combsum", flat, run("y", "c 0.8, a 0.2"), normalizer="dbsf", explain=True)
    parts = {hit["id"]: hit["parts"][0]["normalized"] for hit in answer.explain}
    assert parts == {"a": 0.5, "b": 0.5, "c": 0.5}


@pytest.mark.parametrize("method", ALL)
def test_haystack_11491_a_missing_score_is_one_thing_everywhere(method: str) -> None:
    x = {"name": "x", "ids": ["a", "b"], "scores": [0.4, None]}
    y = run("y", "b 2, a 1")
    if method in RANK:
        without = {"name": "x", "ids": ["a", "b"]}
        assert scored(fused(method, x, y)) == scored(fused(method, without, y))
        return
    for missing in (None, float("nan"), float("inf")):
        wrong = {**x, "scores": [0.4, missing]}
        with pytest.raises(errors.NonFiniteError) as caught:
            fused(method, wrong, y)
        assert caught.value.path == "input.runs[0].scores[1]"
    with pytest.raises(errors.InvalidInput) as refused:
        fused(method, {"name": "x", "ids": ["a"]}, y)
    assert refused.value.path == "input.runs[0].scores"
    dropped = fused(method, x, y, nan_policy="omit")
    assert scored(dropped) == scored(fused(method, run("x", "a 0.4"), y))


def test_a_hit_put_last_has_a_rank_and_no_score() -> None:
    x = {"name": "x", "ids": ["n", "a", "b"], "scores": [None, 1.0, 2.0]}
    answer = fused("combsum", x, run("y", "a 5, c 1"), nan_policy="last", explain=True)
    hit = next(hit for hit in answer.explain if hit["id"] == "n")
    assert hit["parts"][0] == {
        "run": "x", "rank": 3, "raw": None, "normalized": None, "weight": 1.0,
        "contribution": 0.0,
    }  # fmt: skip
    assert scored(answer) == {"a": 1.0, "b": 1.0, "c": 0.0, "n": 0.0}
    raw = fused("combsum", x, nan_policy="last", normalizer="identity", explain=True)
    assert scored(raw) == {"b": 2.0, "a": 1.0, "n": 1.0}


@pytest.mark.parametrize("method", ALL)
def test_haystack_12774_the_order_of_the_runs_changes_nothing(method: str) -> None:
    runs = [run("x", "a 3.1, b 2.7, c 0.3"), run("y", "d 0.9, b 0.7, a 0.1")]
    named = {"weights": {"x": 0.3, "y": 0.7}} if method in WEIGHTED else {}
    if method == "convex":
        named = {"alpha_run": "y"}
    first = fused(method, *runs, explain=True, **named)
    again = fused(method, *runs[::-1], explain=True, **named)
    assert list(scored(first).items()) == list(scored(again).items())
    assert [part["run"] for part in again.explain[0]["parts"]] == ["y", "x"]


def test_qdrant_6814_ties_are_the_same_in_every_process() -> None:
    code = (
        "from normalizers.catalogue.catalogue import CATALOGUE as C;"
        "x = {'ids': ['b', 'a', 'c'], 'scores': [3.0, 2.0, 1.0]};"
        "y = {'ids': ['c', 'a', 'b'], 'scores': [3.0, 2.0, 1.0]};"
        "print([C.create(m).apply_to(runs=[x, y], top_k=2)['ids'].tolist()"
        " for m in ('rrf', 'combsum', 'condorcet', 'isr')])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, check=True,
            capture_output=True, text=True,
        ).stdout
        for seed in ("0", "1", "77")
    }  # fmt: skip
    assert len(told) == 1
    assert told.pop().startswith("[['b', 'c'], ['a', 'b']")


@pytest.mark.parametrize("method", ALL)
def test_qdrant_10611_distances_keep_their_direction(method: str) -> None:
    distances = "a 0.1, b 0.4, c 0.9"
    for said in ({"higher_is_better": False}, {"similarity": "l2"}):
        for normalizer in ("min_max", "dbsf", "z_score") if method in SCORE else (None,):
            params = {} if normalizer is None else {"normalizer": normalizer}
            runs = run("x", distances, **said), run("y", distances, **said)
            assert fused(method, *runs, **params)["ids"].tolist() == ["a", "b", "c"]
    whole = fused(method, run("x", distances), run("y", distances), higher_is_better=False)
    assert whole["ids"].tolist() == ["a", "b", "c"]


def test_sentence_transformers_3883_a_missing_document_has_no_rank() -> None:
    runs = run("x", "X 3, a 2, Y 1"), run("y", "b 3, c 2, Y 1")
    answer = fused("rrf", *runs, explain=True)
    assert scored(answer) == {"Y": 2 / 63, "X": 1 / 61, "b": 1 / 61, "a": 1 / 62, "c": 1 / 62}
    absent = [part for hit in answer.explain for part in hit["parts"] if part["rank"] is None]
    assert {part["contribution"] for part in absent} == {0.0}


@pytest.mark.parametrize("method", ALL)
def test_khive_1303_an_id_twice_in_a_list_counts_once(method: str) -> None:
    x, once = run("x", "a 9, b 8, c 6"), run("y", "c 2, b 1")
    twice = {"name": "x", "ids": ["a", "b", "a", "c"], "scores": [9.0, 8.0, 7.0, 6.0]}
    answer = fused(method, twice, once)
    assert scored(answer) == scored(fused(method, x, once))
    assert codes(answer)["duplicate_ids"] == {"run": "x", "count": 1}
    with pytest.raises(errors.InvalidInput) as caught:
        fused(method, twice, once, duplicates="error")
    assert caught.value.path == "input.runs[0].ids[2]"


def test_llama_index_21444_weights_are_used() -> None:
    runs = run("x", "a 1"), run("y", "b 1")
    assert scored(fused("rrf", *runs, weights=[4.0, 1.0])) == {"a": 4 / 61, "b": 1 / 61}
    shares = fused("rrf", *runs, weights=[4.0, 1.0], normalize_weights=True)
    assert scored(shares) == {"a": 0.8 / 61, "b": 0.2 / 61}


@pytest.mark.parametrize("method", UNWEIGHTED)
def test_llama_index_21444_weights_that_mean_nothing_are_refused(method: str) -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        fused(method, run("x", "a 1"), run("y", "b 1"), weights=[1.0, 2.0])
    assert caught.value.path == "params.weights"


@pytest.mark.parametrize("method", WEIGHTED)
def test_weights_that_do_not_fit_the_runs_are_refused(method: str) -> None:
    runs = run("x", "a 1"), run("y", "b 1")
    for weights in ([1.0], [0.0, 0.0], {"x": 1.0}, {"x": 1.0, "z": 1.0}, [-1.0, 2.0]):
        with pytest.raises(errors.InvalidParams) as caught:
            fused(method, *runs, weights=weights)
        assert caught.value.path.startswith("params.weights")


@pytest.mark.parametrize("method", KEEPS_ZERO)
def test_redisvl_a_weight_of_0_means_0(method: str) -> None:
    x, y = run("x", "a 3, b 2, c 1"), run("y", "c 9, d 5, e 4")
    answer = fused(method, x, y, weights=[0.0, 1.0])
    order = answer["ids"].tolist()
    assert [name for name in order if name in "cde"] == ["c", "d", "e"]
    assert {"a", "b"} <= set(order)
    if method != "w_bordafuse":  # it gives documents that a run lacks the mean of what is left
        assert scored(answer)["a"] == scored(answer)["b"] == 0.0
    dropped = fused(method, x, y, weights=[0.0, 1.0], drop_zero_weight=True)
    assert set(scored(dropped)) == {"c", "d", "e"}


def test_langchain_an_alpha_of_0_means_0() -> None:
    x, y = run("x", "a 3, b 2, c 1"), run("y", "c 9, d 5, e 4")
    answer = fused("convex", x, y, alpha=0.0)
    assert scored(answer) == {"c": 1.0, "d": 0.2, "a": 0.0, "b": 0.0, "e": 0.0}
    assert answer.report == {"weights": [{"run": "x", "weight": 0.0}, {"run": "y", "weight": 1.0}]}
    dropped = fused("convex", x, y, alpha=0.0, drop_zero_weight=True)
    assert set(scored(dropped)) == {"c", "d", "e"}


@pytest.mark.parametrize("method", ALL)
def test_weaviate_3317_a_limit_only_cuts(method: str) -> None:
    runs = run("x", "a 10, b 9, c 1"), run("y", "b 0.9, c 0.8, a 0.1")
    whole = list(scored(fused(method, *runs, depth=3)).items())
    for top_k in (1, 2, 3):
        assert list(scored(fused(method, *runs, depth=3, top_k=top_k)).items()) == whole[:top_k]
    with pytest.raises(errors.InvalidParams) as caught:
        fused(method, *runs, depth=2, top_k=3)
    assert caught.value.path == "options.depth"


def test_neural_search_1871_fixed_ends_keep_a_weak_signal_weak() -> None:
    runs = [run("bm25", "B 0.1, A 0.0"), run("vec", "A 0.003, B 0.0")]
    assert scored(fused("wsum", *runs, weights=[0.3, 0.7])) == {"A": 0.7, "B": 0.3}
    ends = [
        {"method": "min_max", "params": {"bounds": "fixed", "lower": 0.0, "upper": upper}}
        for upper in (20.0, 1.0)
    ]
    own = [{**one, "normalizer": end} for one, end in zip(runs, ends, strict=True)]
    assert scored(fused("wsum", *own, weights=[0.3, 0.7])) == {
        "A": pytest.approx(0.0021), "B": pytest.approx(0.0015),
    }  # fmt: skip


def test_elasticsearch_120201_negative_scores() -> None:
    answer = fused("combsum", run("x", "a -0.5, b -2, c -7"))
    assert scored(answer) == {"a": 1.0, "b": pytest.approx(5 / 6.5), "c": 0.0}
    with pytest.raises(errors.NormalizerError) as caught:
        fused("combsum", run("x", "a -0.5, b -2, c -7"), normalizer="max")
    assert caught.value.path == "input.runs[0].scores"


def test_opensearch_a_score_at_the_mean_is_0() -> None:
    answer = fused("combsum", run("x", "a 1, b 2, c 3"), normalizer="z_score")
    assert [round(score, 4) for score in scored(answer).values()] == [1.2247, 0.0, -1.2247]


def test_paimon_8294_raw_scores_of_different_scale_are_told_of() -> None:
    runs = run("bm25", "a 30, b 29"), run("dense", "b 0.9, a 0.1")
    raw = {"normalizer": "identity", "weights": [0.1, 0.9]}
    answer = fused("wsum", *runs, explain=True, **raw)
    assert scored(answer) == {"b": pytest.approx(3.71), "a": pytest.approx(3.09)}
    assert codes(answer)["scale_mismatch"] == {"run": "bm25", "count": 2}
    assert [part["raw"] for part in answer.explain[0]["parts"]] == [29.0, 0.9]
    assert "scale_mismatch" not in codes(fused("wsum", *runs))
    assert "scale_mismatch" not in codes(fused("wsum", *runs, **{**raw, "weights": [1.0, 0.0]}))


@pytest.mark.parametrize("engine", ["qdrant", "weaviate", "haystack", "llama_index", "txtai"])
def test_every_engine_s_rank_fusion_is_a_preset(engine: str) -> None:
    best = {"qdrant": 0.5, "weaviate": 1 / 60, "haystack": 0.5, "llama_index": 1 / 60, "txtai": 1}
    answer = CATALOGUE.create("rrf", {"preset": engine}).apply_to(
        runs=[run("x", "a 2, b 1"), run("y", "c 2, d 1")]
    )
    assert scored(answer)["a"] == best[engine]
