"""Files that cannot be read as they stand: what, where and the remedy, and nothing written."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from normd.cli.files import npy as reading
from tests.cli.conftest import Run

Write = Callable[[Path], object]
COLUMNS = "its columns are query, doc, score"


def npy(array: object, **options: bool) -> bytes:
    file = io.BytesIO()
    np.save(file, np.asarray(array), **options)
    return file.getvalue()


TEXTS = {
    "empty.csv": ("", "the file is empty"),
    "header.csv": ("score\n", "line 1: whether this is a header cannot be told"),
    "unclear.csv": ("fr,3\nsi,4\n", "line 1: whether this is a header cannot be told"),
    "counting.csv": ("0,1,2\n5,6,7\n", "0, 1, 2 ... as names of columns"),
    "semicolon.csv": ("a;b\n1;2\n", "line 1: there is one column, and it holds ';'; if that"),
    "tab.csv": ("a\tb\n1\t2\n", "say --delimiter 'tab'"),
    "ragged.csv": ("a,b\n1,2\n3\n", "line 3: there are 1 cells, and 2 in the first line"),
    "mixed.csv": ("a,b\n1,2\n3,four\n", "line 3, column 'b': this is not a number"),
    "underscore.csv": ("a\n1\n1_000\n", "line 3, column 'a': this is not a number"),
    "twice.csv": ("a,a\n1,2\n", "two columns are called 'a'"),
    "hole.csv": ("a\n1\n\n2\n", "line 3: this line is empty"),
    "quote.csv": ('a,b\n1,"2\n', 'line 2: a quote (") is opened and never closed'),
    "empty.jsonl": ("", "the file is empty"),
    "nan.jsonl": ('{"x": NaN}\n', "line 1: this is no JSON that is read here: NaN; a missing"),
    "cut.jsonl": ('{"x": [1\n', "line 1: this is no JSON"),
    "twice.jsonl": ('{"x": 1, "x": 2}\n', "line 1: this is no JSON that is read here: a member"),
    "members.jsonl": ('{"x": 1}\n{"y": 1}\n', "line 2: members x are expected"),
    "mixed.jsonl": ('{"x": [1]}\n{"x": 2}\n', "line 2, 'x': a list is expected"),
    "boolean.jsonl": (
        '{"x": true}\n',
        "line 1, 'x': a number or null is expected; --columns chooses",
    ),
    "text.jsonl": ('{"x": ["a"]}\n', "line 1, 'x': lists of numbers or null are expected"),
    "ragged.jsonl": ('{"x": [[1], [2, 3]]}\n', "line 1, 'x': the lists in it are of unequal"),
    "scores.txt": ("1\n", "'txt' is no form of files; known: npy, npz, csv"),
    "scores": ("1\n", "it has no ending"),
    "scores.jsn": ("1\n", "did you mean 'jsonl'"),
}
BYTES = {
    "cut.npy": (npy(np.ones((4, 3)))[:-8], "this is no whole npy file"),
    "no.npy": (b"nothing", "this is no whole npy file"),
    "objects.npy": (npy([{}], allow_pickle=True), "it holds Python objects, which are never read"),
    "point.npy": (npy(3.0), "the array has no axis"),
    "texts.npy": (npy(["a", "b"]), "the array holds <U1, not numbers"),
    "complex.npy": (npy([1j]), "the array holds complex128, not numbers"),
    "no.npz": (b"PK nothing", "this is no npz file"),
    "no.safetensors": (b"nothing", "this is no whole safetensors file"),
    "no.parquet": (b"nothing", "this is no whole parquet file"),
    "latin.csv": ("a\né\n".encode("latin-1"), "it is not text in UTF-8"),
}


@pytest.mark.parametrize("name", [*TEXTS, *BYTES])
def test_a_bad_file_is_refused_with_its_place(run: Run, name: str) -> None:
    content, expected = {**TEXTS, **BYTES}[name]
    path = Path(name)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    done = run("fit", "whitening", name, "-o", "out.safetensors")
    assert (done.code, done.out) == (2, b"")
    assert done.err.startswith(f"normd: {name}")
    assert expected in done.err
    assert "Traceback" not in done.err
    assert not Path("out.safetensors").exists()
    assert not list(Path().glob(".*"))


def test_a_header_where_none_was_expected(run: Run) -> None:
    Path("h.csv").write_text("score\n1\n2\n")
    done = run("transform", "min_max", "h.csv", "--no-header")
    assert done.code == 2
    assert "h.csv: line 1, column '1': this is not a number" in done.err
    assert "if that line is a header, say --header" in done.err


@pytest.mark.parametrize("said, rows", [("--header", 1), ("--no-header", 2)])
def test_a_line_that_may_be_a_header_is_what_the_caller_says(
    run: Run, said: str, rows: int
) -> None:
    Path("c.csv").write_text("0,1\n5,6\n")
    done = run("transform", "min_max", "c.csv", "--columns", "1", said)
    assert done.code == 0
    assert len(done.text.splitlines()) == 1 + rows


@pytest.mark.parametrize(
    "arguments, expected",
    [
        (["missing.csv"], "missing.csv: there is no such file"),
        (["no/missing.csv"], "there is no folder"),
        (["."], "this is a folder"),
        (["-"], "'-' has no ending that tells its form; add --format"),
        (["scores.csv", "--columns", "points"], f"there is no column 'points'; {COLUMNS}"),
        (["scores.csv", "--columns", "scor"], "did you mean 'score'?"),
        (["scores.csv", "--columns", "doc"], "line 2, column 'doc': this is not a number"),
        (["scores.csv", "--field", "score=score"], "there is no field 'score'"),
        (["scores.csv", "--field", "score"], "write --field NAME=COLUMN"),
        (["scores.csv", "--columns", "score", "--list", "q"], f"no column 'q'; {COLUMNS}"),
        (["scores.csv", "--columns", "score", "--list", "doc"], "do not stand together"),
        (["scores.csv", "--delimiter", "::"], "--delimiter: one character is expected"),
        (["scores.csv", "--columns", "score", "--explain"], "--explain goes with --json"),
        (["scores.csv", "--columns", "score", "--state", "s"], "this carries no state"),
        ([], "name a file to read"),
    ],
)
def test_a_call_that_cannot_be_carried_out(run: Run, arguments: list[str], expected: str) -> None:
    done = run("transform", "min_max", *arguments)
    assert done.code == 2
    assert expected in done.err


def test_a_missing_field_is_named_with_the_columns_there_are(run: Run) -> None:
    done = run("fit", "group_z_score", "groups.csv", "--name", "aligned")
    assert done.code == 2
    assert "groups.csv: there is no column 'groups' (the group of each row" in done.err
    assert "its columns are judge, bleu, comet; say --field groups=COLUMN" in done.err


def test_a_row_is_named_by_its_place_in_the_whole_file(run: Run) -> None:

    array = np.ones((9, 2)) * np.arange(9)[:, None]
    array[7, 1] = np.nan
    np.save("rows.npy", array)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "BLOCK_VALUES", 4)
        fitted = run("fit", "whitening", "rows.npy", "-o", "rows.safetensors")
    assert fitted.code == 2
    assert "fit.x[7]" in fitted.err
    assert not Path("rows.safetensors").exists()


def test_parquet_without_its_package(run: Run) -> None:
    Path("x.parquet").write_bytes(b"")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "pyarrow", None)
        done = run("transform", "min_max", "x.parquet")
    assert done.code == 2
    assert "pip install 'normd[parquet]'" in done.err


@pytest.mark.parametrize(
    "call",
    [
        ["transform", "min_max", "missing.csv", "-o", "scores.csv"],
        ["fuse", "missing.csv", "--method", "rrf", "-o", "scores.csv"],
    ],
)
def test_an_input_that_is_missing_is_told_where_the_output_exists(
    run: Run, call: list[str]
) -> None:
    before = Path("scores.csv").read_bytes()
    done = run(*call)
    assert (done.code, done.err) == (2, "normd: missing.csv: there is no such file\n")
    assert Path("scores.csv").read_bytes() == before


def test_an_unknown_form_names_the_option_that_names_it(run: Run) -> None:
    written = run("transform", "min_max", "x.npy", "-o", "y.out")
    assert (written.code, "; --output-format names one" in written.err) == (2, True)
    Path("scores.out").write_text("1\n")
    assert "; --format names one" in run("transform", "min_max", "scores.out").err


def test_a_file_that_holds_no_version_is_named(run: Run) -> None:
    done = run("import", "x.npy", "--name", "a")
    assert done.code == 2
    assert done.err.startswith("normd: x.npy: not a version file")


def test_a_column_may_be_called_by_one_value_of_a_field(run: Run) -> None:
    Path("judged.csv").write_text("score,label\n3,1\n1,0\n2,1\n0,0\n")
    done = run("evaluate", "judged.csv", "-m", "auc", "--json")
    assert done.code == 0, done.err
    assert done.json["results"][0]["value"] == 1.0
    plain = run("transform", "min_max", "scores.csv")
    named = run("transform", "min_max", "scores.csv", "--columns", "score")
    assert (plain.code, plain.out) == (0, named.out)


def test_columns_that_tell_no_field_are_told(run: Run) -> None:
    Path("other.csv").write_text("query,doc,value\na,d1,3\n")
    done = run("transform", "min_max", "other.csv")
    assert done.code == 2
    assert "which column is 'scores' cannot be told: query, doc, value" in done.err
