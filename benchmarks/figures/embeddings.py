"""Linear maps of vectors, against the matrix product that they cannot do without."""

from __future__ import annotations

import numpy as np
from sklearn.decomposition import PCA

from benchmarks.figure import Effort, Measured
from benchmarks.pairs import alternate, timed
from benchmarks.rows import rows
from normalizers import HadamardRotation, Whitening
from normalizers.statistics import Scatter

ROWS, FITTED, FITTED_WHOLE = 10_000, 20_000, 100_000
PAIRS, FEW_PAIRS = 15, 5


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


def fit(effort: Effort) -> Measured:
    """Fit a whitening with its report on 100,000 rows of float32, against their product."""
    x = rows(FITTED_WHOLE)
    return alternate(
        lambda: timed(lambda: Whitening().fit(x)),
        lambda: timed(lambda: x.T @ x),
        effort.of(FEW_PAIRS),
    )


def principal_components(effort: Effort) -> Measured:
    """Whiten 10,000 rows and bring them to length 1, against PCA of scikit-learn."""
    x = rows(ROWS)
    version = Whitening(post="l2").fit(x).version_
    peer = PCA(whiten=True).fit(x)
    return alternate(
        lambda: timed(lambda: version.transform({"x": x})),
        lambda: timed(lambda: peer.transform(x)),
        effort.of(PAIRS),
    )


def hadamard(effort: Effort) -> Measured:
    """Rotate 10,000 rows of 768 dims by a Hadamard matrix, against the product with a matrix."""
    x = rows(ROWS)
    rotation = HadamardRotation(seed=0)
    matrix = np.asarray(np.eye(x.shape[1]), dtype=np.float32)
    return alternate(
        lambda: timed(lambda: rotation.transform(x)),
        lambda: timed(lambda: x @ matrix),
        effort.of(PAIRS),
    )
