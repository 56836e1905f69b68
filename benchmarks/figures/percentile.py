"""The percentile of a few scores in a large stored sample, against its counts alone."""

from __future__ import annotations

import numpy as np

from benchmarks.figure import Effort, Measured
from benchmarks.pairs import alternate, typical
from benchmarks.references import by_hand
from benchmarks.rows import SEED
from normalizers.kernels import ecdf

SAMPLE = 100_000
SCORES = 100
PAIRS = 15
BURST = 1_000


def measure(effort: Effort) -> Measured:
    """Look scores up in a sample whose counts are cumulated, as a stored version has them."""
    generator = np.random.default_rng(SEED)
    values = np.sort(generator.normal(size=SAMPLE))
    upto = ecdf.cumulated(np.ones(SAMPLE, dtype=np.int64))
    scores = generator.normal(size=SCORES)
    sample = by_hand.Sample(values, upto)

    def share() -> object:
        return ecdf.shares(*ecdf.rank_counts(values, upto, scores), upto[-1], scores, "mean")

    return alternate(
        lambda: typical(share, BURST),
        lambda: typical(lambda: by_hand.mean_ranks(scores, sample), BURST),
        effort.of(PAIRS),
    ).in_microseconds()
