"""From runs and judgements in files to a stored fusion, and what it says of one query."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from normalizers import Convex
from tests.cli.conftest import Run

QUERIES = [f"q{place}" for place in range(12)]
FIT = ("fit", "convex", "bm25.run", "dense.run", "--qrels", "qrels.txt", "--measure", "ndcg@10")
Hits = list[tuple[str, str, str, float]]


def hits() -> Hits:
    random = np.random.default_rng(0)
    return [
        (run, query, f"d{document}", round(float(score), 4))
        for run in ("bm25", "dense")
        for query in QUERIES
        for document, score in zip(random.permutation(6)[:4], random.normal(size=4), strict=True)
    ]


@pytest.fixture(autouse=True)
def files(folder: Path) -> None:
    found = hits()
    for run in ("bm25", "dense"):
        lines = [f"{q} Q0 {d} 1 {s} x" for name, q, d, s in found if name == run]
        Path(f"{run}.run").write_text("\n".join(lines) + "\n")
    Path("qrels.txt").write_text("".join(f"{q} 0 d0 1\n{q} 0 d1 2\n" for q in QUERIES))


def test_a_weight_is_searched_from_runs_and_judgements_in_files(run: Run) -> None:
    done = run(*FIT, "--folds", "3", "--grid", "0.25", "--bootstrap", "40", "--name", "hybrid")
    assert done.code == 0, done.err
    report = run("report", "hybrid", "--json").json["report"]
    assert [trial["alpha"] for trial in report["search"]["trials"]] == [0, 0.25, 0.5, 0.75, 1]  # type: ignore[index]
    assert report["cross_validation"]["folds"] == 3  # type: ignore[index]
    assert report["bootstrap"]["samples"] == 40  # type: ignore[index]
    fused = run("fuse", "--method", "hybrid@1", "bm25.run", "dense.run", "--output-format", "trec")
    assert fused.code == 0, fused.err


def test_the_library_finds_the_same_weight(run: Run) -> None:
    found = run(*FIT, "--out", "hybrid.safetensors", "--json").json
    by_run = {name: [h for h in hits() if h[0] == name] for name in ("bm25", "dense")}
    runs = [
        {
            "name": name,
            "ids": [[d for _, q, d, _ in rows if q == query] for query in QUERIES],
            "scores": [[s for _, q, _, s in rows if q == query] for query in QUERIES],
        }
        for name, rows in by_run.items()
    ]
    qrels = {"ids": [["d0", "d1"]] * 12, "judgements": [[1, 2]] * 12}
    fitted = Convex().fit(runs=runs, qrels=qrels, measure="ndcg@10")
    assert found["resolved"]["alpha"] == fitted.version_.resolved["alpha"]  # type: ignore[index]


@pytest.mark.parametrize("form", ["tsv", "parquet"])
def test_one_table_holds_several_runs(run: Run, form: str) -> None:
    names = ("run", "query", "doc", "score")
    columns = dict(zip(names, zip(*hits(), strict=True), strict=True))
    if form == "tsv":
        lines = ["\t".join(map(str, row)) for row in [names, *hits()]]
        Path("both.tsv").write_text("\n".join(lines) + "\n")
    else:
        pq.write_table(
            pa.table({name: list(values) for name, values in columns.items()}), "both.parquet"
        )
    call = ("fit", "convex", f"both.{form}", *FIT[4:], "--out", "x.safetensors", "--json")
    found = run(*call)
    assert found.code == 0, found.err
    apart = run(*FIT, "--out", "y.safetensors", "--json").json
    assert found.json["hash"] == apart["hash"]
    measured = ("evaluate", "--qrels", "qrels.txt", "-m", "ndcg@10", "--json")
    assert (
        run(*measured, f"both.{form}").json["results"]
        == run(*measured, "bm25.run", "dense.run").json["results"]
    )


def test_runs_have_the_names_that_the_call_gives_them(run: Run) -> None:
    Path("bm25.test.run").write_bytes(Path("bm25.run").read_bytes())
    words = ("bm25=bm25.test.run", "dense.run")
    done = run(*FIT[:2], *words, *FIT[4:], "--alpha-run", "bm25", "--name", "hybrid")
    assert done.code == 0, done.err
    fused = run("fuse", "--method", "wsum", *words, "--weights", "bm25=0.4,dense=0.6", "--json")
    assert fused.json["effective_params"]["weights"] == {"bm25": 0.4, "dense": 0.6}  # type: ignore[index]
    table = run("evaluate", *words, "--qrels", "qrels.txt", "-m", "map").text
    assert [line.split()[0] for line in table.splitlines()[3:5]] == ["bm25", "dense"]
    assert "write NAME=FILE" in run("evaluate", "=dense.run", "--qrels", "qrels.txt").err


def test_one_query_is_explained_by_the_parts_of_its_scores(run: Run) -> None:
    call = ("fuse", "--method", "convex", "--alpha", "0.5", "bm25.run", "dense.run")
    done = run(*call, "--query", "q3")
    assert done.code == 0, done.err
    assert "contribution" in done.text
    parts = run(*call, "--query", "q3", "--json").json
    assert parts["queries"] == ["q3"]
    (hits,) = parts["explain"]  # type: ignore[misc]
    assert sum(part["contribution"] for part in hits[0]["parts"]) == pytest.approx(hits[0]["score"])
    missed = run(*call, "--query", "q33")
    assert (missed.code, "did you mean 'q3'" in missed.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("fit", "convex", "bm25.run", "--grid", "0.1"), "name their file by --qrels FILE"),
        (("fit", "convex", "--qrels", "qrels.txt"), "name their files"),
        (("fit", "bayesfuse", *FIT[2:6], "--grid", "1"), "--grid: bayesfuse searches no weights"),
        (("fit", "min_max", "--qrels", "qrels.txt"), "no such option"),
    ],
)
def test_what_is_no_fit_of_a_fusion_is_said(run: Run, words: tuple[str, ...], told: str) -> None:
    done = run(*words, "--name", "hybrid")
    assert (done.code, told in done.err) == (2, True), done.err


def test_a_stored_fusion_named_as_a_method_is_told_how_it_is_written(run: Run) -> None:
    Path("a.run").write_text("q1 Q0 d1 1 0.5 a\n")
    done = run("fuse", "--method", "hybrid", "a.run")
    assert done.code == 2
    assert "unknown method 'hybrid'" in done.err
    assert "hybrid@1" in done.err
