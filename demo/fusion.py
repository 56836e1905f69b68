"""Reciprocal rank fusion: two retrievers, each of which sees one half of an image."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from demo.digits import cosines, split
from demo.measures import average_precision_at
from demo.service import Client
from demo.table import Row, Section
from normalizers.data.arrays import Array

# The images are stored line by line, so that the first half of a row is the upper half.
MIDDLE = 32
DEPTH = 100
QUERIES = 200


def fused(client: Client) -> Section:
    """Fuse the lists of both retrievers, query by query."""
    everyone, gallery = split(2)
    query_images, relevant = everyone.images[:QUERIES], everyone.shares_digit(gallery)[:QUERIES]
    upper = cosines(query_images[:, :MIDDLE], gallery.images[:, :MIDDLE])
    lower = cosines(query_images[:, MIDDLE:], gallery.images[:, MIDDLE:])
    both = [_fuse(client, pair) for pair in zip(upper, lower, strict=True)]
    quality = _quality(both, relevant)
    return Section(
        "Fuse two retrievers, one sees the upper half of an image, one the lower half; "
        f"{QUERIES} queries",
        [
            Row("rrf beside the upper half", f"mAP@{DEPTH}", _alone(upper, relevant), quality),
            Row("rrf beside the lower half", f"mAP@{DEPTH}", _alone(lower, relevant), quality),
        ],
    )


def _fuse(client: Client, scores: Sequence[Array]) -> Array:
    runs = [_run(name, row) for name, row in zip(("upper", "lower"), scores, strict=True)]
    answer = client.post("/v1/fuse", {"method": "rrf", "runs": runs, "top_k": DEPTH})
    output = cast(Mapping[str, list[str]], answer["output"])
    return np.array(output["ids"], dtype=np.intp)


def _run(name: str, scores: Array) -> dict[str, object]:
    best = _best(scores)
    return {"name": name, "ids": [str(item) for item in best], "scores": scores[best].tolist()}


def _best(scores: Array) -> Array:
    return np.argsort(-scores, kind="stable")[:DEPTH]


def _alone(scores: Array, relevant: Array) -> float:
    return _quality([_best(row) for row in scores], relevant)


def _quality(lists: Sequence[Array], relevant: Array) -> float:
    return float(
        np.mean(
            [
                average_precision_at(row[found], int(row.sum()))
                for found, row in zip(lists, relevant, strict=True)
            ]
        )
    )
