"""Which methods there are for a verb, whose a preset is, and where settings come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from normd.cli.options.config_file import configured
from tests.cli.conftest import Run

FIT = ("fit", "percentile", "scores.csv", "--columns", "score", "--name", "s")


def listed(run: Run, *words: str) -> list[str]:
    return [str(said["name"]) for said in run("methods", *words, "--json").json["items"]]  # type: ignore[attr-defined]


def test_methods_are_chosen_by_family_kind_and_words(run: Run) -> None:
    everything = listed(run)
    assert 0 < len(listed(run, "--family", "hubness")) < len(everything)
    assert listed(run, "--search", "reciprocal rank") != []
    assert "rrf" in listed(run, "--family", "scores", "--search", "rank FUSE k")
    unknown = run("methods", "--family", "score")
    assert (unknown.code, "did you mean 'scores'" in unknown.err) == (2, True)
    assert "no method is so" in run("methods", "--search", "nothing-like-it").err


@pytest.mark.parametrize(
    ("verb", "there", "not_there"),
    [
        ("fit", "whitening", "combsum"),
        ("transform", "min_max", "rrf"),
        ("inverse", "whitening", "rrf"),
    ],
)
def test_help_lists_the_methods_that_a_verb_can_do(
    run: Run, verb: str, there: str, not_there: str
) -> None:
    names = [line.split()[0] for line in run(verb, "--help").text.splitlines() if line.split()]
    assert there in names
    assert not_there not in names


def test_a_preset_of_another_method_is_named_with_it(run: Run) -> None:
    done = run(
        "fit", "percentile", "scores.csv", "--columns", "score", "--preset", "ranx", "--name", "x"
    )
    assert done.code == 2
    assert "percentile has no such preset" in done.err
    assert "ranx is one of" in done.err
    assert "min_max" in done.err


def test_a_file_says_where_data_are_for_the_folders_below(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("normd.toml").write_text('data = "kept"\nlimits_are_no_setting = [1, 2]\n')
    (folder / "below").mkdir()
    Path("below/scores.csv").write_bytes(Path("scores.csv").read_bytes())
    monkeypatch.chdir(folder / "below")
    done = run(*FIT)
    assert done.code == 0, done.err
    assert "new registry" not in done.err
    assert (folder / "kept").is_dir()
    told = run("config", "--json").json
    assert told["file"] == str(folder / "normd.toml")
    (data,) = [one for one in told["items"] if one["name"] == "data"]  # type: ignore[attr-defined]
    assert data == {"name": "data", "value": str(folder / "kept"), "from": told["file"]}
    monkeypatch.setenv("NORMD_DATA", "other")
    assert "NORMD_DATA" in run("config").text
    assert "--data" in run("config", "--data", "third").text
    assert run("list", "--json").json["items"] == []


def test_what_a_file_cannot_say_is_refused(run: Run) -> None:
    Path("normd.toml").write_text("[data]\nfolder = 1\n")
    assert "data is a table" in run("list").err
    Path("normd.toml").write_text("data =\n")
    assert (run("list").code, "it is no TOML" in run("list").err) == (2, True)


def test_the_environment_is_as_it_was_after_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    Path("normd.toml").write_text('url = "http://nowhere"\n')
    with configured():
        assert os.environ["NORMD_URL"] == "http://nowhere"
    assert "NORMD_URL" not in os.environ


def test_secrets_are_not_shown(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NORMD_PEPPER", "hunter2")
    text = run("config").text
    assert "pepper" in text
    assert "hunter2" not in text


def test_a_registry_is_not_made_without_a_word(run: Run, folder: Path) -> None:
    first, second = run(*FIT), run(*FIT, "--new-version")
    assert f"a new registry is made in {folder / 'data'}" in first.err
    assert "new registry" not in second.err
    assert "new registry" not in run(*FIT, "--data", "named").err


def test_completion_can_be_installed(run: Run) -> None:
    assert "--install-completion" in run("--help").text
