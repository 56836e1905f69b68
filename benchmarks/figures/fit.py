"""A fit of whitening with float64 accuracy, against one float32 product of the same rows."""

from __future__ import annotations

from benchmarks.figure import Effort, Measured
from benchmarks.pairs import beside
from benchmarks.rows import rows
from normalizers.data.arrays import Array
from normalizers.embeddings.covariance.whitening import Whitening
from normalizers.statistics import Scatter
from normalizers.statistics.base.statistics_set import Statistics
from normalizers.versions import fitting

ROWS = 100_000
PAIRS = 5


def measure(effort: Effort) -> Measured:
    """Update the scatter of 100,000 rows of float32, and solve."""
    x = rows(ROWS)
    return beside(lambda: _fit(x), lambda: x.T @ x, effort.of(PAIRS))


def _fit(x: Array) -> object:
    return fitting.solve(Whitening(), Statistics({"scatter": Scatter().update(x)}), {})
