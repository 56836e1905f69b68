"""Random rotation: vectors in a random basis."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example, param, unwrap
from normalizers.data.arrays import Array
from normalizers.embeddings.base.rotation import FixedMap
from normalizers.kernels.orthogonal import random_orthogonal


class RandomRotation(FixedMap):
    """Rotate vectors by a random orthogonal matrix: y = x Q, Q^T Q = I.

    See Also
    --------
    hadamard_rotation, random_projection

    Notes
    -----
    Q is uniform among all rotations and reflections, and the same for a seed but for its last bits,
    which may differ from one processor to another. No length, distance or cosine changes. A matrix
    for each width is made once and kept in memory, O(d^3); a transform costs O(m d^2).

    References
    ----------
    Mezzadri: How to generate random matrices from the classical compact groups, 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers import RandomRotation
    >>> y = RandomRotation(seed=1).transform([[3.0, 4.0, 0.0]])
    >>> round(float(np.linalg.norm(y)), 12)
    5.0
    """

    name = "random_rotation"
    example = Example(params={"seed": 1}, input={"x": [[3.0, 4.0, 0.0], [1.0, 0.0, 2.0]]})

    seed: int | None = param(
        default=None, default_value=0, ge=0, affects="answer", help="which rotation"
    )

    def forward(self, x: Array) -> Array:
        """Return the rotated rows."""
        return np.asarray(x @ self._matrix(x.shape[1]).astype(x.dtype))

    def backward(self, y: Array) -> Array:
        """Return the rows that give these."""
        return np.asarray(y @ self._matrix(y.shape[1]).T.astype(y.dtype))

    def _matrix(self, d: int) -> Array:
        return random_orthogonal(d, unwrap(self.seed))
