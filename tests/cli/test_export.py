"""K19: ``normd export --format``."""

from __future__ import annotations

import numpy as np

from tests.cli.conftest import Run


def test_k19_a_fit_is_written_for_another_engine(run: Run) -> None:
    assert run("fit", "whitening", "x.npy", "--name", "white").code == 0
    done = run("export", "white", "--format", "npz", "-o", "white.npz")
    assert (done.code, done.err) == (0, "wrote white.npz\n")
    assert np.load("white.npz")["W"].shape == (3, 3)
    refused = run("export", "white", "--format", "npx", "-o", "other")
    assert refused.code != 0
    assert "npz, onnx, faiss" in refused.err
