"""Linear maps of vectors, against the matrix product that they cannot do without."""

from __future__ import annotations

import numpy as np
from sklearn.decomposition import PCA

from benchmarks.figure import Effort, Measured
from benchmarks.pairs import beside
from benchmarks.rows import rows
from normalizers import HadamardRotation, Whitening
from normalizers.statistics import Scatter

ROWS, FITTED = 10_000, 20_000
PAIRS = 15


def transform(effort: Effort) -> Measured:
    """Whiten 10,000 rows of float32 and bring them to length 1, against the product alone."""
    x = rows(ROWS)
    version = Whitening(post="l2").fit(x).version_
    matrix = np.ascontiguousarray(version.fitted["W"], dtype=np.float32)
    return beside(lambda: version.transform({"x": x}), lambda: x @ matrix, effort.of(PAIRS))


def scatter(effort: Effort) -> Measured:
    """Add 20,000 rows of float32 to a scatter in float64, against their product in float32."""
    x = rows(FITTED)
    return beside(lambda: Scatter().update(x), lambda: x.T @ x, effort.of(PAIRS))


def principal_components(effort: Effort) -> Measured:
    """Whiten 10,000 rows and bring them to length 1, against PCA of scikit-learn."""
    x = rows(ROWS)
    version = Whitening(post="l2").fit(x).version_
    peer = PCA(whiten=True).fit(x)
    return beside(lambda: version.transform({"x": x}), lambda: peer.transform(x), effort.of(PAIRS))


def hadamard(effort: Effort) -> Measured:
    """Rotate 10,000 rows of 768 dims by a Hadamard matrix, against the product with a matrix."""
    x = rows(ROWS)
    rotation = HadamardRotation(seed=0)
    matrix = np.asarray(np.eye(x.shape[1]), dtype=np.float32)
    return beside(lambda: rotation.transform(x), lambda: x @ matrix, effort.of(PAIRS))
