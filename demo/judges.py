"""Group z-scores: judges of different harshness, made comparable by anchors."""

from __future__ import annotations

import numpy as np

from demo.digits import Digits, cosines, split
from demo.measures import pair_accuracy
from demo.service import Client
from demo.table import Row, Section
from normalizers.data.arrays import Array

JUDGES_SEED = 7
CLASSES = 10
NOISE = 0.02


def aligned(client: Client) -> Section:
    """Fit each judge's scale on anchors and score other images."""
    anchors, others = split(2)
    templates = np.stack([anchors.images[anchors.digits == c].mean(axis=0) for c in range(CLASSES)])
    random = np.random.default_rng(JUDGES_SEED)
    harshness, scales = random.normal(0, 1, CLASSES), random.uniform(0.5, 5, CLASSES)

    def judged(images: Digits, qualities: Array) -> Array:
        noisy = qualities + random.normal(0, NOISE, len(images))
        return np.asarray(harshness[images.digits] + scales[images.digits] * noisy)

    fit = {"x": judged(anchors, _neatness(anchors, templates)).tolist(), "groups": _names(anchors)}
    reference = client.create("judges", "group_z_score", fit=fit)
    qualities = _neatness(others, templates)
    scores = judged(others, qualities)
    fair = client.transform(reference, x=scores.tolist(), groups=_names(others))["y"]
    raw_accuracy, fair_accuracy = pair_accuracy(scores, qualities), pair_accuracy(fair, qualities)
    return Section(
        "Compare images across ten judges (made up, each with a harshness and a scale of its own)",
        [Row("group_z_score on anchors", "pairs in order", raw_accuracy, fair_accuracy)],
    )


def _neatness(images: Digits, templates: Array) -> Array:
    """Return how much each image looks like the mean image of its digit."""
    similarity = cosines(images.images, templates)
    return np.asarray(similarity[np.arange(len(images)), images.digits])


def _names(images: Digits) -> list[str]:
    return [f"judge-{digit}" for digit in images.digits]
