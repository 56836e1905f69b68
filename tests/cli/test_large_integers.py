"""Integers that float64 does not hold, in every form a file has: refused by their place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from safetensors.numpy import save_file

from tests.cli.conftest import Run

LOST = [1, 2**53 + 1, 2]
HELD = [2**60, 2**60 + 2**9, 2**60 + 2**10]
PLACES = {
    "csv": "line 3, column 'v'",
    "jsonl": "line 2, 'v'",
    "lists.jsonl": "line 2, 'v'",
    "npy": "the array, row 2",
    "safetensors": "the array 'v', row 2",
    "parquet": "the array 'v', row 2",
    "null.parquet": "line 2, 'v'",
}


def write(form: str, numbers: list[int]) -> str:
    name = f"big.{form}"
    match form:
        case "csv":
            Path(name).write_text("\n".join(["v", *map(str, numbers)]) + "\n")
        case "jsonl":
            Path(name).write_text("".join(f'{{"v": {number}}}\n' for number in numbers))
        case "lists.jsonl":
            Path(name).write_text("".join(f'{{"v": [{number}, 1]}}\n' for number in numbers))
        case "npy":
            np.save(name, np.array(numbers))
        case "safetensors":
            save_file({"v": np.array(numbers)}, name)
        case "parquet":
            parquet.write_table(pa.table({"v": numbers}), name)
        case _:
            parquet.write_table(pa.table({"v": [*numbers, None]}), name)
    return name


@pytest.mark.parametrize("form", PLACES)
def test_r5_integers_of_files_that_float64_does_not_hold_are_refused(run: Run, form: str) -> None:
    done = run("transform", "l2" if "lists" in form else "min_max", write(form, LOST))
    assert done.code == 2
    assert f"big.{form}: {PLACES[form]}: float64 does not hold the integer here" in done.err


@pytest.mark.parametrize("form", ["csv", "jsonl", "npy", "safetensors", "parquet"])
def test_r5_integers_of_files_that_float64_holds_pass(run: Run, form: str) -> None:
    done = run("transform", "min_max", write(form, HELD), "--output-format", "csv")
    assert done.code == 0, done.err
    assert [float(line) for line in done.text.splitlines()[-3:]] == [0.0, 0.5, 1.0]
