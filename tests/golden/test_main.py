from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.golden.__main__ import main


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
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [
        record("right", "normalize/min_max", [0.0, 0.5, 1.0]),
        record("wrong", "normalize/min_max", [0.0, 0.6, 1.0]),
        record("not-yet", "normalize/sum", [0.0, 0.0, 0.0]),
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
