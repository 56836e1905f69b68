from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

ONE = "q1 Q0 a 1 9.0 x\nq1 Q0 b 2 4.0 x\nq2 Q0 d 1 5.0 x\n\n"
TWO = "q1\tQ0\tb\t1\t0.8\ty\nq2\tQ0\te\t2\t0.4\ty\nq3\tQ0\te\t1\t0.4\ty\n"
JUDGED = "q1 0 b 1\nq1 0 a 0\nq2 0 e 2\n"
CALL = ("evaluate", "one.run", "two.run", "--qrels", "judged.txt")


@pytest.fixture(autouse=True)
def files(folder: Path) -> None:
    Path("one.run").write_text(ONE)
    Path("two.run").write_text(TWO)
    Path("judged.txt").write_text(JUDGED)


def test_runs_beside_a_baseline(run: Run) -> None:
    done = run(*CALL, "-m", "mrr", "--baseline", "one")
    assert done.code == 0, done.err
    lines = [line.split() for line in done.text.splitlines() if line.strip()]
    assert [line for line in lines if line[0] in ("run", "one", "two", "n")] == [
        ["run", "mrr"],
        ["one", "0.25"],
        ["two", "1"],
        ["n", "2"],
    ]
    (difference,) = (line for line in lines if line[0] == "mrr")
    assert difference[:3] == ["mrr", "two", "+0.7500"]
    assert "* differs from one" in done.text


def test_the_best_run_comes_first_where_it_is_asked_for(run: Run) -> None:
    done = run(*CALL, "-m", "mrr", "-m", "recall@1", "--sort", "mrr")
    runs = [line.split()[0] for line in done.text.splitlines() if line.split()[1:2] != []]
    assert runs.index("two") < runs.index("one")
    assert "--sort map: the measures are mrr" in run(*CALL, "-m", "mrr", "--sort", "map").err


def test_thresholds_are_chosen_on_a_share_of_the_queries(run: Run) -> None:
    lines = [f"q{query} Q0 d{place} 1 {9 - place} x" for query in range(8) for place in range(3)]
    Path("eight.run").write_text("\n".join(lines) + "\n")
    Path("eight.txt").write_text("".join(f"q{query} 0 d0 1\n" for query in range(8)))
    call = ("evaluate", "eight.run", "--qrels", "eight.txt", "-m", "f1_threshold")
    found = run(*call, "--split", "0.25", "--json").json
    assert found["counts"]["queries"] == 6  # type: ignore[index]
    assert not found["warnings"]
    assert "leaves one part empty" in run(*call, "--split", "0.01").err


def test_queries_without_judgements_are_left_out(run: Run) -> None:
    found = run(*CALL, "-m", "recall@10", "--json", "--per-query").json
    assert found["query_ids"] == ["q1", "q2", "q3"]
    one = found["results"][0]  # type: ignore[index]
    assert (one["n"], one["undefined"], one["per_query"]) == (2, 1, [1.0, 0.0, None])


def test_measures_that_stand_without_being_named(run: Run) -> None:
    done = run(*CALL)
    assert done.code == 0
    assert [name for name in ("ndcg@10", "recall@100", "map", "mrr@10") if name in done.text]


@pytest.mark.parametrize(
    "arguments, told",
    [
        (["--measure", "ndgc"], "did you mean 'ndcg'"),
        (["--baseline", "on"], "did you mean 'one'"),
        (["--qrels", "none.txt"], "none.txt: there is no such file"),
        (["--qrels", "one.run"], "line 1: 6 words stand here, and TREC has 4"),
        (["one.run"], "two runs are called 'one'"),
    ],
)
def test_what_cannot_be_measured(run: Run, arguments: list[str], told: str) -> None:
    # Judgements of its own take the place of those of the other calls.
    call = CALL[:3] if "--qrels" in arguments else CALL
    done = run(*call, *arguments)
    assert done.code == 2
    assert told in done.err


def test_a_score_that_is_none(run: Run) -> None:
    Path("two.run").write_text("q1 Q0 b 1 high y\n")
    done = run(*CALL)
    assert (done.code, "line 1: the score is no number" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [("ndcg@10", 0.797), ("ndcg(gain=exponential)@10", 0.7098), ("precision(rel=3)@1", 0.0)],
)
def test_r6_graded_judgements_are_measured_from_files(
    run: Run, measure: str, expected: float
) -> None:
    Path("graded.run").write_text("q Q0 b 1 2.0 x\nq Q0 a 2 1.0 x\n")
    Path("graded.txt").write_text("q 0 a 3\nq 0 b 1\n")
    found = run("evaluate", "graded.run", "--qrels", "graded.txt", "-m", measure, "--json").json
    assert found["results"][0]["value"] == pytest.approx(expected, abs=1e-3)  # type: ignore[index]


@pytest.mark.parametrize(("ties", "expected"), [("id", 1.0), ("trec", 0.0)])
def test_r6_ties_are_broken_as_the_option_says(run: Run, ties: str, expected: float) -> None:
    Path("tied.run").write_text("q Q0 b 1 1.0 x\nq Q0 a 2 1.0 x\n")
    Path("tied.txt").write_text("q 0 a 1\n")
    call = ("evaluate", "tied.run", "--qrels", "tied.txt", "-m", "precision@1", "--json")
    found = run(*call, "--ties", ties).json
    assert found["results"][0]["value"] == expected  # type: ignore[index]


def test_live_data_beside_a_fit(run: Run) -> None:
    Path("live.csv").write_text("score\n3\n9\n")
    fit = ("fit", "percentile", "scores.csv", "--field", "scores=score", "--name", "s")
    assert run(*fit, "--scope", "fitted").code == 0
    found = run("drift", "s", "live.csv", "--json").json
    assert found["range"]["out_of_range"] == 0.5  # type: ignore[index]
    done = run("drift", "s", "live.csv")
    assert done.code == 0
    assert "out_of_range" in done.text
    assert "note: no moments" in done.err


def test_drift_needs_a_file(run: Run) -> None:
    done = run("drift", "s")
    assert done.code == 2
    assert "name a file to read" in done.err
