"""The wheel in an empty environment, without extras: library, client and command line work."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

WANTED = "TEST_WHEEL"
ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 300
SCORES = "score\n3\n1\n5\n4\n"
PYTHONS = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
VERSION = PROJECT["version"]

pytestmark = pytest.mark.skipif(
    WANTED not in os.environ, reason="make test-wheel builds the wheel and installs it"
)


class Installed:
    """An environment with the wheel in it, and a folder to work in.

    Parameters
    ----------
    folder : Path
        Where both are.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._bin = folder / "environment" / ("Scripts" if os.name == "nt" else "bin")

    def run(self, program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment."""
        command = [self._bin / program, *map(str, arguments)]
        return called(command, self.folder)


def called(command: list[object], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env={**PYTHONS, "NORMD_DATA": str(folder / "data")},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, once."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet"]
    built = called([*pip, "--no-deps", "--wheel-dir", folder, ROOT], folder)
    assert built.returncode == 0, built.stderr
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the source archive, once."""
    folder = tmp_path_factory.mktemp("archive")
    build = [sys.executable, "-m", "build", "--sdist", "--outdir", folder, ROOT]
    built = called(build, folder)
    assert built.returncode == 0, built.stderr
    (found,) = folder.glob("*.tar.gz")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Install it into an environment of its own."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "environment", with_pip=True)
    (folder / "scores.csv").write_text(SCORES)
    made = Installed(folder)
    done = made.run("python", "-m", "pip", "--disable-pip-version-check", "install", "-q", wheel)
    assert done.returncode == 0, done.stderr
    return made


def test_three_packages_and_their_types_are_in_the_wheel(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    packages = {name.partition("/")[0] for name in names if ".dist-info/" not in name}
    assert packages == {"app", "normalizers", "normd"}
    assert {f"{package}/py.typed" for package in packages} <= names
    assert "normalizers/__init__.pyi" in names
    assert not [name for name in names if name.startswith("tests")]


def test_the_guide_and_the_files_of_pages_are_in_the_wheel(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"app/guide/index.html", "app/guide/methods/rrf.html", "app/guide/search.json"} <= names
    assert {"app/assets/browser.js", "app/assets/swagger-ui/LICENSE"} <= names
    assert "app/api/pages/start.html" in names


def test_the_metadata_are_those_of_a_real_project(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
        (path,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        told = message_from_bytes(opened.read(path))
    assert (told["Name"], told["Version"]) == ("normd", VERSION)
    assert told["License-Expression"] == "Apache-2.0"
    assert [name for name in names if name.endswith(".dist-info/licenses/LICENSE")]
    addresses = dict(line.split(", ", 1) for line in told.get_all("Project-URL"))
    assert addresses.keys() >= {"Homepage", "Repository", "Issues", "Changelog"}
    assert told["Description-Content-Type"] == "text/markdown"


def test_the_archive_makes_the_same_wheel(archive: Path, wheel: Path, tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet"]
    built = called([*pip, "--no-deps", "--wheel-dir", tmp_path, archive], tmp_path)
    assert built.returncode == 0, built.stderr
    (made,) = tmp_path.glob("*.whl")
    assert set(zipfile.ZipFile(made).namelist()) == set(zipfile.ZipFile(wheel).namelist())


def test_the_archive_has_what_a_release_is_tested_with(archive: Path) -> None:
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert {"LICENSE", "CHANGELOG.md", "tests/conftest.py", "docs/site.py"} <= names
    assert not [name for name in names if name.startswith((".venv", "dist/", "data/"))]


def test_an_example_package_is_installed_and_works(installed: Installed) -> None:
    for package in sorted((ROOT / "examples").iterdir()):
        pip = ["-m", "pip", "--disable-pip-version-check", "install", "-q", "--no-deps", package]
        done = installed.run("python", *pip)
        assert done.returncode == 0, done.stderr
        example = tomllib.loads((package / "pyproject.toml").read_text())["project"]
        for name in example["entry-points"]["normd.methods"]:
            assert name in installed.run("normd", "methods", name).stdout
            fitted = installed.run("normd", "fit", name, "scores.csv", "--out", "own.safetensors")
            assert (fitted.returncode, fitted.stderr) == (0, "")


def test_nothing_of_the_service_is_installed(installed: Installed) -> None:
    for name in ("fastapi", "starlette", "uvicorn", "sqlalchemy", "pydantic_settings"):
        done = installed.run("python", "-c", f"import {name}")
        assert f"No module named '{name}'" in done.stderr


def test_everything_that_people_import_is_there(installed: Installed) -> None:
    script = (
        "import normalizers, normd; from normalizers import load, min_max; "
        "normd.Client('http://127.0.0.1:9'); normd.AsyncClient('http://127.0.0.1:9'); "
        "print(normd.__version__, normalizers.__version__, min_max([3.0, 1.0]).tolist())"
    )
    done = installed.run("python", "-c", script)
    assert done.stdout == f"{VERSION} {VERSION} [1.0, 0.0]\n", done.stderr


def test_the_command_line_fits_and_transforms_files(installed: Installed) -> None:
    assert installed.run("normd", "--version").stdout == f"normd {VERSION}\n"
    fitted = installed.run("normd", "fit", "percentile", "scores.csv", "--out", "f.safetensors")
    assert (fitted.returncode, fitted.stderr) == (0, "")
    done = installed.run("normd", "transform", "f.safetensors", "scores.csv")
    assert (done.returncode, done.stdout) == (0, "score\n0.375\n0.125\n0.875\n0.625\n")
    scaled = installed.run("normd", "transform", "min_max", "scores.csv")
    assert (scaled.returncode, scaled.stdout) == (0, "score\n0.5\n0.0\n1.0\n0.75\n")
    read = "from normalizers import load; print(load('f.safetensors').transform([3.0]).tolist())"
    assert installed.run("python", "-c", read).stdout == "[0.375]\n"


@pytest.mark.parametrize("arguments", [["serve"], ["list"], ["fit", "rrf", "--name", "n"]])
def test_what_needs_the_service_says_what_to_install(
    installed: Installed, arguments: list[str]
) -> None:
    done = installed.run("normd", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "pip install 'normd[service]'" in line


def test_a_local_client_says_what_to_install(installed: Installed) -> None:
    done = installed.run("python", "-c", "import normd; normd.Client.local()")
    assert done.stderr.splitlines()[-1].endswith("pip install 'normd[service]'")
