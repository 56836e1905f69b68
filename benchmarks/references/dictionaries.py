"""Fusion of the runs of one query in plain Python: dictionaries by id, exact sums, ties by id.

What it notices is what ours notices: ids that stand twice, an order that its scores contradict,
lists without spread, runs that share nothing.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

Hits: TypeAlias = list[tuple[str, float]]
PUBLISHED_K = 60


class Fused(NamedTuple):
    """Ids and scores, best first, and what was noticed."""

    ids: list[str]
    scores: list[float]
    warnings: list[str]


def rrf(runs: Sequence[Mapping[str, object]]) -> Fused:
    """Return the sum of the reciprocal ranks."""
    warnings: list[str] = []
    parts = [
        {name: 1 / (PUBLISHED_K + rank) for rank, (name, _) in enumerate(_ranked(run, warnings), 1)}
        for run in runs
    ]
    return _summed(parts, warnings)


def weighted_min_max(runs: Sequence[Mapping[str, object]], weights: Sequence[float]) -> Fused:
    """Return the weighted sum of scores between the ends of their lists."""
    warnings: list[str] = []
    parts = [
        _scaled(_ranked(run, warnings), weight, warnings)
        for run, weight in zip(runs, weights, strict=True)
    ]
    return _summed(parts, warnings)


def _scaled(hits: Hits, weight: float, warnings: list[str]) -> dict[str, float]:
    if not hits:
        return {}
    high, low = hits[0][1], hits[-1][1]
    if low == high:
        warnings.append("constant_list")
        return {name: weight for name, _ in hits}
    return {name: weight * ((score - low) / (high - low)) for name, score in hits}


def _ranked(run: Mapping[str, object], warnings: list[str]) -> Hits:
    ids, scores = _checked(run)
    hits = sorted(zip(ids, scores, strict=True), key=lambda hit: (-hit[1], hit[0]))
    best: dict[str, float] = {}
    for name, score in hits:
        best.setdefault(name, score)
    if len(best) < len(hits):
        warnings.append("duplicate_ids")
    if any(later > earlier for earlier, later in itertools.pairwise(scores)):
        warnings.append("order_disagrees")
    return list(best.items())


def _checked(run: Mapping[str, object]) -> tuple[list[str], list[float]]:
    ids, scores = run["ids"], run["scores"]
    if not isinstance(ids, list) or set(map(type, ids)) != {str} or not all(ids):
        raise TypeError("a list of ids is expected")
    if not isinstance(scores, list) or not set(map(type, scores)) <= {int, float}:
        raise TypeError("a list of scores is expected")
    if len(ids) != len(scores):
        raise ValueError(f"{len(scores)} scores for {len(ids)} ids")
    if not all(map(math.isfinite, scores)):
        raise ValueError("a score is missing or infinite")
    return ids, scores


def _summed(parts: Iterable[Mapping[str, float]], warnings: list[str]) -> Fused:
    by_id: dict[str, list[float]] = {}
    answering = 0
    for part in parts:
        answering += bool(part)
        for name, contribution in part.items():
            by_id.setdefault(name, []).append(contribution)
    if answering > 1 and all(len(found) == 1 for found in by_id.values()):
        warnings.append("no_overlap")
    totals = {name: math.fsum(found) for name, found in by_id.items()}
    ordered = sorted(totals.items(), key=lambda hit: (-hit[1], hit[0]))
    return Fused([name for name, _ in ordered], [score for _, score in ordered], warnings)
