"""One list, one row, one window or one query a call, against the same written by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np

from benchmarks.figure import Effort, Measured
from benchmarks.pairs import alternate, typical
from benchmarks.references import by_hand, dictionaries
from benchmarks.rows import SEED
from benchmarks.runs import Runs
from normalizers import (
    GroupZScore,
    MinMax,
    Percentile,
    ReciprocalRankFusion,
    WeightedSum,
    Whitening,
    WindowZScore,
)
from normalizers.contract.answer import Answer
from normalizers.data.arrays import Array
from normalizers.normalizer import Normalizer

PAIRS = 15
BURST = 200
LISTS_BURST = 3
SCORES = 100
LISTS = 1_000
SAMPLE = 10_000
ROWS, DIMS = 1_000, 256
GROUPS = 5
STEPS = 512
WEIGHTS = (0.4, 0.6)


def min_max(effort: Effort) -> Measured:
    """Scale one list of floats by its own ends."""
    scores, method = _scores(SCORES), MinMax()
    return _against(lambda: method.apply_to(scores), lambda: by_hand.min_max(scores), effort)


def percentile(effort: Effort) -> Measured:
    """Look one list of floats up in a stored sample."""
    scores, method = _scores(SCORES), Percentile().fit(_drawn(SAMPLE))
    values, counts = np.unique(_drawn(SAMPLE), return_counts=True)
    sample = by_hand.Sample(values, np.concatenate(([0], np.cumsum(counts))))
    return _against(
        lambda: method.apply_to(scores), lambda: by_hand.percentile(scores, sample), effort
    )


def whitening(effort: Effort) -> Measured:
    """Whiten one vector."""
    rows = _drawn(ROWS * DIMS).reshape(ROWS, DIMS)
    method, row = Whitening().fit(rows), _drawn(DIMS)
    fitted = by_hand.Map(rows.mean(axis=0), np.ascontiguousarray(method.fitted_["W"].T))
    return _against(lambda: method.apply_to(row), lambda: by_hand.whitened(row, fitted), effort)


def group_z_score(effort: Effort) -> Measured:
    """Standardize a list of floats by stored groups."""
    scores, labels = _scores(SCORES), _labels(SCORES)
    method = GroupZScore().fit(_drawn(ROWS), groups=_labels(ROWS))
    by_group = [_drawn(ROWS)[place::GROUPS] for place in range(GROUPS)]
    fitted = by_hand.Groups(
        {label: place for place, label in enumerate(_labels(GROUPS))},
        np.array([group.mean() for group in by_group]),
        np.array([group.std(ddof=1) for group in by_group]),
        np.array([group.min() for group in by_group]),
        np.array([group.max() for group in by_group]),
    )
    return _against(
        lambda: method.apply_to(scores, groups=labels),
        lambda: by_hand.group_z_score(scores, labels, fitted),
        effort,
    )


def window_z_score(effort: Effort) -> Measured:
    """Standardize one window by itself."""
    window, method = _drawn(STEPS), WindowZScore()
    return _against(lambda: method.apply_to(window), lambda: by_hand.window_z_score(window), effort)


def rrf(effort: Effort) -> Measured:
    """Fuse two lists by their ranks."""
    return _fusion(ReciprocalRankFusion(), dictionaries.rrf, effort)


def wsum(effort: Effort) -> Measured:
    """Fuse two lists by their scores between the ends of each list."""
    return _fusion(
        WeightedSum(weights=list(WEIGHTS)),
        lambda runs: dictionaries.weighted_min_max(runs, WEIGHTS),
        effort,
    )


def nested_lists(effort: Effort) -> Measured:
    """Scale many lists in one call; NumPy does no more than read them."""
    lists, method = [_scores(SCORES) for _ in range(LISTS)], MinMax()
    return _against(
        lambda: method.apply_to(lists),
        lambda: by_hand.read_lists(lists),
        effort,
        burst=LISTS_BURST,
    )


def _fusion(
    method: Normalizer,
    by_dictionaries: Callable[[list[dict[str, object]]], dictionaries.Fused],
    effort: Effort,
) -> Measured:
    runs = [run.first() for run in Runs.drawn(1).runs]
    _require_same(method.apply_to(runs), by_dictionaries(runs))
    return _against(lambda: method.apply_to(runs), lambda: by_dictionaries(runs), effort)


def _against(
    ours: Callable[[], object],
    reference: Callable[[], object],
    effort: Effort,
    burst: int = BURST,
) -> Measured:
    measured = alternate(
        lambda: typical(ours, burst), lambda: typical(reference, burst), effort.of(PAIRS)
    )
    return measured.in_microseconds()


def _require_same(ours: Answer, reference: dictionaries.Fused) -> None:
    """Refuse to compare fusions that do not answer alike."""
    scores = cast(Array, ours["scores"]).tolist()
    if cast(Array, ours["ids"]).tolist() != reference.ids or scores != reference.scores:
        raise AssertionError("the two fusions differ")


def _drawn(count: int) -> Array:
    return np.random.default_rng(SEED).normal(10.0, 3.0, count)


def _scores(count: int) -> list[float]:
    return [float(score) for score in _drawn(count)]


def _labels(count: int) -> list[str]:
    return [f"group-{place % GROUPS}" for place in range(count)]
