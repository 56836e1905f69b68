"""What tells the versions of a name apart, on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

FIT = ("fit", "z_score", "--scope", "fitted", "--field", "scores=score")


@pytest.fixture(autouse=True)
def stored(folder: Path, run: Run) -> None:
    Path("one.csv").write_text("score\n1\n2\n3\n7\n")
    Path("two.csv").write_text("score\n1\n2\n9\n7\n")
    about = ("--description", "titles of news", "--tag", "web")
    assert run(*FIT, "one.csv", "--name", "a", *about).code == 0
    assert run(*FIT, "two.csv", "--name", "a", "--new-version", "--ddof", "1").code == 0


def test_versions_say_what_they_differ_in(run: Run) -> None:
    done = run("versions", "a")
    assert done.code == 0, done.err
    words = " ".join(done.text.split())
    assert "titles of news" in words
    assert "ddof=0, mean=3.25" in words
    assert "ddof=1, mean=4.75" in words


def test_a_version_shows_what_its_fit_found(run: Run) -> None:
    lines = [line.split() for line in run("show", "a@1").text.splitlines()]
    assert ["mean", "3.25"] in lines


def test_two_versions_are_compared_by_parameters_report_and_answers(run: Run) -> None:
    found = run("diff", "a@1", "a@2", "one.csv", "--field", "scores=score", "--json").json
    assert found["params"] == {"ddof": [0, 1]}
    assert found["report"]["mean"] == [3.25, 4.75]  # type: ignore[index]
    assert found["answers"]["numbers"] == 4  # type: ignore[index]
    assert found["answers"]["largest_difference"] > 0.1  # type: ignore[index]
    text = run("diff", "a@1", "a@2").text
    assert "ddof" in text
    assert "answers" not in text


def test_a_version_is_no_other_than_its_file(run: Run) -> None:
    run("export", "a@1", "-o", "one.safetensors")
    text = run("diff", "a@1", "one.safetensors", "one.csv", "--field", "scores=score").text
    assert "parameters: the same" in text
    assert "report: the same" in text
    assert ["largest_difference", "0"] in [line.split() for line in text.splitlines()]


def test_without_a_sample_the_answers_to_the_canary_are_compared(folder: Path, run: Run) -> None:
    Path("low.csv").write_text("score\n0\n5\n10\n")
    Path("high.csv").write_text("score\n0\n10\n20\n")
    Path("canary.csv").write_text("id,score\nb,5\na,10\n")
    fit = ("--field", "scores=score", "--scope", "fitted", "--name", "kept")
    assert run("fit", "min_max", "low.csv", *fit).code == 0
    assert run("fit", "min_max", "low.csv", *fit, "--new-version").code == 0
    assert run("diff", "kept@1", "kept@2", "--json").json["answers"] is None  # type: ignore[index]
    again = (*fit, "--new-version", "--canary", "canary.csv")
    assert run("fit", "min_max", "high.csv", *again).code == 0
    found = run("diff", "kept@1", "kept@3", "--json").json
    assert found["answers"]["canary"] == 2  # type: ignore[index]
    assert found["answers"]["largest_difference"] == 0.5  # type: ignore[index]
    assert not any(name.startswith("canary") for name in found["report"])  # type: ignore[index]
