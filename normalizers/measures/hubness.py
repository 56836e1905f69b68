"""Measures of hubs: how unequally the items of a gallery are among the nearest of queries."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from pydantic import Field

from normalizers.data.arrays import Array
from normalizers.measures.measure import Choice, CutOff, Function, Measure
from normalizers.measures.occurrence import Occurrences
from normalizers.measures.random_retrieval import expected

TO_DEVIATION = 1.4826  # of a median absolute deviation, for a normal distribution


class HubCutOff(CutOff):
    """How many neighbours count, and what a hub is."""

    hub_size: float = Field(
        default=2.0, gt=0, description="a hub occurs at least so many times k times"
    )


def k_skewness(evidence: Occurrences, k: int | None = None) -> float:
    """Return the skewness of the k-occurrences N, ``E[(N - mean)^3] / deviation^3``.

    Population moments; undefined where all are equal. Unbounded: it grows with the gallery, and
    with few queries.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.data.ragged import Ragged
    >>> from normalizers.measures.occurrence import Occurrences
    >>> lists = Ragged.of([[0, 2], [1, 0], [2, 0], [3, 1], [4, 0]], np.int64)
    >>> round(k_skewness(Occurrences.of(lists, 5)), 4)
    0.9129
    """
    counts = evidence.counts(k)
    if not len(counts) or counts.max() == counts.min():
        return float("nan")
    centred = counts - counts.mean()
    return float(np.mean(centred**3) / np.mean(centred**2) ** 1.5)


def robin_hood(evidence: Occurrences, k: int | None = None) -> float:
    """Return the share of places that would have to move to be equal, in [0, 1)."""
    counts = evidence.counts(k)
    total = counts.sum()
    return float(np.abs(counts - counts.mean()).sum() / total / 2) if total else float("nan")


def gini(evidence: Occurrences, k: int | None = None) -> float:
    """Return ``sum_ij |N_i - N_j| / (2 g sum N)``, in [0, 1)."""
    counts = np.sort(evidence.counts(k))
    total, g = counts.sum(), len(counts)
    if not total:
        return float("nan")
    # Sorted, sum_ij |N_i - N_j| = 2 sum_i (2 i - g + 1) N_i.
    return float(((2 * np.arange(g) - g + 1) * counts).sum() / (g * total))


def atkinson(evidence: Occurrences, k: int | None = None) -> float:
    """Return ``1 - (mean sqrt N)^2 / mean N``, in [0, 1]."""
    counts = evidence.counts(k)
    mean = counts.mean() if len(counts) else 0.0
    return float(1 - np.mean(np.sqrt(counts)) ** 2 / mean) if mean else float("nan")


def antihub_rate(evidence: Occurrences, k: int | None = None) -> float:
    """Return the share of items that are near to no query."""
    counts = evidence.counts(k)
    return float(np.mean(counts == 0)) if len(counts) else float("nan")


def hub_occurrence(evidence: Occurrences, k: int | None = None, hub_size: float = 2.0) -> float:
    """Return the share of places that hubs take, of those with ``N >= hub_size k``."""
    counts, slots = evidence.counts(k), evidence.slots(k)
    hubs = counts >= hub_size * evidence.depth(k)
    return float(counts[hubs].sum() / slots) if slots else float("nan")


def max_hub_share(evidence: Occurrences, k: int | None = None) -> float:
    """Return the share of places that the largest hub takes."""
    slots = evidence.slots(k)
    return float(evidence.counts(k).max(initial=0.0) / slots) if slots else float("nan")


def max_hub_query_share(evidence: Occurrences, k: int | None = None) -> float:
    """Return the share of lists that hold the largest hub."""
    queries = float(evidence.weights.sum())
    return float(evidence.counts(k).max(initial=0.0) / queries) if queries else float("nan")


def occurrences(evidence: Occurrences, k: int | None = None) -> Mapping[str, object]:
    """Return the k-occurrence of every item."""
    counts: list[float] = evidence.counts(k).tolist()
    return {"k_occurrence": [int(count) for count in counts]}


def hubs(
    evidence: Occurrences, k: int | None = None, hub_size: float = 2.0
) -> Mapping[str, object]:
    """Return the hubs by position, with how far each is from the median item."""
    counts = evidence.counts(k)
    found = np.flatnonzero(counts >= hub_size * evidence.depth(k))
    return {"hubs": found.tolist(), "robust_z": robust_z(counts)[found].tolist()}


def robust_z(counts: Array, among: Array | None = None) -> Array:
    """Return ``(N - median) / (1.4826 MAD)``; by mean and deviation where the MAD is 0.

    Median and deviation are those of the numbers `among` which these stand, by default their own.
    """
    known = counts if among is None else among
    if not len(known):
        return np.zeros(len(counts))
    centre = np.median(known)
    spread = TO_DEVIATION * np.median(np.abs(known - centre))
    if not spread:
        centre, spread = np.mean(known), np.std(known)
    return np.asarray((counts - centre) / spread if spread else np.zeros(len(counts)))


EQUAL = "every item is near to equally many queries"
NONE = "no query has a neighbour"


def _random(
    name: str, evidence: Occurrences, rate: float, k: int | None = None, hub_size: float = 2.0
) -> float:
    """Return what random retrieval comes to; no share of positives has a part in it."""
    return expected(name, evidence, k, hub_size)


def _measure(
    name: str,
    function: Function,
    text: str,
    undefined: str = NONE,
    parameters: type[CutOff] = CutOff,
    details: Choice | None = None,
) -> Measure:
    return Measure(
        name,
        "occurrences",
        function,
        text,
        undefined,
        parameters=parameters,
        higher_is_better=False,
        details=details,
        base=partial(_random, name),
    )


MEASURES = (
    _measure("k_skewness", k_skewness, "skewness of k-occurrences", EQUAL, details=occurrences),
    _measure("robin_hood", robin_hood, "share of places to move until all items have equally many"),
    _measure("gini", gini, "Gini index of k-occurrences"),
    _measure("atkinson", atkinson, "Atkinson index (0.5) of k-occurrences"),
    _measure("antihub_rate", antihub_rate, "share of items that are near to no query"),
    _measure(
        "hub_occurrence", hub_occurrence, "share of places that hubs take",
        parameters=HubCutOff, details=hubs,
    ),
    _measure("max_hub_share", max_hub_share, "share of places that the largest hub takes"),
    _measure(
        "max_hub_query_share", max_hub_query_share, "share of lists that hold the largest hub"
    ),
)  # fmt: skip
