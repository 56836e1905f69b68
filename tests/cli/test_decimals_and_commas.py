"""Columns as files really have them, and fits that are tried before they are kept."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from normd.cli.display import progress as lines
from tests.cli.conftest import Run

TRANSFORM = ("transform", "min_max", "prices.parquet", "--output-format", "csv")


@pytest.fixture(autouse=True)
def prices(folder: Path) -> None:
    price = pa.array([Decimal("1.50"), Decimal("2.00"), Decimal("3.50")], pa.decimal128(10, 2))
    columns = {"price": price, "load, mean": [1.0, 2.0, 5.0]}
    pq.write_table(pa.table(columns), "prices.parquet")


def test_decimals_are_numbers(run: Run) -> None:
    done = run(*TRANSFORM, "--field", "scores=price")
    assert done.code == 0, done.err
    assert [line.split(",")[0] for line in done.text.splitlines()[1:]] == ["0.0", "0.25", "1.0"]


def test_whole_decimals_beyond_what_is_held_are_refused(run: Run) -> None:
    wide = pa.array([Decimal(2**53 + 1), Decimal(1)], pa.decimal128(20, 0))
    pq.write_table(pa.table({"id": wide}), "prices.parquet")
    done = run(*TRANSFORM, "--field", "scores=id")
    assert (done.code, "float64 does not hold the integer here" in done.err) == (2, True), done.err


@pytest.mark.parametrize("said", ["load, mean", '"load, mean"'])
def test_a_name_with_a_comma_is_one_column(run: Run, said: str) -> None:
    done = run(*TRANSFORM, "--field", f"scores={said}")
    assert done.code == 0, done.err
    by_columns = run(*TRANSFORM, "--columns", said)
    assert by_columns.out == done.out
    assert "0.25" in done.text


def test_several_columns_may_hold_commas(run: Run) -> None:
    call = ("fit", "whitening", "prices.parquet", "--columns", 'price,"load, mean"', "--name", "w")
    done = run(*call, "--json")
    assert done.code == 0, done.err
    assert run("fit", "whitening", "prices.parquet", "--columns", "price,load", "--name", "x").code


def test_a_dry_run_fits_and_keeps_nothing(run: Run, folder: Path) -> None:
    call = ("fit", "z_score", "prices.parquet", "--field", "scores=price", "--scope", "fitted")
    done = run(*call, "--dry-run", "--name", "p", "--json")
    assert done.code == 0, done.err
    assert (done.json["dry_run"], done.json["n"]) == (True, 3)
    assert not (folder / "data").exists()
    kept = run(*call, "--name", "p", "--json").json
    assert kept["hash"] == done.json["hash"]


def test_long_work_tells_a_log_how_far_it_is(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    call = ("fit", "z_score", "prices.parquet", "--field", "scores=price", "--scope", "fitted")
    assert "rows" not in run(*call, "--name", "a").err
    monkeypatch.setattr(lines, "SECONDS_BETWEEN_LINES", 0.0)
    assert "fit z_score: 3 rows" in run(*call, "--name", "b").err
    assert "rows" not in run(*call, "--name", "c", "--quiet").err
