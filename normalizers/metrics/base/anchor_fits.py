"""Fits of alignment methods on the anchor sets that come with the package."""

from __future__ import annotations

from typing import Any

import numpy as np

from normalizers.bases.group_moments import LEVEL, level_labels
from normalizers.contract.shipped import ShippedFit
from normalizers.metrics.base.anchor_sets import xqmeval


def level_moments(method: Any, path: str) -> ShippedFit:
    """Return the level means of a metric as moments by group and level, each level one anchor."""
    found = xqmeval.level_means(method.metric, "params.metric" if method.metric else path)
    names = [method.group_by[0] if method.group_by else "group", LEVEL]
    levels = level_labels(found.qualities).rows[:, 0].tolist()
    counts = np.full(len(found.groups), len(levels))
    statistics = {
        "moments": {
            "group_by": names,
            "keys": [[group, level] for group in found.groups for level in levels],
            "n": np.ones((found.means.size, 1), dtype=np.int64),
            "mean": found.means.reshape(-1, 1),
            "m2": np.zeros((found.means.size, 1)),
        },
        "extrema": {
            "group_by": names[:1],
            "keys": [[group] for group in found.groups],
            "n": counts[:, None],
            "min": found.means.min(axis=1, keepdims=True),
            "max": found.means.max(axis=1, keepdims=True),
        },
    }
    return ShippedFit(statistics, {**identity(found), "anchors": "level_means"})


def identity(found: xqmeval.LevelMeans) -> dict[str, object]:
    """Return the parameters that every fit on these anchors has."""
    return {
        "anchor_set": xqmeval.NAME,
        "higher_is_better": found.higher_is_better,
        "reference_kind": "anchors",
    }
