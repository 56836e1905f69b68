"""A folder `app` of somebody else's on the path stops the service alone, and is told as such."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.ops.server import PATIENCE_SECONDS, ROOT, free_port

NORMD = ["-m", "normd.cli"]
SCORES = "score\n3\n1\n5\n4\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a folder with a package `app` that must not be run, and a file of scores."""
    package = tmp_path / "app"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('the other app was run')\n")
    (tmp_path / "scores.csv").write_text(SCORES)
    return tmp_path


def python(project: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a Python in that folder, whose modules come before those that are installed."""
    path = os.pathsep.join([str(project), str(ROOT)])
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=project,
        env={**os.environ, "PYTHONPATH": path, "NORMD_DATA": str(project / "data"), **variables},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def test_r15_imports_clients_and_version_files_do_not_mind_another_app(project: Path) -> None:
    script = "import normd, normalizers; normd.Client('http://127.0.0.1:9'); "
    done = python(
        project, "-c", f"{script}normd.AsyncClient('http://127.0.0.1:9'); import normd.cli"
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["methods"],
        ["fit", "percentile", "scores.csv", "-o", "fit.safetensors"],
    ],
)
def test_r15_commands_without_a_service_do_not_mind_another_app(
    project: Path, arguments: Sequence[str]
) -> None:
    done = python(project, *NORMD, *arguments)
    assert (done.returncode, done.stderr) == (0, "")


def test_r15_a_method_of_the_library_transforms_beside_another_app(project: Path) -> None:
    done = python(project, *NORMD, "transform", "min_max", "scores.csv", "-q")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "score\n0.5\n0.0\n1.0\n0.75\n"


def test_r15_a_version_file_transforms_beside_another_app(project: Path) -> None:
    assert (
        python(project, *NORMD, "fit", "percentile", "scores.csv", "-o", "f.safetensors").returncode
        == 0
    )
    done = python(project, *NORMD, "transform", "f.safetensors", "scores.csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "score\n0.375\n0.125\n0.875\n0.625\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["serve"],
        ["serve", "--workers", "2"],
        ["list", "--data", "mine"],
        ["fit", "percentile", "scores.csv", "--name", "bm25"],
        ["transform", "bm25@prod", "scores.csv"],
        ["limits"],
    ],
)
def test_r15_what_needs_the_service_says_which_app_it_found(
    project: Path, arguments: Sequence[str]
) -> None:
    done = python(project, *NORMD, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert f"at {project / 'app' / '__init__.py'}" in line
    assert "an environment of its own" in line
    assert "its image" in line


@pytest.mark.parametrize("workers", ["1", "2"])
def test_r15_a_worker_of_a_server_says_which_app_it_found(project: Path, workers: str) -> None:
    port = str(free_port())
    server = ["-m", "uvicorn", "normd.service:create_app", "--factory", "--port", port]
    done = python(project, *server, "--workers", workers)
    assert done.returncode in (0, 3)
    assert "Traceback" not in done.stderr
    told = [line for line in done.stderr.splitlines() if str(project / "app") in line]
    assert len(told) in (1, int(workers))
    assert told[0].startswith("normd cannot start: another package named 'app'")


def test_r15_an_app_written_over_the_service_s_is_told(tmp_path: Path) -> None:
    package = tmp_path / "app"
    package.mkdir()
    (package / "__init__.py").write_text("")
    script = "from pathlib import Path; from normd import service; "
    script += f"service.BESIDE = Path({str(tmp_path)!r}); service.require_service()"
    done = python(tmp_path, "-c", script)
    assert f"at {package / '__init__.py'}: " in done.stderr.splitlines()[-1]
