"""A bank of the queries of the last days: a version a day, and one command that merges the last."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from normalizers import Sinkhorn, load
from tests.cli.conftest import Run

BETA = 9.0


def add_day(run: Run, bank: np.ndarray) -> None:
    np.save("today.npy", bank)
    known = run("versions", "days").code == 0
    done = run(
        "fit", "sinkhorn", "--field", "bank_embeddings=@today.npy",
        "--field", "gallery_embeddings=@gallery.npy", "--beta", BETA, "--name", "days",
        *(["--new-version"] if known else []),
    )  # fmt: skip
    assert done.code == 0, done.err


@pytest.fixture
def days(folder: Path, run: Run) -> list[np.ndarray]:
    random = np.random.default_rng(8)
    gallery = random.normal(size=(12, 5))
    np.save("gallery.npy", gallery)
    banks = [random.normal(size=(rows, 5)) + 0.5 for rows in (6, 3, 8, 5)]
    for bank in banks:
        add_day(run, bank)
    return banks


def bias(rows: np.ndarray) -> np.ndarray:
    fit = Sinkhorn(beta=BETA).fit(bank_embeddings=rows, gallery_embeddings=np.load("gallery.npy"))
    return fit.fitted_["item_bias"]


def test_one_command_merges_the_last_versions(run: Run, days: list[np.ndarray]) -> None:
    made = run("merge", "days", "--last", 3, "days", "--json")
    assert made.code == 0, made.err
    assert (made.json["version"], made.json["n"]) == (5, 16)
    assert run("export", "days@5", "--out", "bank.safetensors").code == 0
    found = load("bank.safetensors").fitted_["item_bias"]
    np.testing.assert_allclose(found, bias(np.vstack(days[1:])), rtol=1e-12, atol=1e-12)


def test_a_merge_is_no_day_and_the_window_moves_on(run: Run, days: list[np.ndarray]) -> None:
    assert run("merge", "days", "--last", 2, "days").code == 0
    add_day(run, days[0] + 0.1)
    written = run("merge", "--last", 2, "days", "--out", "bank.safetensors")
    assert written.code == 0, written.err
    expected = bias(np.vstack([days[3], days[0] + 0.1]))
    found = load("bank.safetensors").fitted_["item_bias"]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_fewer_versions_are_all_of_them_and_none_is_told(run: Run, days: list[np.ndarray]) -> None:
    made = run("merge", "days", "--last", 30, "days", "--json")
    assert made.json["n"] == sum(map(len, days))
    assert run("merge", "days", "--last", 1, "nights").code == 3
