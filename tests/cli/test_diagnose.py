"""Whether a correction of hubs helps the queries in a file: a verdict, an exit code, a picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Run


@pytest.fixture(autouse=True)
def fitted(folder: Path, run: Run) -> None:
    random = np.random.default_rng(3)
    leaning = random.normal(size=8)
    gallery = random.normal(size=(40, 8))
    for name, sign, rows in (("bank", 1, 200), ("wrong", -1, 200), ("live", 1, 100)):
        vectors = random.normal(size=(rows, 8)) + 2 * sign * leaning
        np.save(f"{name}.npy", vectors)
        np.save(f"{name}_sims.npy", vectors @ gallery.T)
    np.save("gallery.npy", gallery)
    for name in ("bank", "wrong"):
        fields = (f"bank_embeddings=@{name}.npy", "gallery_embeddings=@gallery.npy")
        call = [word for field in fields for word in ("--field", field)]
        done = run("fit", "sinkhorn", *call, "--similarity", "dot", "--name", name)
        assert done.code == 0, done.err
        saved = run("export", name, "--out", f"{name}.safetensors")
        assert saved.code == 0, saved.err


def test_r1_the_right_bank_and_the_wrong_one_have_another_verdict(run: Run) -> None:
    right, wrong = (
        run("diagnose", name, "live_sims.npy", "--k", "5") for name in ("bank", "wrong")
    )
    assert (right.code, wrong.code) == (0, 0), right.err + wrong.err
    assert "\nit helps: robin_hood " in right.text
    assert "the bank: agrees (correlation " in right.text
    assert "\nit harms: robin_hood " in wrong.text
    assert "fit on real queries" in wrong.text
    failed = run("diagnose", "wrong", "live_sims.npy", "--k", "5", "--fail")
    assert (failed.code, "diagnose: it harms" in failed.err) == (4, True)
    assert run("diagnose", "bank", "live_sims.npy", "--fail").code == 0


def test_embeddings_and_version_files_say_the_same(run: Run) -> None:
    fields = ("query_embeddings=@live.npy", "gallery_embeddings=@gallery.npy")
    call = [word for field in fields for word in ("--field", field)]
    expected = run("diagnose", "bank", "live_sims.npy", "--json").json
    for ref in ("bank", "bank.safetensors"):
        done = run("diagnose", ref, *call, "--json")
        assert done.code == 0, done.err
        assert done.json["measures"] == expected["measures"]


def test_a_picture_shows_before_and_after(run: Run) -> None:
    pytest.importorskip("matplotlib")
    done = run("diagnose", "wrong.safetensors", "live_sims.npy", "--plot", "hubs.svg")
    assert done.code == 0, done.err
    drawn = Path("hubs.svg").read_text()
    assert all(word in drawn for word in ("robin_hood", "before", "after", "random", "it harms"))


def test_a_call_without_data_or_of_another_method_says_what_is_missing(run: Run) -> None:
    assert "query_embeddings" in run("diagnose", "bank").err
    run(
        "fit",
        "z_score",
        "scores.csv",
        "--field",
        "scores=score",
        "--scope",
        "fitted",
        "--name",
        "z",
    )
    failed = run("diagnose", "z", "live_sims.npy")
    assert (failed.code, "corrects no ranking" in failed.err) == (2, True)
