"""A refit beside the version before it."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Centering, MinMax, Whitening
from normalizers.errors import InvalidInput
from normalizers.evaluation import refit

X = np.random.default_rng(3).normal(size=(6000, 12)) @ np.random.default_rng(4).normal(
    size=(12, 12)
)
PCA = {"variant": "pca", "n_components": 12}


def verdict(earlier: object, later: object) -> object:
    versions = [one.version_ for one in (earlier, later)]  # type: ignore[attr-defined]
    return refit(*versions, {"x": X[:500]})["verdict"]


def test_halves_of_the_rows_give_one_space_turned_and_aligned_the_same() -> None:
    old, new = (Whitening(**PCA).fit(part) for part in (X[::2], X[1::2]))
    assert verdict(old, old) == "compatible"
    assert verdict(old, new) in ("compatible", "rotation_only")
    assert verdict(old, Whitening(**PCA, align_to=old).fit(X[1::2])) == "compatible"
    assert verdict(Whitening().fit(X), Whitening(variant="pca").fit(X)) == "rotation_only"


def test_another_strength_needs_another_index() -> None:
    assert verdict(Centering().fit(X), Whitening(eps=0, shrinkage="none").fit(X)) == "re_index"


def test_other_widths_and_what_gives_no_vectors_are_refused() -> None:
    few = Whitening(variant="pca", n_components=3).fit(X)
    with pytest.raises(InvalidInput, match="12 and 3 columns"):
        verdict(Whitening().fit(X), few)
    scale = MinMax().version_
    with pytest.raises(InvalidInput, match="gives no vectors"):
        refit(scale, scale, {"scores": [1.0, 2.0]})
