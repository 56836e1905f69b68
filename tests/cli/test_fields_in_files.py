"""Fields that files hold: ``--field NAME=FILE`` as well as ``--field NAME=@FILE``."""

from __future__ import annotations

import numpy as np

from normalizers import load
from tests.cli.conftest import Run


def test_a_reference_is_named_by_its_file(run: Run) -> None:
    np.save("bank.npy", np.random.default_rng(1).normal(size=(20, 3)) + 5)
    done = run(
        "fit", "moment_matching", "x.npy", "--field", "reference=bank.npy", "-o", "m.safetensors"
    )
    assert done.code == 0, done.err
    y = load("m.safetensors").transform(np.load("x.npy"))
    np.testing.assert_allclose(y.mean(axis=0), np.load("bank.npy").mean(axis=0))


def test_a_bank_and_a_gallery_are_named_by_their_files(run: Run) -> None:
    for name in ("bank", "gallery"):
        np.save(f"{name}.npy", np.random.default_rng(1).normal(size=(20, 3)))
    fields = ("--field", "bank_embeddings=bank.npy", "--field", "gallery_embeddings=gallery.npy")
    done = run("fit", "csls", *fields, "--k", "5", "-o", "c.safetensors")
    assert done.code == 0, done.err


def test_a_column_with_a_point_in_its_name_is_a_column_where_no_file_is_called_so(
    run: Run,
) -> None:
    with open("t.csv", "w") as file:
        file.write("a.csv,b\n1,2\n3,5\n")
    done = run("fit", "centering", "t.csv", "--field", "x=a.csv", "-o", "c.safetensors")
    assert done.code == 0, done.err
