"""Local scaling: distances in units of the distances to the k-th neighbours of both ends."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example
from normalizers.data.arrays import Array
from normalizers.hubness.base.local_distance import LocalDistance

DISTANCES = Example(
    params={"k": 2},
    fit={
        "bank_sims": [[0.1, 0.8, 0.9], [0.2, 0.6, 0.7], [0.9, 0.3, 0.8]],
        "gallery_ids": ["a", "b", "c"],
    },
    input={"candidate_ids": [["a", "b"], ["c"]], "candidate_scores": [[0.2, 0.3], [0.5]]},
)


class LocalScaling(LocalDistance):
    """Measure a distance by the distances of both ends to their k-th neighbours.

    ``1 - exp(-d^2 / (r_q r_j))``, r the distance to the k-th neighbour; values in [0, 1).

    Notes
    -----
    Of two ends without extent (r_q r_j = 0) a distance of 0 stays 0 and any other is 1.

    See Also
    --------
    Nicdm : By the mean distance to the neighbours.

    References
    ----------
    Zelnik-Manor and Perona: Self-tuning spectral clustering, 2004; Schnitzer et al.: Local and
    global scaling reduce hubs in space, 2012. Code: OFAI/hub-toolbox-python3, dobraczka/kiez.

    Examples
    --------
    >>> from normalizers import LocalScaling
    >>> objects = [[0.0, 1.0, 2.0], [1.0, 0.0, 2.0], [2.0, 2.0, 0.0]]
    >>> LocalScaling(symmetric=True, k=1).transform(objects).round(4).tolist()
    [[0.0, 0.6321, 0.8647], [0.6321, 0.0, 0.8647], [0.8647, 0.8647, 0.0]]
    """

    name = "local_scaling"
    aliases = {"ls": {}}
    example = DISTANCES

    def side(self, nearest: Array) -> Array:
        """Return the distance to the k-th neighbour."""
        return np.asarray(nearest[:, -1]) if nearest.shape[1] else np.zeros(len(nearest))

    def measured(self, distances: Array, mine: Array, theirs: Array) -> Array:
        """Return the scaled distances."""
        # d / r_q times d / r_j: neither square overflows where the quotients do not.
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            share = (distances / mine) * (distances / theirs)
        return np.asarray(-np.expm1(-np.where(distances == 0, 0.0, share)))
