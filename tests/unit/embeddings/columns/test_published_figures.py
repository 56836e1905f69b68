"""Rank correlations with human scores that column maps must reproduce."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from normalizers import Centering, Standardization
from normalizers.normalizer import Normalizer

DATA = Path(__file__).parents[5] / "shared" / "data" / "embeddings"
pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the shared data are not here")


@pytest.mark.parametrize("vectors", ["minilm_stsb", "wordavg_stsb"])
@pytest.mark.parametrize(
    ("method", "figure"), [(Centering(), "center"), (Standardization(), "standardize_live_dims")]
)
def test_a_published_correlation(vectors: str, method: Normalizer, figure: str) -> None:
    expected = json.loads((DATA / "expected.json").read_text())
    (figures,) = [found for name, found in expected.items() if name.startswith(vectors)]
    with np.load(DATA / f"{vectors}_fit.npz", allow_pickle=False) as found:
        method.fit(found["emb"].astype(np.float64))
    with np.load(DATA / f"{vectors}_test.npz", allow_pickle=False) as found:
        y = method.transform(found["emb"].astype(np.float64))
        first, second = (y[found[name]] for name in ("ia", "ib"))
        scores = found["score"]
    cosine = np.sum(first * second, axis=1) / (
        np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    )
    assert abs(100 * spearmanr(cosine, scores).statistic - figures[figure]) < 0.02
