"""Which of a document's scores count, where not all of them are added."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.scores.fusion.runs.pool import Entries


def chosen(entries: Entries, by_document: Array) -> Array:
    """Return the scores equal to that of their document, of several the first; 0 for the rest."""
    counts = entries.values.values == entries.spread(by_document)
    earlier = np.concatenate(([0], np.cumsum(counts)))
    before = earlier[:-1] - entries.spread(earlier[entries.values.offsets[:-1]])
    return np.where(counts & (before == 0), entries.values.values, 0.0)


def middle(entries: Entries) -> Array:
    """Return half of each of the two middle scores of a document, or its middle one."""
    scores, lengths = entries.values.values, entries.values.lengths
    order = np.lexsort((scores, entries.documents))
    filled = lengths > 0
    starts, counts = entries.values.offsets[:-1][filled], lengths[filled]
    low, high = order[starts + (counts - 1) // 2], order[starts + counts // 2]
    parts = np.zeros(len(scores))
    parts[low] = np.where(low == high, scores[low], scores[low] / 2)
    parts[high] = np.where(low == high, scores[high], scores[high] / 2)
    return parts


def positive_weights(entries: Entries) -> Array:
    """Return the weights of the positive scores, 0 for the rest."""
    return np.where(entries.values.values > 0, entries.weights, 0.0)
