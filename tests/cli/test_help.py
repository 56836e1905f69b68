from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import normalizers
from normalizers.catalogue.catalogue import CATALOGUE
from normd.cli.exits import MEANINGS
from normd.cli.options.program import COMMANDS
from tests.cli.conftest import Run
from tests.ops.server import ROOT, Server


def flags(method: str) -> list[str]:
    return [f"--{name.replace('_', '-')}" for name in CATALOGUE[method].parameters]


def test_help_lists_every_command_and_exit_code(run: Run) -> None:
    done = run("--help")
    assert done.code == 0
    assert all(f"  {name} " in done.text for name in COMMANDS)
    words = " ".join(done.text.split())
    assert all(f"{code} {meaning}" in words for code, meaning in MEANINGS.items())


def test_the_version_is_that_of_the_library(run: Run) -> None:
    done = run("--version")
    assert (done.code, done.text, done.err) == (0, f"normd {normalizers.__version__}\n", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run: Run, command: str) -> None:
    done = run(command, "--help")
    assert (done.code, done.err) == (0, "")
    assert f"Usage: normd {command}" in done.text


@pytest.mark.parametrize("verb", ["fit", "transform", "inverse"])
@pytest.mark.parametrize("method", CATALOGUE)
def test_every_parameter_of_every_method_is_an_option(run: Run, verb: str, method: str) -> None:
    done = run(verb, method, "--help")
    assert done.code == 0
    assert [flag for flag in flags(method) if f"{flag} " not in done.text] == []


def test_the_parameters_of_a_fusion_follow_the_method_that_is_named(run: Run) -> None:
    done = run("fuse", "--method", "rrf", "--help")
    assert done.code == 0
    assert all(f"{flag} " in done.text for flag in flags("rrf"))


def test_an_option_tells_type_choices_bounds_and_what_holds_without_it(run: Run) -> None:
    words = " ".join(run("fit", "whitening", "--help").text.split())
    assert "--shrinkage none|auto|oas|ledoit_wolf|NUMBER" in words
    assert "--eps-rel NUMBER the same in units of the mean variance (>= 0; default: 3" in words


def test_a_method_is_a_command_under_each_of_its_names(run: Run) -> None:
    assert "--eps-rel" in run("fit", "soft_zca", "--help").text
    assert "--eps-rel" in run("fit", "Soft-ZCA", "--help").text


def test_the_catalogue_of_a_service_decides(run: Run, server: Server) -> None:
    done = run("fit", "whitening", "--url", server.url, "--help")
    assert done.code == 0
    assert "--eps-rel" in done.text


def test_methods_explains_one(run: Run) -> None:
    done = run("methods", "zca")
    for part in ("Whiten vectors", "fitted on", "the way back takes", "--eps-rel", "references"):
        assert part in done.text
    assert run("methods", "zca", "--json").json["name"] == "whitening"


def test_methods_lists_all_of_them(run: Run) -> None:
    listed = run("methods").text
    words = set(listed.split())
    assert [name for name in CATALOGUE if name not in words] == []


def test_help_loads_nothing_that_takes_long() -> None:
    script = "import json, sys; from normd.cli import main; main(['--help']); "
    script += "print('MODULES', json.dumps(sorted(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True
    )
    loaded = set(json.loads(done.stdout.partition("MODULES ")[2]))
    heavy = {"numpy", "scipy", "fastapi", "uvicorn", "httpx", "sqlalchemy", "matplotlib"}
    assert not loaded & heavy


def test_help_of_a_command_makes_no_data_folder(run: Run, folder: Path) -> None:
    run("fit", "whitening", "--help")
    run("list")
    run("transform", "min_max", "scores.csv", "--columns", "score")
    assert not (folder / "data").exists()


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (["fti"], "there is no command 'fti'; did you mean 'fit'?; normd --help lists them"),
        (["export", "a"], "missing option '--out' / '-o'; normd export --help tells more"),
        (["--colour"], "no such option: --colour; normd --help tells more"),
    ],
)
def test_a_call_that_cannot_be_read_is_told_in_one_line(
    run: Run, call: list[str], expected: str
) -> None:
    done = run(*call)
    assert (done.code, done.out, done.err) == (2, b"", f"normd: {expected}\n")


def test_help_tells_that_the_place_may_stand_first(run: Run) -> None:
    assert "--url and --data of a command may also stand before it" in run("--help").text
