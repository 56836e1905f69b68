"""Linear maps of vectors, against the matrix product that they cannot do without."""

from __future__ import annotations

import numpy as np

from benchmarks.figure import Effort, Measured
from benchmarks.pairs import alternate, timed
from benchmarks.rows import rows
from normalizers import Whitening
from normalizers.statistics import Scatter

ROWS, FITTED = 10_000, 20_000
PAIRS = 15


def transform(effort: Effort) -> Measured:
    """Whiten 10,000 rows of float32 and bring them to length 1, against the product alone."""
    x = rows(ROWS)
    version = Whitening(post="l2").fit(x).version_
    matrix = np.ascontiguousarray(version.fitted["W"], dtype=np.float32)
    return alternate(
        lambda: timed(lambda: version.transform({"x": x})),
        lambda: timed(lambda: x @ matrix),
        effort.of(PAIRS),
    )


def scatter(effort: Effort) -> Measured:
    """Add 20,000 rows of float32 to a scatter in float64, against their product in float32."""
    x = rows(FITTED)
    return alternate(
        lambda: timed(lambda: Scatter().update(x)),
        lambda: timed(lambda: x.T @ x),
        effort.of(PAIRS),
    )
