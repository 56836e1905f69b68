"""Type checkers accept what works and refuse what does not: ``sample.py``, which runs too."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from stubs.stub import STUB

ROOT = STUB.parents[1]
SAMPLES = [str(Path(__file__).with_name(name)) for name in ("sample.py", "client_sample.py")]
PYRIGHT = shutil.which("pyright") or shutil.which("basedpyright")


@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed (extra 'check')")
def test_r27_mypy_accepts_what_works_and_refuses_what_does_not() -> None:
    command = [sys.executable, "-m", "mypy", "--strict", *SAMPLES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(PYRIGHT is None, reason="pyright is not installed")
def test_r27_pyright_accepts_what_works_and_refuses_what_does_not(tmp_path: Path) -> None:
    settings = {
        "include": SAMPLES,
        "extraPaths": [str(ROOT)],
        "typeCheckingMode": "strict",
        "enableTypeIgnoreComments": False,
        "reportUnnecessaryTypeIgnoreComment": "error",
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [str(PYRIGHT), "--project", str(tmp_path), "--pythonpath", sys.executable]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
