from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

METHOD = "--method"
RRF = ("fuse", METHOD, "rrf")


@pytest.fixture(autouse=True)
def runs(folder: Path) -> None:
    Path("bm25.csv").write_text("ids,scores\na,12.1\nb,7.0\n")
    Path("dense.csv").write_text("ids,scores\nc,0.83\na,0.62\n")


def test_files_are_runs(run: Run) -> None:
    done = run(*RRF, "bm25.csv", "dense.csv")
    assert done.text.splitlines()[:2] == ["ids,scores", "a,0.03252247488101534"]


def test_weights_name_runs_by_their_files(run: Run) -> None:
    done = run(*RRF, "bm25.csv", "dense.csv", "--weights", "dense=3,bm25=1", "--json", "--explain")
    assert done.json["effective_params"]["weights"] == {"bm25": 1.0, "dense": 3.0}
    assert done.json["output"]["ids"][0] == "a"
    assert done.json["total"] == 3
    assert done.json["explain"][0]["parts"][0]["run"] == "bm25"


def test_a_column_tells_the_query_and_runs_may_lack_some(run: Run) -> None:
    Path("one.csv").write_text("q,doc,s\nq1,a,3\nq1,b,2\nq2,a,1\n")
    Path("two.csv").write_text("q,doc,s\nq2,b,3\n")
    call = (
        *RRF,
        "one.csv",
        "two.csv",
        "--list",
        "q",
        "--field",
        "ids=doc",
        "--field",
        "scores=s",
    )
    rows = [line.split(",")[:2] for line in run(*call).text.splitlines()]
    assert rows == [["q", "ids"], ["q1", "a"], ["q1", "b"], ["q2", "a"], ["q2", "b"]]
    assert run(*call, "--json").json["queries"] == ["q1", "q2"]


def test_lines_are_queries(run: Run) -> None:
    Path("one.jsonl").write_text('{"ids":["a","b"],"scores":[2,1]}\n{"ids":["c"],"scores":[1]}\n')
    done = run(*RRF, "one.jsonl", "--top-k", "1", "-o", "fused.jsonl")
    assert done.code == 0
    lines = Path("fused.jsonl").read_text().splitlines()
    assert [line.partition(',"scores"')[0] for line in lines] == ['{"ids":["a"]', '{"ids":["c"]']


def test_ids_alone_are_a_run(run: Run) -> None:
    Path("ranked.csv").write_text("ids\na\nb\n")
    done = run(*RRF, "ranked.csv", "--header")
    assert [line.split(",")[0] for line in done.text.splitlines()] == ["ids", "a", "b"]


@pytest.mark.parametrize(
    "arguments, expected",
    [
        (["bm25.csv", "bm25.csv"], "two runs are called 'bm25'"),
        (["bm25.csv", "scores.csv"], "which column is 'ids' cannot be told"),
        (["bm25.csv", "--method", "min_max"], "'min_max' fuses no runs; these do: "),
        (["bm25.csv", "--method", "rff"], "did you mean 'rrf'?"),
        (["bm25.csv", "--k", "none"], "k: Input should be a valid number"),
        (["bm25.csv", "--weights", "dense=1"], "no run is called 'dense'"),
        (["bm25.csv", "-o", "bm25.csv"], "this is an input"),
        (["missing.csv"], "there is no such file"),
        ([], "missing argument"),
        (["bm25.csv", "--weight_mode", "multiply"], "no such option"),
    ],
)
def test_a_fusion_that_cannot_be(run: Run, arguments: list[str], expected: str) -> None:
    method = [] if METHOD in arguments else [METHOD, "rrf"]
    done = run("fuse", *arguments, *method)
    assert done.code == 2
    assert expected in done.err


def test_the_method_must_be_named(run: Run) -> None:
    done = run("fuse", "bm25.csv", "dense.csv", "--k", "20")
    assert done.code == 2
    assert "say --method METHOD; these fuse runs: " in done.err
    assert "rrf" in done.err
