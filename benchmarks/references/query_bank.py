"""The published arithmetic of a query bank: every score at once, and whole rows in order."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array


def corrections(scores: Array, beta: float) -> tuple[Array, Array]:
    """Return the sum of exponentials of each item, and the items that are best of some query."""
    best = np.argsort(-scores, axis=1)[:, :1]
    return np.sum(np.exp(beta * scores), axis=0), np.unique(best)
