"""Share of queries whose best item is the right one, on two real data sets."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from normalizers import DynamicInvertedSoftmax, InvertedSoftmax, Nnn, Sinkhorn

DATA = Path(__file__).parents[4] / "shared" / "data" / "hubness"
# One query of 2,000 is 0.05.
ONE_QUERY = 0.05 + 1e-9
FIGURES = {
    "ui_en_zh_e5": (67.75, 82.15, 83.10, 78.60, 80.50, 76.85),
    "doc_code_minilm": (62.85, 65.10, 65.05, 63.80, 60.45, 62.50),
}


@pytest.mark.parametrize("name", FIGURES)
def test_the_figures_of_the_reference_come_out(name: str) -> None:
    path = DATA / f"{name}.npz"
    if not path.exists():
        pytest.skip("the reference data are not here")
    queries, gallery, bank = (_vectors(path, part) for part in ("query", "gallery", "bank_query"))
    sims = queries @ gallery.T
    methods = (
        Sinkhorn(),
        Sinkhorn(prior=0.0),
        Nnn(),
        InvertedSoftmax(),
        DynamicInvertedSoftmax(),
    )
    found = [
        _recall(method.fit(bank_embeddings=bank, gallery_embeddings=gallery).transform(sims))
        for method in methods
    ]
    np.testing.assert_allclose([_recall(sims), *found], FIGURES[name], rtol=0, atol=ONE_QUERY)


def _vectors(path: Path, part: str) -> np.ndarray:
    codes = np.load(path)[part].astype(np.float32)
    return (codes / np.sqrt((codes * codes).sum(axis=1, keepdims=True))).astype(np.float64)


def _recall(scores: np.ndarray) -> float:
    return 100 * float(np.mean(np.argmax(scores, axis=1) == np.arange(len(scores))))
