"""Classes of Gaussian points: one query and one item of each, and corrections of their distances.

The centres of the classes are points of the unit sphere in 300 dims, a query and an item are drawn
about theirs with variance 0.01 a dim, and distances are squared. The queries are their own bank.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from normalizers import Hnn, InvertedSoftmax, Sinkhorn
from normalizers.data.arrays import Array

DIMS, VARIANCE, EPS = 300, 0.01, 0.1
CLASSES = 10_000
BEST = (1, 5, 10)
MAPS: Mapping[str, Callable[[Array], Array]] = {
    "NN": lambda near: near,
    "inverted softmax": lambda near: np.asarray(
        InvertedSoftmax(temperature=EPS).fit(bank_sims=near).transform(near)
    ),
    "Sinkhorn, 1 it": lambda near: np.asarray(
        Sinkhorn(temperature=EPS, prior=0.0).fit(bank_sims=near).transform(near)
    ),
    "HNN": lambda near: np.asarray(
        Hnn(temperature=EPS, score_type="similarity", iterations=10)
        .fit(bank_sims=near)
        .transform(near)
    ),
}


def drawn(classes: int, seed: int) -> Array:
    """Return the negated squared distances of queries to items, shape (classes, classes)."""
    generator = np.random.default_rng(seed)
    centres = generator.standard_normal((classes, DIMS))
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    queries, items = (centres + generator.normal(0, VARIANCE**0.5, centres.shape) for _ in range(2))
    squares = [np.sum(part * part, axis=1) for part in (queries, items)]
    near = queries @ items.T
    near *= 2
    near -= squares[0][:, None]
    near -= squares[1][None, :]
    return np.asarray(near)


def precisions(scores: Array) -> dict[str, float]:
    """Return the share of queries, in percent, whose item is among the best, and the skewness."""
    right = np.diagonal(scores)[:, None]
    place = np.count_nonzero(scores > right, axis=1)
    found = {f"P@{k}": 100 * float(np.mean(place < k)) for k in BEST}
    taken = np.bincount(np.argmax(scores, axis=1), minlength=scores.shape[1]).astype(float)
    about = taken - taken.mean()
    return {**found, "skewness": float(np.mean(about**3) / np.mean(about**2) ** 1.5)}
