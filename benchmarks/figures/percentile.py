"""The percentile of a few scores in a large stored sample, against the time that it may take."""

from __future__ import annotations

import numpy as np

from benchmarks.figure import Effort, Measured
from benchmarks.pairs import timed
from benchmarks.rows import SEED
from normalizers.kernels import ecdf

SAMPLE = 100_000
SCORES = 100
REPETITIONS = 5_000
LIMIT_MICROSECONDS = 15.0
MICROSECONDS = 1e6


def measure(effort: Effort) -> Measured:
    """Look scores up in a sample whose counts are cumulated, as a stored version has them."""
    generator = np.random.default_rng(SEED)
    values = np.sort(generator.normal(size=SAMPLE))
    upto = ecdf.cumulated(np.ones(SAMPLE, dtype=np.int64))
    scores = generator.normal(size=SCORES)

    def share() -> object:
        return ecdf.shares(*ecdf.rank_counts(values, upto, scores), upto[-1], scores, "mean")

    taken = np.median([timed(share) for _ in range(effort.of(REPETITIONS))]) * MICROSECONDS
    return Measured(float(taken), LIMIT_MICROSECONDS, float(taken) / LIMIT_MICROSECONDS, "us")
