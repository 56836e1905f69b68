"""A service that cannot start says why in one line, which names the variable."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.ops.server import PATIENCE_SECONDS, ROOT, free_port

SERVE = ["-m", "normd.cli", "serve"]
UVICORN = ["-m", "uvicorn", "app.main:create_app", "--factory"]
WRONG = {
    "NORMD_DATA": ("/proc/no/such/folder", "NORMD_DATA is /proc/no/such/folder: "),
    "NORMD_DEVICE": ("abacus", "NORMD_DEVICE: unknown device 'abacus'"),
    "NORMD_MAX_ROWS": ("many", "NORMD_MAX_ROWS: "),
}


def started(command: Sequence[str], **settings: str) -> tuple[int, str]:
    """Run a server that is to end by itself, and return its status and what it said."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **settings}
    done = subprocess.run(
        [sys.executable, *command, "--port", str(free_port())],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("variable", WRONG)
@pytest.mark.parametrize("command, status", [(SERVE, 2), (UVICORN, 3)], ids=["normd", "uvicorn"])
def test_what_is_wrong_is_told_in_one_line(
    tmp_path: Path, command: list[str], status: int, variable: str
) -> None:
    value, told = WRONG[variable]
    code, said = started(command, **{"NORMD_DATA": str(tmp_path / "data"), variable: value})
    assert code == status
    assert "Traceback" not in said
    (line,) = [line for line in said.splitlines() if variable in line]
    assert told in line
    assert "Value error" not in line
