from __future__ import annotations

from pathlib import Path

import pytest

from app.settings import Settings
from normd.client import Client
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
        (["bm25.csv", "scores.csv"], "the run 'bm25' has no column that tells the query"),
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


RUN = "q1 Q0 a 1 3.0 t\nq1 Q0 b 2 2.0 t\nq2 Q0 c 1 1.0 t\n"


def test_trec_runs_become_a_trec_run(run: Run) -> None:
    Path("words.run").write_text(RUN)
    Path("vectors.trec").write_text("q2 Q0 b 1 0.5 t\n")
    done = run("fuse", METHOD, "wsum", "words.run", "vectors.trec")
    assert done.text.splitlines() == [
        "q1 Q0 a 1 0.5 wsum",
        "q1 Q0 b 2 0.0 wsum",
        "q2 Q0 b 1 0.5 wsum",
        "q2 Q0 c 2 0.5 wsum",
    ]
    again = run("fuse", METHOD, "isr", "-", "--format", "trec", given=done.out)
    assert again.text.splitlines()[0] == "q1 Q0 a 1 1.0 isr"


def test_trec_runs_become_other_forms_and_others_become_trec(run: Run) -> None:
    Path("words.run").write_text(RUN)
    call = ("fuse", METHOD, "wsum", "words.run", "--top-k", "1")
    assert run(*call, "-o", "fused.jsonl").code == 0
    assert Path("fused.jsonl").read_text().splitlines()[0] == (
        '{"query":"q1","ids":"a","scores":1.0}'
    )
    assert run(*call, "--json").json["queries"] == ["q1", "q2"]
    assert run(*RRF, "bm25.csv", "-o", "fused.run").code == 0
    assert Path("fused.run").read_text().splitlines()[0].startswith("0 Q0 a 1 0.0163")
    named = run(*call, "--output-format", "trec")
    assert named.text == "q1 Q0 a 1 1.0 wsum\nq2 Q0 c 1 1.0 wsum\n"


@pytest.mark.parametrize(
    "text, expected",
    [
        ("q1 Q0 a 1 3.0\n", "line 1: 5 words stand here"),
        ("q1 Q0 a 1 high t\n", "line 1: the score is no number"),
        ("q1 Q0 a 1 nan t\n", "a score is missing"),
    ],
)
def test_trec_lines_that_cannot_be_fused(run: Run, text: str, expected: str) -> None:
    Path("words.run").write_text(text)
    done = run("fuse", METHOD, "wsum", "words.run")
    assert done.code == 2
    assert expected in done.err
    assert run("fuse", METHOD, "wsum", "missing.run").code == 2


def test_the_order_of_trec_lines_is_that_of_their_scores(run: Run) -> None:
    Path("words.run").write_text("q Q0 a 1 1.0 t\nq Q0 b 2 2.0 t\n")
    done = run("fuse", METHOD, "rrf", "words.run")
    assert [line.split()[2] for line in done.text.splitlines()] == ["b", "a"]
    assert "order" in done.err


def test_r30_a_stored_fusion_fuses_by_its_reference(run: Run) -> None:
    weights = {"bm25": 1, "dense": 3}
    with Client.local(Settings(data=Path("data"))) as client:
        client.create("web", "rrf", params={"weights": weights})
        client.alias("web", "prod", 1)
    by_method = run(*RRF, "bm25.csv", "dense.csv", "--weights", "dense=3,bm25=1", "--json")
    done = run("fuse", METHOD, "web@prod", "bm25.csv", "dense.csv", "--json")
    assert done.code == 0, done.err
    assert done.json["output"] == by_method.json["output"]
    refused = run("fuse", METHOD, "web@2", "bm25.csv", "dense.csv", "--json")
    assert refused.code != 0
    assert "web@2" in refused.err
