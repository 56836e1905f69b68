"""The measures of the table, each computed here and not by the product."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array


def mean_average_precision(scores: Array, relevant: Array) -> float:
    """Return the mean over queries of the average precision of all items.

    Parameters
    ----------
    scores : array of shape (q, g)
        Higher is better; an item with -inf is ranked last.
    relevant : array of shape (q, g)
        Booleans.
    """
    order = np.argsort(-scores, axis=1, kind="stable")
    return float(np.mean([_average_precision(row) for row in _taken(relevant, order)]))


def top_one(scores: Array, relevant: Array) -> float:
    """Return the share of queries whose best item is relevant."""
    best = scores.argmax(axis=1)[:, None]
    return float(_taken(relevant, best).mean())


def average_precision_at(relevant: Array, total: int) -> float:
    """Return the average precision of a list that may hold only some of `total` relevant items."""
    return _average_precision(relevant) * float(relevant.sum()) / total


def never_found(scores: Array, depth: int) -> float:
    """Return the share of items that are in no query's `depth` best."""
    best = np.argsort(-scores, axis=1, kind="stable")[:, :depth]
    return 1.0 - len(np.unique(best)) / int(scores.shape[1])


def best_threshold(scores: Array, relevant: Array) -> float:
    """Return the threshold with the largest F1: a score counts when it is at least that."""
    order = np.argsort(-scores.ravel(), kind="stable")
    ranked, hits = scores.ravel()[order], np.cumsum(relevant.ravel()[order])
    harmonic = 2 * hits / (np.arange(1, len(hits) + 1) + relevant.sum())
    ends = np.append(ranked[1:] < ranked[:-1], True)
    return float(ranked[np.argmax(np.where(ends, harmonic, 0))])


def f1(chosen: Array, relevant: Array) -> float:
    """Return the F1 of a choice."""
    return float(2 * (chosen & relevant).sum() / (chosen.sum() + relevant.sum()))


def pair_accuracy(scores: Array, qualities: Array) -> float:
    """Return the share of pairs that scores and qualities order alike."""
    one, other = np.triu_indices(len(scores), 1)
    agree = np.sign(scores[one] - scores[other]) == np.sign(qualities[one] - qualities[other])
    return float(agree.mean())


def _average_precision(relevant: Array) -> float:
    hits = np.cumsum(relevant)
    precision = hits / np.arange(1, len(relevant) + 1)
    return float(precision[relevant].mean()) if relevant.any() else 0.0


def _taken(values: Array, places: Array) -> Array:
    return np.take_along_axis(values, places, axis=1)
