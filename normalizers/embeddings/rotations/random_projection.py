"""Random projection: vectors in fewer dims, distances about the same."""

from __future__ import annotations

import numpy as np

from normalizers.contract import NO_FIELDS, Example, Fields, Fitted, param, unwrap
from normalizers.data.arrays import Array
from normalizers.embeddings.base.rotation import FixedMap, vectors
from normalizers.errors import InvalidParams
from normalizers.kernels.orthogonal import gaussian


class RandomProjection(FixedMap):
    """Project vectors by a Gaussian matrix: y = x R, R (d, k) with entries from N(0, 1 / k).

    See Also
    --------
    random_rotation, whitening

    Notes
    -----
    The mean of the squared length of an answer is that of the row; one distance is kept within
    about sqrt(2 / k) of its size. The matrix is the same for a seed in every release. There is no
    way back. Cost O(m d k).

    References
    ----------
    Johnson, Lindenstrauss: Extensions of Lipschitz mappings into a Hilbert space, 1984.

    Examples
    --------
    >>> from normalizers import RandomProjection
    >>> RandomProjection(n_components=2, seed=1).transform([[3.0, 4.0, 0.0]]).shape
    (1, 2)
    """

    name = "random_projection"
    inverse_takes = NO_FIELDS
    example = Example(
        params={"n_components": 2, "seed": 1}, input={"x": [[3.0, 4.0, 0.0], [1.0, 0.0, 2.0]]}
    )

    n_components: int | None = param(
        default=None,
        resolves="it must be given",
        ge=1,
        le=65536,
        affects="answer",
        help="dims of the answer",
    )
    seed: int | None = param(
        default=None, default_value=0, ge=0, affects="answer", help="which projection"
    )

    def check(self, path: str) -> None:
        """Refuse to guess how many dims are wanted."""
        if self.n_components is None:
            raise InvalidParams(
                "say how many dims the answer has: n_components: 128", path=f"{path}.n_components"
            )

    @property
    def gives(self) -> Fields:
        """The projected rows."""
        return Fields(y=vectors("m k", "projected vectors"))

    def output_sizes(self, fitted: Fitted) -> dict[str, int]:
        """Return the dims of the answer."""
        return {"k": unwrap(self.n_components)}

    def forward(self, x: Array) -> Array:
        """Return the projected rows."""
        k = unwrap(self.n_components)
        matrix = gaussian(x.shape[1], k, unwrap(self.seed)) / np.sqrt(k)
        return np.asarray(x @ matrix.astype(x.dtype))
