"""Whitening: neighbours of the same digit, by cosine, before and after."""

from __future__ import annotations

import numpy as np

from demo.digits import Digits, cosines, split
from demo.measures import mean_average_precision
from demo.service import Client
from demo.table import Row, Section
from normalizers.data.arrays import Array

NAME = "whitening"
FULL = {"variant": "zca", "eps": 0.0, "shrinkage": "none"}
SOFT = {"variant": "zca", "eps_rel": 3.0, "shrinkage": "none"}
STRENGTHS = (0.0, 0.25, 0.5, 0.75, 1.0)


def whitened(client: Client) -> Section:
    """Fit on one half of the images, retrieve among the other."""
    seen, held_out = split(2)
    fit = {"x": seen.images.tolist()}
    full = client.create(f"{NAME}-full", "whitening", params=FULL, fit=fit)
    soft = client.create(NAME, "whitening", params=SOFT, fit=fit)
    versions = {
        client.add_version(NAME, {"from": "params", "params": {"strength": strength}}): strength
        for strength in STRENGTHS
    }
    chosen = max(versions, key=lambda reference: _quality(seen, _whitened(client, reference, seen)))
    raw = _quality(held_out, held_out.images)
    labels = {
        full: "whitening, full",
        soft: "whitening, soft",
        chosen: f"whitening, strength {versions[chosen]:g} chosen",
    }
    rows = [
        Row(label, "mAP", raw, _quality(held_out, _whitened(client, reference, held_out)))
        for reference, label in labels.items()
    ]
    return Section(
        f"Find images of the same digit by cosine; {len(seen)} to fit and choose, "
        f"{len(held_out)} to measure",
        rows,
    )


def _whitened(client: Client, reference: str, images: Digits) -> Array:
    return client.transform(reference, x=images.images.tolist())["y"]


def _quality(images: Digits, vectors: Array) -> float:
    scores, same = cosines(vectors, vectors), images.shares_digit(images)
    np.fill_diagonal(scores, -np.inf)
    np.fill_diagonal(same, False)
    return mean_average_precision(scores, same)
