"""A fit of two parts from files: each part counts once, however many files hold the other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from normalizers import MomentMatching, load
from normalizers.testing.compare import assert_close
from tests.cli.conftest import Run

RANDOM = np.random.default_rng(9)
X = RANDOM.normal(2.0, 3.0, size=(90, 3))
REFERENCE = RANDOM.normal(-1.0, 2.73, size=(5, 3))
FILES = [f"part{index}.npy" for index in range(9)]


@pytest.fixture(autouse=True)
def files(folder: Path) -> None:
    """Write the rows in nine files, the reference in one."""
    for name, part in zip(FILES, np.array_split(X, 9), strict=True):
        np.save(name, part)
    np.save("reference.npy", REFERENCE)


def whole() -> object:
    return MomentMatching().fit(X, reference=REFERENCE).statistics_.to_arrays()


def test_k1_nine_files_and_a_reference_give_the_statistics_of_the_whole(run: Run) -> None:
    done = run(
        "fit",
        "moment_matching",
        *FILES,
        "--field",
        "reference=@reference.npy",
        "-o",
        "m.safetensors",
    )
    assert done.code == 0, done.err
    assert_close(load("m.safetensors").statistics_.to_arrays(), whole(), 1e-12)


def test_k1_one_file_and_a_reference_are_one_fit(run: Run) -> None:
    np.save("all.npy", X)
    done = run(
        "fit", "moment_matching", "all.npy", "--field", "reference=@reference.npy",
        "-o", "m.safetensors",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert_close(load("m.safetensors").statistics_.to_arrays(), whole(), 0.0)


def test_k1_nine_files_observed_with_a_reference_count_it_once(run: Run) -> None:
    assert run("fit", "moment_matching", "--name", "m", "--open", "--data", "d").code == 0
    field = ("--field", "reference=@reference.npy")
    done = run("observe", "m", *FILES, *field, "--data", "d", "--json")
    assert done.code == 0, done.err
    assert done.json["rows"] == len(X) + len(REFERENCE)
    done = run("observe", "m", "--field", "reference=@reference.npy", "--data", "d")
    assert done.code == 0, done.err
