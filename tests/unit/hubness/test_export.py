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


def test_the_served_score_is_the_inner_product_to_a_millionth() -> None:
    fitted = InvertedSoftmax().fit(bank_embeddings=BANK, gallery_embeddings=GALLERY)
    bias = np.load(io.BytesIO(fitted.version_.export("npy").content))
    items = np.column_stack([_unit(GALLERY), -bias])
    queries = np.column_stack([_unit(QUERIES), np.ones(len(QUERIES))])
    expected = fitted.transform(_unit(QUERIES) @ _unit(GALLERY).T)
    np.testing.assert_allclose(queries @ items.T, expected, rtol=0, atol=1e-6)


def test_a_bias_of_the_largest_changes_as_items_are_added_and_reaches_an_index() -> None:
    """R8: a bias is an array of its own, for whatever index there is, the given one too."""
    faiss = pytest.importorskip("faiss")
    names = [f"i{place}" for place in range(30)]
    fit = {"bank_embeddings": BANK}
    old = Csls().fit(**fit, gallery_embeddings=GALLERY[:20], gallery_ids=names[:20])
    new = Csls().fit(**fit, gallery_embeddings=GALLERY[20:], gallery_ids=names[20:])
    items, queries = _folded(np.load(io.BytesIO(old.join(new).export_as("npy"))))
    index = faiss.IndexHNSWFlat(items.shape[1], 16, faiss.METRIC_INNER_PRODUCT)
    index.add(items[:20])
    index.add(items[20:])
    _, found = index.search(queries, 3)
    whole = Csls().fit(**fit, gallery_embeddings=GALLERY)
    expected = whole.transform(_unit(QUERIES) @ _unit(GALLERY).T)
    assert found.tolist() == np.argsort(-expected, axis=1, kind="stable")[:, :3].tolist()


def test_qdrant_searches_by_corrected_scores() -> None:
    qdrant = pytest.importorskip("qdrant_client")
    models = qdrant.models
    fitted = InvertedSoftmax().fit(bank_embeddings=BANK, gallery_embeddings=GALLERY)
    items, queries = _folded(np.load(io.BytesIO(fitted.export_as("npy"))))
    client = qdrant.QdrantClient(":memory:")
    shape = models.VectorParams(size=items.shape[1], distance=models.Distance.DOT)
    client.create_collection("items", vectors_config=shape)
    points = [
        models.PointStruct(id=place, vector=item.tolist()) for place, item in enumerate(items)
    ]
    client.upsert("items", points)
    expected = fitted.transform(_unit(QUERIES) @ _unit(GALLERY).T)
    order = np.argsort(-expected, axis=1, kind="stable")[:, :3]
    for query, places, scores in zip(queries, order, expected, strict=True):
        hits = client.query_points("items", query=query.tolist(), limit=3).points
        assert [hit.id for hit in hits] == places.tolist()
        np.testing.assert_allclose([hit.score for hit in hits], scores[places], atol=1e-5)
    client.close()
