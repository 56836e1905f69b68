"""Hubs of 300 documents, and their labels by neighbours, under secondary distances."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from benchmarks.hubs.collection import DATA
from normalizers import LocalScaling, MutualProximity, Nicdm
from normalizers.data.arrays import Array
from normalizers.evaluation import evaluate
from normalizers.normalizer import Normalizer

VOTERS = (1, 5, 20)


def read() -> tuple[Array, Array]:
    """Return the square matrix of distances and the labels."""
    with np.load(DATA / "dexter_cosine.npz", allow_pickle=False) as found:
        labels = np.asarray(found["labels"])
        distances = np.zeros((len(labels), len(labels)))
        distances[np.triu_indices(len(labels), 1)] = found["upper_triangle"]
    return distances + distances.T, labels


def told(distances: Array, labels: Array) -> dict[str, float]:
    """Return skewness, anti-hubs and the largest hub of 5 nearest, and shares of right votes."""
    order = neighbours(distances)
    found = {"S_5": _measured("k_skewness", order, 5), "S_10": _measured("k_skewness", order, 10)}
    found["antihubs"] = 100 * _measured("antihub_rate", order, 5)
    found["largest hub"] = 100 * _measured("max_hub_query_share", order, 5)
    return {**found, **{f"kNN {k}": 100 * right_votes(order, labels, k) for k in VOTERS}}


def neighbours(distances: Array) -> Array:
    """Return the other objects by distance, ties to the lowest."""
    apart = np.array(distances)
    np.fill_diagonal(apart, np.inf)
    return np.asarray(np.argsort(apart, axis=1, kind="stable")[:, :-1])


def right_votes(order: Array, labels: Array, k: int) -> float:
    """Return the share of objects whose k nearest vote for their label, a tie to the nearest."""
    votes = labels[order[:, :k]].sum(axis=1)
    won = np.where(votes == 0, labels[order[:, 0]], np.sign(votes))
    return float(np.mean(won == labels))


def _measured(measure: str, order: Array, k: int) -> float:
    lists = order[:, :k].tolist()
    return float(evaluate([measure], neighbor_ids=lists, items=len(order)).results[0].value)


def _square(method: Normalizer) -> Callable[[Array], Array]:
    return lambda distances: np.asarray(method.transform(distances))


MAPS: Mapping[str, Callable[[Array], Array]] = {
    "original": lambda distances: distances,
    "MP empirical": _square(MutualProximity(variant="empirical", symmetric=True)),
    "MP Gauss": _square(MutualProximity(variant="gauss", symmetric=True)),
    "NICDM k=7": _square(Nicdm(k=7, symmetric=True)),
    "LS k=7": _square(LocalScaling(k=7, symmetric=True)),
}
