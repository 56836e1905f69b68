"""Evaluations as people read them."""

from __future__ import annotations

import numpy as np

from normalizers.evaluation import evaluate
from normalizers.evaluation.printed import values_table

RNG = np.random.default_rng(0)
QUERIES = 30
GOOD = [[f"d{place}" for place in range(5)]] * QUERIES
BAD = [[f"d{place}" for place in RNG.permutation(5)] for _ in range(QUERIES)]
SCORES = [[5.0, 4.0, 3.0, 2.0, 1.0]] * QUERIES
RUNS = [{"name": name, "ids": ids, "scores": SCORES} for name, ids in (("a", BAD), ("b", GOOD))]
QRELS = {"ids": [["d0"]] * QUERIES}


def test_runs_by_measures_are_printed_with_a_mark_for_what_differs() -> None:
    text = str(evaluate(["mrr", "recall@5"], runs=RUNS, qrels=QRELS, baseline="a"))
    lines = [line.split() for line in text.splitlines()]
    assert lines[0] == ["run", "mrr", "recall@5"]
    assert lines[2] == ["b", "1*", "1"]
    assert lines[3] == ["n", "30", "30"]
    assert lines[5][:3] == ["measure", "run", "difference"]
    assert text.splitlines()[-1].startswith("* differs from a: p after Holm's correction")


def test_without_a_baseline_there_are_values_alone() -> None:
    text = str(evaluate(["recall@5"], runs=RUNS, qrels=QRELS))
    assert text.splitlines() == ["run  recall@5", "a    1", "b    1", "n    30"]


def test_other_scores_of_the_same_rows_are_a_row_of_the_table() -> None:
    answer = evaluate(
        ["kendall"],
        scores=[1.0, 2.0, 3.0, 4.0],
        qualities=[1.0, 2.0, 3.0, 4.0],
        baseline={"scores": [4.0, 3.0, 2.0, 1.0]},
    ).as_dict()
    assert values_table(answer).rows == (("scores", "1"), ("baseline", "-1"), ("n", "4"))


def test_the_best_run_comes_first_and_one_without_a_value_last() -> None:
    empty = {"name": "c", "ids": [[]] * QUERIES}
    answer = evaluate(["mrr"], runs=[*RUNS, empty], qrels=QRELS).as_dict()
    assert [row[0] for row in values_table(answer, "mrr").rows] == ["b", "a", "c", "n"]
    undefined = evaluate(["mrr"], runs=RUNS, qrels={"ids": [[]] * QUERIES}).as_dict()
    assert values_table(undefined, "mrr").rows[0] == ("a", "")
