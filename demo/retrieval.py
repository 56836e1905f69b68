"""Whitening: neighbours of the same digit, by cosine, before and after."""

from __future__ import annotations

import numpy as np

from demo.digits import cosines, split
from demo.measures import mean_average_precision
from demo.service import Client
from demo.table import Row, Section
from normalizers.arrays import Array

VARIANTS = {
    "whitening (all of it)": {"variant": "zca", "eps": 0.0, "shrinkage": "none"},
    "whitening (soft)": {"variant": "zca", "eps_rel": 3.0, "shrinkage": "none"},
    "whitening (16 dimensions)": {"n_components": 16},
}


def whitened(client: Client) -> Section:
    """Fit on one half of the images, retrieve among the other."""
    seen, held_out = split(2)
    same = held_out.shares_digit(held_out)
    np.fill_diagonal(same, False)

    def quality(rows: Array) -> float:
        scores = cosines(rows, rows)
        np.fill_diagonal(scores, -np.inf)
        return mean_average_precision(scores, same)

    raw = quality(held_out.images)
    rows = []
    for number, (label, params) in enumerate(VARIANTS.items()):
        fit = {"x": seen.images.tolist()}
        reference = client.create(f"whitening-{number}", "whitening", params=params, fit=fit)
        vectors = client.transform(reference, x=held_out.images.tolist())["y"]
        rows.append(Row(label, "mAP", raw, quality(vectors)))
    return Section(
        f"Find images of the same digit by cosine; fitted on {len(seen)}, "
        f"measured on the other {len(held_out)}",
        rows,
    )
