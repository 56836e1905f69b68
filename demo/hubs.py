"""Inverted softmax: images that are close to very many queries, with and without correction."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from demo.digits import cosines, split
from demo.measures import never_found, top_one
from demo.service import Client
from demo.table import Row, Section
from normalizers.data.arrays import Array

DEPTH = 10


def corrected(client: Client) -> Section:
    """Correct by a bank of other queries, for two similarities."""
    bank, gallery, queries = split(3)
    same = queries.shares_digit(gallery)
    rows = []
    for name, similarity in SIMILARITIES.items():
        scores = similarity(queries.images, gallery.images)
        fit = {"bank_sims": similarity(bank.images, gallery.images).tolist()}
        reference = client.create(f"hubs-{name.split()[0]}", "inverted_softmax", fit=fit)
        fair = client.transform(reference, sims=scores.tolist())["scores"]
        label = f"inverted_softmax, {name}"
        rows += [
            Row(label, "R@1", top_one(scores, same), top_one(fair, same)),
            Row(
                label,
                f"in no top {DEPTH}",
                never_found(scores, DEPTH),
                never_found(fair, DEPTH),
                lower_is_better=True,
            ),
        ]
    return Section(
        f"Correct hubs; {len(bank)} bank queries, {len(gallery)} items, {len(queries)} queries",
        rows,
    )


def _inner_products(rows: Array, others: Array) -> Array:
    return np.asarray(rows @ others.T)


SIMILARITIES: dict[str, Callable[[Array, Array], Array]] = {
    "inner product": _inner_products,
    "cosine": cosines,
}
