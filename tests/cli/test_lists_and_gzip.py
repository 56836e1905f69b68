from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import orjson
import pytest

from normalizers.normalizer import load
from tests.cli.conftest import Run
from tests.ops.server import Server

WIDTH = 4


@pytest.fixture
def vectors() -> np.ndarray:
    """Write ``v.parquet``: vectors between columns of other types."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    found = np.random.default_rng(0).normal(size=(40, WIDTH)).astype(np.float32)
    columns = {
        "id": arrow.array([f"d{row}" for row in range(40)]).dictionary_encode(),
        "count": arrow.array(range(40), type=arrow.int16()),
        "vector": arrow.array(found.tolist(), type=arrow.list_(arrow.float32())),
        "weight": arrow.array(np.linspace(0, 1, 40), type=arrow.float32()),
        "at": arrow.array(range(40), type=arrow.timestamp("ms")),
    }
    parquet.write_table(arrow.table(columns), "v.parquet", row_group_size=16)
    return found


def call(server: Server, at: str) -> tuple[str, ...]:
    return ("--url", server.url) if at == "url" else ()


@pytest.mark.parametrize("at", ["here", "url"])
def test_r21_lists_of_single_precision_come_back_under_their_name(
    run: Run, server: Server, vectors: np.ndarray, at: str
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    name, place = f"lists-{at}", call(server, at)
    fitted = run("fit", "whitening", "v.parquet", "--columns", "vector", "--name", name, *place)
    assert fitted.code == 0, fitted.err
    words = ("transform", name, "v.parquet", "--columns", "vector", *place, "-q")
    done = run(*words, "-o", "y.parquet")
    assert done.code == 0, done.err
    before, after = parquet.read_table("v.parquet"), parquet.read_table("y.parquet")
    assert after.schema.equals(before.schema)
    assert after.drop(["vector"]).equals(before.drop(["vector"]))
    run("export", name, *place, "-o", "w.safetensors")
    expected = load("w.safetensors").transform(vectors)
    assert np.array_equal(np.array(after["vector"].to_pylist(), dtype=np.float32), expected)

    assert run(*words, "-o", "z.parquet", "--into", "white").code == 0
    beside = parquet.read_table("z.parquet")
    assert beside.column_names == [*before.column_names, "white"]
    assert beside.drop(["white"]).equals(before)
    assert beside["white"].equals(after["vector"])


@pytest.mark.parametrize("kind", ["list", "large_list", "fixed"])
def test_r21_lists_go_in_blocks_and_back(
    run: Run, vectors: np.ndarray, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    single = arrow.float32()
    types = {"list": arrow.list_(single), "large_list": arrow.large_list(single)}
    typed = types.get(kind, arrow.list_(single, WIDTH))
    parquet.write_table(arrow.table({"v": arrow.array(vectors.tolist(), type=typed)}), "t.parquet")
    assert run("fit", "whitening", "t.parquet", "-o", "w.safetensors").code == 0
    monkeypatch.setattr("normd.cli.files.parquet.BLOCK_ROWS", 7)
    assert run("transform", "w.safetensors", "t.parquet", "-o", "y.parquet").code == 0
    assert run("inverse", "w.safetensors", "y.parquet", "-o", "back.parquet").code == 0
    found = parquet.read_table("back.parquet")
    assert found.column_names == ["v"]
    np.testing.assert_allclose(found["v"].to_pylist(), vectors, rtol=1e-4, atol=1e-5)


def test_r21_lists_of_unequal_length_stay_lists(run: Run) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    scores = arrow.array([[3.0, 1.0, 2.0], [5.0, 4.0]], type=arrow.list_(arrow.float32()))
    table = arrow.table({"scores": scores, "query": ["a", "b"]})
    parquet.write_table(table, "s.parquet")
    done = run("transform", "min_max", "s.parquet", "--columns", "scores", "-o", "t.parquet")
    assert done.code == 0, done.err
    found = parquet.read_table("t.parquet")
    assert found.column_names[:2] == ["scores", "query"]
    assert found["scores"].to_pylist() == [[1.0, 0.0, 0.5], [1.0, 0.0]]
    assert found["query"].to_pylist() == ["a", "b"]


def test_r21_the_answer_stands_beside_a_column_of_numbers(run: Run) -> None:
    call = ("transform", "min_max", "scores.csv", "--columns", "score", "--list", "query")
    done = run(*call, "--into", "scaled", "-q")
    assert done.text == ("query,doc,score,scaled\na,d1,3,1.0\na,d2,1,0.0\nb,d1,5,1.0\nb,d3,4,0.0\n")


def test_r21_several_columns_stand_beside_each_of_the_old(run: Run) -> None:
    run("fit", "group_z_score", "groups.csv", "--field", "groups=judge", "--name", "aligned")
    done = run("transform", "aligned", "groups.csv", "--field", "groups=judge", "--into", "z")
    header, first, *_ = done.text.splitlines()
    assert header == "judge,bleu,comet,z_bleu,z_comet"
    assert first.startswith("fr,1,2,-0.70710678")


def test_r21_the_answer_stands_beside_a_list_of_a_line(run: Run) -> None:
    given = b'{"id":"q","scores":[3,1]}\n'
    words = ("transform", "min_max", "-", "--format", "jsonl", "--into", "scaled", "-q")
    done = orjson.loads(run(*words, given=given).out)
    assert done | {"scores": [3, 1], "scaled": [1.0, 0.0], "id": "q"} == done
    assert "values" not in done


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--into", "doc"], "the input has a column 'doc'"),
        (["--into", "z", "-o", "y.npy"], "--into names a column"),
        (["--into", "z", "--json"], "--into names a column"),
        (["--into", "z", "--no-header"], "have no names"),
    ],
)
def test_r21_a_column_that_has_no_place_is_refused(run: Run, words: list[str], said: str) -> None:
    Path("plain.csv").write_text("3\n1\n")
    named = "--no-header" not in words
    given = ["scores.csv", "--columns", "score"] if named else ["plain.csv"]
    done = run("transform", "min_max", *given, *words)
    assert done.code == 2
    assert said in done.err


@pytest.mark.parametrize("at", ["here", "url"])
@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl"])
def test_r21_compressed_tables_are_read_and_written(
    run: Run, server: Server, form: str, at: str
) -> None:
    words = ("transform", "min_max", "--columns", "score", "--list", "query", "-q")
    place = call(server, at)
    assert run(*words, "scores.csv", "-o", f"plain.{form}").code == 0
    done = run(*words, "scores.csv", "-o", f"there.{form}.gz", *place)
    assert done.code == 0, done.err
    found = gzip.decompress(Path(f"there.{form}.gz").read_bytes())
    assert found == Path(f"plain.{form}").read_bytes()
    back = run(*words, f"there.{form}.gz", "-o", "back.csv", *place)
    assert back.code == 0, back.err
    assert Path("back.csv").read_text().startswith("query,doc,score\na,d1,1.0\n")


def test_r21_every_command_reads_compressed_tables(run: Run) -> None:
    Path("scores.csv.gz").write_bytes(gzip.compress(Path("scores.csv").read_bytes()))
    score = ("--columns", "score")
    fitted = run("fit", "percentile", "scores.csv.gz", *score, "--name", "p")
    assert fitted.code == 0, fitted.err
    assert run("observe", "p", "scores.csv.gz", *score).code == 0
    assert run("drift", "p", "scores.csv.gz", *score).code == 0
    Path("one.csv.gz").write_bytes(gzip.compress(b"3\n1\n"))
    beside = run("transform", "min_max", "--field", "scores=@one.csv.gz", "-o", "y.npy")
    assert beside.code == 0, beside.err
    assert np.load("y.npy").tolist() == [1.0, 0.0]


def test_r21_runs_may_be_compressed_and_keep_their_names(run: Run) -> None:
    lines = "query,ids,scores\na,d1,3\na,d2,1\n"
    for name in ("one", "two"):
        Path(f"{name}.csv.gz").write_bytes(gzip.compress(lines.encode()))
    words = ("fuse", "one.csv.gz", "two.csv.gz", "--method", "rrf", "--list", "query")
    done = run(*words, "-o", "fused.jsonl.gz", "-q")
    assert done.code == 0, done.err
    assert b"d1" in gzip.decompress(Path("fused.jsonl.gz").read_bytes())


def test_r21_a_broken_compressed_file_is_refused(run: Run) -> None:
    whole = gzip.compress(b"score\n" + b"1.25\n2.5\n" * 5000)
    for name, content in (("cut", whole[:40]), ("plain", b"score\n1\n2\n")):
        Path(f"{name}.csv.gz").write_bytes(content)
        done = run("transform", "min_max", f"{name}.csv.gz")
        assert done.code == 2
        assert f"{name}.csv.gz: this is no whole gzip file" in done.err


def test_r21_arrays_are_not_compressed_by_gzip(run: Run) -> None:
    done = run("transform", "min_max", "scores.csv", "--columns", "score", "-o", "y.npy.gz")
    assert done.code == 2
    assert "npy is not read or written by gzip" in done.err


def test_r21_compressed_runs_and_judgements_are_evaluated(run: Run) -> None:
    Path("one.run.gz").write_bytes(gzip.compress(b"q1 Q0 a 1 3 x\nq1 Q0 b 2 2 x\n"))
    Path("judged.txt.gz").write_bytes(gzip.compress(b"q1 0 b 1\n"))
    words = ("evaluate", "one.run.gz", "--qrels", "judged.txt.gz", "-m", "mrr")
    done = run(*words)
    assert done.code == 0, done.err
    lines = [line.split() for line in done.text.splitlines()]
    assert ["run", "mrr"] in lines
    assert ["one", "0.5"] in lines


def test_r21_integers_in_lists_that_float64_does_not_hold_are_refused(run: Run) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table({"v": [[1, 2], [2**53 + 1, 4]]}), "t.parquet")
    done = run("transform", "min_max", "t.parquet", "--output-format", "csv")
    assert done.code == 2
    assert "line 2, 'v'" in done.err
