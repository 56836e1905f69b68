"""Threads of linear algebra: those that the container may use, shared by its workers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from image.entrypoint import quota, threads_of

ENTRYPOINT = Path(__file__).parents[2] / "image/entrypoint.py"
SHOW = "import os; print(os.environ['OPENBLAS_NUM_THREADS'], os.environ['OMP_NUM_THREADS'])"


@pytest.mark.parametrize(
    "processors, allowed, workers, threads",
    [
        (8, None, 1, 8),
        (64, 2.0, 1, 2),
        (64, 1.5, 1, 1),
        (64, 0.5, 1, 1),
        (8, 16.0, 1, 8),
        (8, None, 4, 2),
        (8, None, 3, 2),
        (2, None, 4, 1),
        (8, None, 0, 8),
    ],
)
def test_threads(processors: int, allowed: float | None, workers: int, threads: int) -> None:
    assert threads_of(processors, allowed, workers) == threads


@pytest.mark.parametrize(
    "files, allowed",
    [
        ({"cpu.max": "150000 100000\n"}, 1.5),
        ({"cpu.max": "max 100000\n"}, None),
        ({"cpu/cpu.cfs_quota_us": "200000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 2.0),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, None),
        ({"cpu.max": "nonsense\n"}, None),
        ({"cpu.max": "100000 0\n"}, None),
        ({}, None),
    ],
)
def test_quota(tmp_path: Path, files: dict[str, str], allowed: float | None) -> None:
    for name, text in files.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    assert quota(tmp_path) == allowed


def run(**environment: str) -> str:
    clean = {name: value for name, value in os.environ.items() if "NUM_THREADS" not in name}
    command = [sys.executable, str(ENTRYPOINT), sys.executable, "-c", SHOW]
    done = subprocess.run(
        command, env={**clean, **environment}, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def test_the_command_runs_with_the_threads_set() -> None:
    first, second = run(WEB_CONCURRENCY="1000").split()
    assert (first, second) == ("1", "1")


def test_what_is_set_already_stays() -> None:
    assert run(OPENBLAS_NUM_THREADS="7", WEB_CONCURRENCY="1000") == "7 1"


def test_files_are_writable_for_the_group(tmp_path: Path) -> None:
    command = [sys.executable, str(ENTRYPOINT), "/bin/sh", "-c", f"touch {tmp_path}/written"]
    subprocess.run(command, check=True)
    assert (tmp_path / "written").stat().st_mode & 0o777 == 0o664
