"""Warnings about runs whose scores do not belong on one scale."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from normalizers.contract import Notice, notice
from normalizers.data.arrays import Array
from normalizers.kernels import segments
from normalizers.scores.fusion.runs.pool import Pool
from normalizers.scores.fusion.runs.run import Run
from normalizers.scores.fusion.runs.run_normalizer import RunNormalizer

RAW = "identity"
# Runs whose largest scores, or whose spreads, are further apart are on different scales.
SCALE_RATIO = 10.0
# Lists whose lengths are further apart are pools of different size.
POOL_RATIO = 2.0


def scale_warnings(pool: Pool, used: Sequence[RunNormalizer]) -> list[Notice]:
    """Return what a reader should know about the scales of the runs."""
    pairs = list(zip(pool.runs, pool.weights.tolist(), used, strict=True))
    raw = [run for run, weight, one in pairs if weight and one.resolved_method.name == RAW]
    by_pool = [run for run, weight, one in pairs if weight and one.depends_on_pool]
    return [*_mismatched_scales(raw), *_mismatched_pools(by_pool)]


def _mismatched_scales(runs: Sequence[Run]) -> list[Notice]:
    sizes = {run.name: _sizes(run) for run in runs if np.isfinite(run.raw).any()}
    table = np.array(list(sizes.values())).reshape(-1, 2)
    if not any(_apart(column, SCALE_RATIO) for column in table.T):
        return []
    widest = list(sizes)[int(np.argmax(table[:, 0]))]
    message = (
        "raw scores of very different scale are fused: the largest ones decide; name a normalizer"
    )
    return [notice("scale_mismatch", message, run=widest, count=len(sizes))]


def _sizes(run: Run) -> tuple[float, float]:
    """Return the largest magnitude of a run's scores, and the largest spread of a list."""
    observed = ~np.isnan(run.raw)
    lists = run.lists.with_values(run.raw)
    spreads = segments.maxima(lists, observed) - segments.minima(lists, observed)
    return float(np.nanmax(np.abs(run.raw))), float(np.nanmax(spreads))


def _mismatched_pools(runs: Sequence[Run]) -> list[Notice]:
    if len(runs) < 2:
        return []
    lengths = np.array([run.lists.lengths for run in runs], dtype=np.float64)
    count = sum(_apart(column, POOL_RATIO) for column in lengths.T)
    if not count:
        return []
    message = "this normalizer's values depend on the length of the list, and lengths differ"
    return [notice("pool_size_mismatch", message, count=count)]


def _apart(numbers: Array, ratio: float) -> bool:
    """Return whether the positive numbers lie further apart than by this ratio."""
    positive = numbers[numbers > 0]
    return len(positive) > 1 and bool(positive.max() > ratio * positive.min())
