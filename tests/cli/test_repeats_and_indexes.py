from __future__ import annotations

from pathlib import Path

import pytest

from normalizers.normalizer import load
from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["transform", "min_max", "scores.csv", "--columns", "score", "--columns", "doc"],
            "--columns is given twice; it counts once, with commas: --columns A,B,...",
        ),
        (["fit", "rrf", "--name", "a", "--weights", "1", "--weights", "2"], "--weights is given"),
        (["list", "--data", "a", "--data", "b"], "--data is given twice"),
    ],
)
def test_r7_an_option_given_twice_is_refused(run: Run, words: list[str], said: str) -> None:
    done = run(*words)
    assert done.code == 2
    assert said in done.err


def test_r7_options_that_repeat_still_count(run: Run) -> None:
    done = run("fit", "whitening", "x.npy", "--name", "a", "--tag", "b", "--tag", "c", "--json")
    assert done.code == 0, done.err


def test_r4_an_unnamed_column_that_counts_up_is_refused_with_the_remedy(run: Run) -> None:
    Path("t.csv").write_text(",a,b\n0,1,2\n2,3,5\n5,4,1\n7,1,1\n")
    done = run("fit", "whitening", "t.csv", "--name", "w")
    assert done.code == 2
    assert "--columns a,b to leave it out" in done.err
    fitted = run("fit", "whitening", "t.csv", "--columns", "a,b", "-o", "w.safetensors")
    assert fitted.code == 0, fitted.err
    assert load("w.safetensors").fitted_["mean"].shape == (2,)


def test_r4_the_index_of_a_parquet_file_is_no_dimension(run: Run) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {"a": [1.0, 3, 4, 1], "b": [2.0, 5, 1, 1], "__index_level_0__": [0, 2, 5, 7]}
    said = {b"pandas": b'{"index_columns": ["__index_level_0__"]}'}
    parquet.write_table(arrow.table(columns).replace_schema_metadata(said), "t.parquet")
    fitted = run("fit", "whitening", "t.parquet", "-o", "w.safetensors")
    assert fitted.code == 0, fitted.err
    assert load("w.safetensors").fitted_["mean"].shape == (2,)
    done = run("transform", "w.safetensors", "t.parquet", "--output-format", "csv")
    assert done.code == 0, done.err
    assert done.text.startswith("__index_level_0__,y_0,y_1")


def write_frame(form: str) -> str:
    """Write columns a and b beside the row index of a filtered data frame."""
    if form == "csv":
        Path("t.csv").write_text(",a,b\n0,1,2\n2,3,5\n5,4,1\n7,1,1\n")
    else:
        arrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        columns = {"a": [1.0, 3, 4, 1], "b": [2.0, 5, 1, 1], "__index_level_0__": [0, 2, 5, 7]}
        said = {b"pandas": b'{"index_columns": ["__index_level_0__"]}'}
        parquet.write_table(arrow.table(columns).replace_schema_metadata(said), "t.parquet")
    return f"t.{form}"


CALLS = {
    "observe": ["observe", "w"],
    "drift": ["drift", "w"],
    "transform": ["transform", "w", "--output-format", "csv", "-q"],
}


@pytest.mark.parametrize("word", CALLS)
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_r4_no_command_takes_a_row_index_for_a_dimension(run: Run, form: str, word: str) -> None:
    path = write_frame(form)
    assert run("fit", "whitening", path, "--columns", "a,b", "--name", "w").code == 0
    named = run(*CALLS[word], path, "--columns", "a,b")
    assert named.code == 0, named.err
    done = run(*CALLS[word], path)
    if form == "csv":
        assert done.code == 2
        assert "--columns a,b to leave it out" in done.err
    else:
        assert done.code == 0, done.err
        assert done.out == named.out


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_r4_a_transform_keeps_the_row_index_beside_the_answer(run: Run, form: str) -> None:
    path = write_frame(form)
    assert run("fit", "whitening", path, "--columns", "a,b", "--name", "w").code == 0
    header, *lines = run(*CALLS["transform"], path, "--columns", "a,b").text.splitlines()
    assert header == f"{'' if form == 'csv' else '__index_level_0__'},y_0,y_1"
    assert [line.split(",")[0] for line in lines] == ["0", "2", "5", "7"]


def test_r18_a_name_is_opened_by_a_word_of_its_own(run: Run) -> None:
    done = run("fit", "whitening", "--name", "emb")
    assert done.code == 2
    assert "--open opens the name 'emb'" in done.err
    assert run("fit", "whitening", "--name", "emb", "--open").code == 0
    assert run("observe", "emb", "x.npy").code == 0
