"""Packages in `examples/`: their own tests pass, and normd finds what they contribute."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = sorted(path.parent for path in (ROOT / "examples").glob("*/pyproject.toml"))
GROUP = "normd.methods"


@pytest.fixture(params=PACKAGES, ids=lambda folder: folder.name)
def package(request: pytest.FixtureRequest) -> Path:
    return request.param


@pytest.fixture
def environment(package: Path, tmp_path: Path) -> dict[str, str]:
    """Install the package as its own file says, and return variables that find it."""
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    described = tmp_path / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    entries = "".join(f"{name} = {at}\n" for name, at in project["entry-points"][GROUP].items())
    (described / "entry_points.txt").write_text(f"[{GROUP}]\n{entries}")
    found = os.pathsep.join(map(str, (package, tmp_path, ROOT)))
    return {**os.environ, "PYTHONPATH": found, "PYTHONDONTWRITEBYTECODE": "1"}


def run(*command: str, folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_its_own_tests_pass(package: Path, environment: dict[str, str]) -> None:
    told = run(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", folder=package, environment=environment
    )
    assert " passed" in told


def test_normd_works_with_its_methods(
    package: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    (tmp_path / "rows.csv").write_text("price\n2\n4\n")
    for name in project["entry-points"][GROUP]:
        told = run("-m", "normd.cli", "methods", name, folder=tmp_path, environment=environment)
        assert name in told
        fit = ("-m", "normd.cli", "fit", name, "rows.csv", "-o", "f.safetensors", "--quiet")
        run(*fit, folder=tmp_path, environment=environment)
        work = ("-m", "normd.cli", "transform", "f.safetensors", "rows.csv", "--quiet")
        told = run(*work, folder=tmp_path, environment=environment)
        assert len(told.splitlines()) == 3


def test_it_needs_the_release_that_has_what_it_uses(package: Path) -> None:
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    assert project["dependencies"] == ["normd>=0.2"]
