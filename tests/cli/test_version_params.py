"""Parameters that name versions: a file for a fit in a file, a stored name for a stored one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from normalizers import load
from tests.cli.conftest import Run

PCA = ("--variant", "pca", "--n-components", "2")


@pytest.fixture
def rows(tmp_path: Path) -> str:
    path = tmp_path / "rows.npy"
    np.save(path, np.random.default_rng(1).normal(size=(40, 3)) * [3.0, 2.0, 1.0])
    return str(path)


def test_a_fit_in_a_file_is_turned_onto_a_version_file(run: Run, tmp_path: Path, rows: str) -> None:
    old, new = (str(tmp_path / name) for name in ("old.safetensors", "new.safetensors"))
    run("fit", "whitening", rows, *PCA, "--out", old)
    run("fit", "whitening", rows, *PCA, "--align-to", old, "--out", new)
    assert load(new).report_["alignment"]["residual"] < 1e-9


def test_a_stored_fit_is_turned_onto_a_stored_version(run: Run, rows: str) -> None:
    run("fit", "whitening", rows, *PCA, "--name", "v")
    run("fit", "whitening", rows, *PCA, "--align-to", "v@1", "--name", "v", "--new-version")
    assert "residual" in run("report", "v@2").text


def test_a_file_for_a_stored_fit_and_a_name_for_a_file_are_told_apart(
    run: Run, tmp_path: Path, rows: str
) -> None:
    out = str(tmp_path / "new.safetensors")
    failed = run("fit", "whitening", rows, *PCA, "--align-to", "v@1", "--out", out)
    assert "a fit in a file refers to a file (*.safetensors)" in failed.err
    failed = run("fit", "whitening", rows, *PCA, "--align-to", "o.safetensors", "--name", "v")
    assert "a stored fit refers to a stored version, NAME@3" in failed.err


def test_a_report_says_whether_an_index_of_an_earlier_fit_may_stay(run: Run, rows: str) -> None:
    for form in ("pca", "zca"):
        run("fit", "whitening", rows, "--variant", form, "--out", f"{form}.safetensors")
    files = ("zca.safetensors", "--against", "pca.safetensors")
    done = run("report", *files, "--input", rows, "--json")
    assert done.json["report"]["refit"]["verdict"] == "rotation_only", done.err
    assert "rotation only" in run("report", *files, "--input", rows).text
    assert run("report", *files).code == 2
