"""The Dockerfile, the compose file and what they name: clean, closed, and there."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from image.build import Build
from image.dockerfile import Instruction, read_stages
from image.ignore import Ignore

ROOT = Path(__file__).parents[2]
DOCKERFILE = ROOT / "Dockerfile"
CONSTRAINTS = ROOT / "image/constraints.txt"
HADOLINT = shutil.which("hadolint", path=str(Path(sys.executable).parent))
STAGES = read_stages(DOCKERFILE)
FINAL = STAGES[-1]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICE = COMPOSE["services"]["normd"]


def only(word: str) -> Instruction:
    (found,) = [step for step in FINAL.instructions if step.word == word]
    return found


def copied() -> list[str]:
    return [
        source
        for stage in STAGES
        for step in stage.instructions
        if step.word == "COPY" and "from" not in step.flags
        for source in step.words[:-1]
    ]


@pytest.mark.skipif(HADOLINT is None, reason="hadolint is not installed")
def test_the_dockerfile_is_clean() -> None:
    done = subprocess.run([str(HADOLINT), DOCKERFILE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_base_is_pinned_to_a_patch_release() -> None:
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-\w+", STAGES[0].base)
    assert {stage.base for stage in STAGES[1:]} == {STAGES[0].name}


def test_every_copied_file_is_there_and_not_ignored() -> None:
    ignore = Ignore((ROOT / ".dockerignore").read_text())
    assert all(list(ignore.shown(ROOT, source)) for source in copied())
    names = [name for source in copied() for name in ignore.shown(ROOT, source)]
    assert "app/main.py" in names
    assert not [name for name in names if "__pycache__" in name]


def test_nothing_but_what_is_copied_is_sent() -> None:
    ignore = Ignore((ROOT / ".dockerignore").read_text())
    sent = [path.name for path in ROOT.iterdir() if not ignore.hides(path.name)]
    assert sorted(sent) == [
        "README.md", "app", "benchmarks", "docs", "hatch_build.py", "normalizers", "normd",
        "pyproject.toml", "zensical.toml",
    ]  # fmt: skip


def test_processes_are_in_exec_form_with_absolute_programs() -> None:
    check = Instruction("CMD", {}, only("HEALTHCHECK").rest.removeprefix("CMD").strip())
    assert only("ENTRYPOINT").listed[0] == check.listed[0] == "/opt/normd/bin/python"
    assert check.listed[-1] == "/opt/normd/health.py"
    # Whoever lets others call without keys says so.
    assert only("CMD").listed == ["serve"]
    assert "INSECURE" not in only("ENV").rest


def test_the_user_is_a_number_of_group_0_and_not_root() -> None:
    assert re.fullmatch(r"[1-9]\d+:0", only("USER").rest)
    assert only("USER").rest in SERVICE["user"]


def test_labels_and_compose_carry_the_version_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert Instruction("ARG", {}, f"VERSION={project['version']}") in FINAL.instructions
    assert SERVICE["image"] == f"normd:{project['version']}"
    assert f'image.title="{project["name"]}"' in only("LABEL").rest


def test_compose_gives_no_more_than_is_needed() -> None:
    assert SERVICE["read_only"] is True
    assert SERVICE["tmpfs"] == ["/tmp"]
    assert SERVICE["cap_drop"] == ["ALL"]
    assert SERVICE["security_opt"] == ["no-new-privileges:true"]
    assert SERVICE["volumes"] == [f"registry:{only('VOLUME').rest}"]
    assert "registry" in COMPOSE["volumes"]
    assert all(port.startswith("127.0.0.1:") for port in SERVICE["ports"])
    assert "test" not in SERVICE["healthcheck"]


def test_constraints_are_exact_and_within_the_bounds_of_the_project() -> None:
    lines = [line for line in CONSTRAINTS.read_text().splitlines() if not line.startswith("#")]
    pinned = {canonicalize_name(name): version for name, version in (x.split("==") for x in lines)}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    chosen = ("service", "arrow", "fast", "docs", "postgres", "s3")
    for line in [*project["dependencies"], *(line for name in chosen for line in extras[name])]:
        needed = Requirement(line)
        assert pinned[canonicalize_name(needed.name)] in needed.specifier, line


def test_paths_of_the_image_are_moved_and_others_are_not(tmp_path: Path) -> None:
    from image.interpreter import Interpreter

    (tmp_path / ".dockerignore").write_text("")
    build = Build(tmp_path, tmp_path, Interpreter(Path(sys.executable), {}))
    build._tops = ("data", "opt")
    root = tmp_path / "root"
    assert build.here("/opt/x:/usr/opt '/data' a/data /database") == (
        f"{root}/opt/x:/usr/opt '{root}/data' a/data /database"
    )
