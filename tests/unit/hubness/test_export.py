"""The bias of every item leaves as one array, which an index of inner products takes in."""

from __future__ import annotations

import io

import numpy as np
import pytest

from normalizers import Csls, InvertedSoftmax

RANDOM = np.random.default_rng(6)
BANK, GALLERY = RANDOM.normal(size=(50, 8)), RANDOM.normal(size=(30, 8))
QUERIES = RANDOM.normal(size=(5, 8))


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def _folded(bias: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return items and queries whose inner products are the corrected scores."""
    items = np.column_stack([_unit(GALLERY), -bias])
    queries = np.column_stack([_unit(QUERIES), np.ones(len(QUERIES))])
    return items.astype(np.float32), queries.astype(np.float32)


@pytest.mark.parametrize("cls", [Csls, InvertedSoftmax])
def test_the_bias_folds_into_inner_products(cls) -> None:  # type: ignore[no-untyped-def]
    fitted = cls(strength=0.7).fit(bank_embeddings=BANK, gallery_embeddings=GALLERY)
    bias = np.load(io.BytesIO(fitted.version_.export("npy").content))
    assert bias.shape == (30,)
    items, queries = _folded(bias)
    expected = fitted.transform(_unit(QUERIES) @ _unit(GALLERY).T)
    assert np.allclose(queries @ items.T, expected, atol=1e-5)


def test_faiss_searches_by_corrected_scores() -> None:
    faiss = pytest.importorskip("faiss")
    fitted = InvertedSoftmax().fit(bank_embeddings=BANK, gallery_embeddings=GALLERY)
    items, queries = _folded(np.load(io.BytesIO(fitted.version_.export("npy").content)))
    index = faiss.IndexFlatIP(items.shape[1])
    index.add(items)
    _, found = index.search(queries, 3)
    expected = fitted.transform(_unit(QUERIES) @ _unit(GALLERY).T)
    assert found.tolist() == np.argsort(-expected, axis=1, kind="stable")[:, :3].tolist()
