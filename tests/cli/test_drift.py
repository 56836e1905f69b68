"""Whether live data are those of the fit, as a verdict, an exit code, a table and a picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Run


def written(name: str, values: np.ndarray) -> str:
    Path(name).write_text("score\n" + "\n".join(map(str, values)) + "\n")
    return name


@pytest.fixture(autouse=True)
def fitted(folder: Path, run: Run) -> None:
    random = np.random.default_rng(1)
    written("fit.csv", random.normal(size=400))
    written("same.csv", random.normal(size=300))
    written("other.csv", random.normal(loc=1.5, size=300))
    call = ("fit", "percentile", "fit.csv", "--field", "scores=score", "--scope", "fitted")
    assert run(*call, "--name", "s").code == 0


def test_the_right_data_and_the_wrong_ones_have_another_verdict(run: Run) -> None:
    same, other = run("drift", "s", "same.csv"), run("drift", "s", "other.csv")
    assert (same.code, other.code) == (0, 0)
    assert "no drift: " in same.text
    assert "\ndrifted: shifted by 1." in other.text
    assert run("drift", "s", "same.csv", "--fail").code == 0
    failed = run("drift", "s", "other.csv", "--fail")
    assert (failed.code, "drift: drifted" in failed.err) == (4, True)


def test_quantiles_stand_beside_each_other(run: Run) -> None:
    lines = [line.split() for line in run("drift", "s", "other.csv").text.splitlines()]
    (middle,) = [line for line in lines if line[:1] == ["0.5"]]
    before, now, shift = map(float, middle[1:])
    assert shift == pytest.approx(now - before, abs=1e-4)


def test_limits_are_said_by_the_call(run: Run) -> None:
    failed = run("drift", "s", "other.csv", "--fail-above", "ks=0.2", "--json")
    assert (failed.code, failed.json["verdict"]["drifted"]) == (4, True)  # type: ignore[index]
    assert "drift: ks 0." in failed.err
    assert run("drift", "s", "other.csv", "--fail-above", "ks=0.9").code == 0
    assert "did you mean 'ks'" in run("drift", "s", "same.csv", "--fail-above", "kss=1").err
    assert "the limit is no number" in run("drift", "s", "same.csv", "--fail-above", "ks").err


def test_what_a_version_does_not_keep_is_no_limit(run: Run) -> None:
    run("fit", "z_score", "fit.csv", "--field", "scores=score", "--scope", "fitted", "--name", "z")
    failed = run("drift", "z", "same.csv", "--fail-above", "ks=0.2")
    assert (failed.code, "do not tell it" in failed.err) == (2, True)


@pytest.mark.parametrize("form", ["png", "svg"])
def test_both_distributions_are_drawn(run: Run, form: str) -> None:
    pytest.importorskip("matplotlib")
    done = run("drift", "s", "other.csv", "--plot", f"drift.{form}")
    assert done.code == 0, done.err
    content = Path(f"drift.{form}").read_bytes()
    assert content.startswith(b"\x89PNG" if form == "png" else b"<?xml")


def test_a_canary_tells_a_changed_model_from_changed_traffic(run: Run) -> None:
    Path("canary.csv").write_text("id,score\na,0.5\nb,1.5\n3,-1\n")
    Path("now.csv").write_text("id,score\na,0.5\nb,1.9\n")
    call = ("fit", "percentile", "fit.csv", "--field", "scores=score", "--canary", "canary.csv")
    assert run(*call, "--name", "watched").code == 0
    traffic = run("drift", "watched", "other.csv", "--canary", "canary.csv")
    assert "the traffic changed: the 3 rows of the canary are as they were" in traffic.text
    model = run("drift", "watched", "same.csv", "--canary", "now.csv", "--fail")
    assert (model.code, "the model changed: 1 of 2 rows" in model.text) == (4, True)
    assert run("drift", "watched", "same.csv", "--canary", "canary.csv", "--fail").code == 0


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (("drift", "s", "same.csv", "--canary", "canary.csv"), "the fit kept no canary"),
        (("drift", "s", "same.csv", "--canary", "same.csv"), "a canary has a column 'id'"),
        (
            ("fit", "percentile", "fit.csv", "--out", "f.safetensors", "--canary", "canary.csv"),
            "a file keeps no canary",
        ),
    ],
)
def test_a_canary_that_cannot_be_is_refused(run: Run, call: tuple[str, ...], told: str) -> None:
    Path("canary.csv").write_text("id,score\na,0.5\n")
    done = run(*call)
    assert (done.code, told in done.err) == (2, True), done.err
