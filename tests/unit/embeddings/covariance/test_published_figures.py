"""Rank correlations with human scores, and numbers of reports, that whitening must reproduce."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from normalizers import AllButTheTop, Whitening
from normalizers.measures.vectors import Pairs, cosine_spearman, pair_cosines
from normalizers.normalizer import Normalizer

DATA = Path(__file__).parents[5] / "shared" / "data" / "embeddings"
pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the shared data are not here")
PLAIN = {"eps": 0.0, "shrinkage": "none"}
FIGURES: dict[str, Normalizer] = {
    "pca_whiten_k64": Whitening(variant="pca", n_components=64, **PLAIN),
    "pca_whiten_k256": Whitening(variant="pca", truncate_to=256, **PLAIN),
    "zca_full_rank": Whitening(**PLAIN),
    "soft_zca_eps_1x_mean_variance": Whitening(eps_rel=1.0, shrinkage="none"),
    "soft_zca_eps_3x_mean_variance": Whitening(shrinkage="none", eps_rel=3.0),
    "soft_zca_eps_10x_mean_variance": Whitening(eps_rel=10.0, shrinkage="none"),
    "partial_strength_0.25": Whitening(strength=0.25, shrinkage="none"),
    "partial_strength_0.75": Whitening(strength=0.75, shrinkage="none"),
    "abtt_D1": AllButTheTop(n_remove=1),
    "abtt_D5": AllButTheTop(n_remove=5),
    "zca_ledoit_wolf": Whitening(eps=0.0, shrinkage="ledoit_wolf"),
}
SPACES = ("minilm_stsb", "wordavg_stsb")


@cache
def read(name: str) -> dict[str, np.ndarray]:
    with np.load(DATA / f"{name}.npz", allow_pickle=False) as found:
        return {key: np.asarray(found[key]) for key in found.files}


@cache
def figures(space: str) -> dict[str, object]:
    expected = json.loads((DATA / "expected.json").read_text())
    (found,) = [values for name, values in expected.items() if name.startswith(space)]
    return dict(found)


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("figure", FIGURES)
def test_a_published_correlation(space: str, figure: str) -> None:
    method = FIGURES[figure].fit(read(f"{space}_fit")["emb"].astype(np.float64))
    test = read(f"{space}_test")
    y = method.transform(test["emb"].astype(np.float64))
    cosines = pair_cosines(y, test["ia"], test["ib"])
    pairs = Pairs(cosines, test["score"], np.ones(len(cosines)))
    assert abs(100 * cosine_spearman(pairs) - float(str(figures(space)[figure]))) < 0.02


@pytest.mark.parametrize("space", SPACES)
def test_published_diagnostics_and_shrinkage(space: str) -> None:
    x = read(f"{space}_fit")["emb"].astype(np.float64)
    report = Whitening(eps=0.0, shrinkage="ledoit_wolf").fit(x).report_
    expected = figures(space)
    diagnostics = expected["diagnostics_fit"]
    assert isinstance(diagnostics, dict)
    for name, value in diagnostics.items():
        assert report[name] == pytest.approx(value, rel=1e-3), name
    weight = report["softening"]["shrinkage_weight"]
    assert weight == pytest.approx(expected["ledoit_wolf_shrinkage"], rel=1e-6)
    assert Whitening(**PLAIN).fit(x).report_["rank"] == expected["rank_kept_rel_floor_1e-6"]
