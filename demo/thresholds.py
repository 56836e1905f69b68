"""Percentiles: one threshold for every query, and for another retriever too."""

from __future__ import annotations

import numpy as np

from demo.digits import cosines, split
from demo.measures import best_threshold, f1
from demo.service import Client
from demo.table import Row, Section
from normalizers.data.arrays import Array

QUERIES = 200


def held(client: Client) -> Section:
    """Choose thresholds on training queries, use them on others and on another retriever."""
    training, gallery, test = split(3)
    training_images, test_images = training.images[:QUERIES], test.images[:QUERIES]
    seen = training_images @ gallery.images.T
    known = training.shares_digit(gallery)[:QUERIES]
    same = test.shares_digit(gallery)[:QUERIES]
    products = test_images @ gallery.images.T
    raw = best_threshold(seen, known)

    fitted = client.create("inner-product", "percentile", fit={"scores": seen.ravel().tolist()})
    stored = best_threshold(_percentiles(client, fitted, seen), known)
    own = best_threshold(_own_percentiles(client, seen), known)

    other = cosines(training_images, gallery.images)
    moved = client.create("cosine", "percentile", fit={"scores": other.ravel().tolist()})
    angles = cosines(test_images, gallery.images)
    without = f1(products >= raw, same)
    return Section(
        f"One threshold on inner products, chosen on {QUERIES} queries, used on {QUERIES} others",
        [
            Row(
                "percentile of stored scores",
                "F1",
                without,
                f1(_percentiles(client, fitted, products) >= stored, same),
            ),
            Row(
                "percentile within each query",
                "F1",
                without,
                f1(_own_percentiles(client, products) >= own, same),
            ),
            Row(
                "percentile, same threshold on cosines",
                "F1",
                f1(angles >= raw, same),
                f1(_percentiles(client, moved, angles) >= stored, same),
            ),
        ],
    )


def _percentiles(client: Client, reference: str, scores: Array) -> Array:
    flat = client.transform(reference, scores=scores.ravel().tolist())["values"]
    return np.asarray(flat).reshape(scores.shape)


def _own_percentiles(client: Client, scores: Array) -> Array:
    return client.once("percentile", {"scope": "query"}, scores=scores.tolist())["values"]
