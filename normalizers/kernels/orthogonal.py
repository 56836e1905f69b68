"""Random matrices that are the same for a seed, wherever and whenever they are made."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

# Its stream of numbers is frozen; that of the newer generator may change with a release of NumPy.
from numpy.random import RandomState

from normalizers.data.arrays import Array, readonly


@lru_cache(maxsize=8)
def gaussian(rows: int, columns: int, seed: int) -> Array:
    """Return standard normal numbers ``(rows, columns)``."""
    return readonly(RandomState(seed).standard_normal((rows, columns)))


@lru_cache(maxsize=8)
def random_orthogonal(d: int, seed: int) -> Array:
    """Return an orthogonal matrix ``(d, d)``, uniform among all of them.

    The Q of a Gaussian matrix, its columns signed so that the diagonal of R is positive: without
    that it would follow the signs of the library that computes it.

    References
    ----------
    Mezzadri: How to generate random matrices from the classical compact groups, 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.orthogonal import random_orthogonal
    >>> matrix = random_orthogonal(3, seed=0)
    >>> bool(np.allclose(matrix @ matrix.T, np.eye(3)))
    True
    """
    q, r = np.linalg.qr(gaussian(d, d, seed))
    return readonly(np.asarray(q * np.where(np.diagonal(r) < 0, -1.0, 1.0)))


@lru_cache(maxsize=32)
def random_signs(d: int, seed: int) -> Array:
    """Return 1 and -1, `d` of them."""
    return readonly(1.0 - 2.0 * RandomState(seed).randint(0, 2, d))
