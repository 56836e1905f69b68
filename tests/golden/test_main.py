from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.golden import unsupported
from tests.golden.__main__ import main
from tests.golden.case import ROOT, located
from tests.golden.unsupported import Gap


def record(name: str, method: str, expected: list[float]) -> dict[str, object]:
    return {
        "id": name,
        "method": method,
        "params": {},
        "fit": None,
        "input": {"values": [1.0, 2.0, 3.0]},
        "expected": {"values": expected},
        "rtol": 1e-9,
        "atol": 1e-12,
        "source": "made up",
    }


def test_the_command_says_what_failed_and_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unsupported, "UNSUPPORTED", (Gap("scores", "normalize/later"),))
    records = [
        record("right", "normalize/min_max", [0.0, 0.5, 1.0]),
        record("wrong", "normalize/min_max", [0.0, 0.6, 1.0]),
        record("not-yet", "normalize/later", [0.0, 0.0, 0.0]),
    ]
    file = tmp_path / "scores.json"
    file.write_text(json.dumps(records))
    assert main([str(file)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "wrong  values[1]: got 0.5, expected 0.6",
        "1 passed, 1 failed, 1 unsupported",
    ]
    file.write_text(json.dumps(records[:1]))
    assert main([str(file)]) == 0


def test_a_table_is_found_beside_the_folder_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("golden", "data"):
        (tmp_path / "any" / folder).mkdir(parents=True)
    table = tmp_path / "any" / "data" / "levels.csv"
    table.write_text("year,level\n1990,1\n1991,2\n1992,\n1993,4\n")
    streamed = {
        **record("streamed", "rolling_zscore", []),
        "params": {"window": 3, "min_periods": 1, "ddof": 0, "include_current": True},
        "input": {"data": "../shared/data/levels.csv", "columns": ["level"], "rows": [0, 4]},
        "expected": {"probe_index": [1], "y_at_probe": [1.0], "nan_count": 1},
    }
    file = tmp_path / "any" / "golden" / "series.json"
    file.write_text(json.dumps([streamed]))
    assert main([str(file)]) == 0, capsys.readouterr().out


def test_a_table_of_the_project_comes_first(tmp_path: Path) -> None:
    folder = tmp_path / "golden"
    beside = tmp_path / "data" / "levels.csv"
    assert (
        located("../shared/data/levels.csv", folder)
        == (ROOT / "../shared/data/levels.csv").resolve()
    )
    beside.parent.mkdir()
    beside.write_text("level")
    assert located("../shared/data/levels.csv", folder) == beside.resolve()


@pytest.mark.parametrize("form", ["safetensors", "arrow", "npy"])
def test_another_form_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    file = tmp_path / "scores.json"
    file.write_text(json.dumps([record("right", "normalize/min_max", [0.0, 0.5, 1.0])]))
    assert main(["--form", form, str(file)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1 passed, 0 failed, 0 unsupported",
        f"1 of 1 bodies as {form}",
    ]
