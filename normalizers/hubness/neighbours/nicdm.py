"""NICDM: distances in units of the mean distances of both ends to their neighbours."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Fitted, param
from normalizers.data.arrays import Array
from normalizers.hubness.base.live import Live
from normalizers.hubness.base.local_distance import LocalDistance
from normalizers.hubness.neighbours.local_scaling import DISTANCES


class Nicdm(LocalDistance):
    """Divide a distance by the geometric mean of the neighbourhoods of both ends.

    ``d / sqrt(m_q m_j)``, m the mean distance to the `k` nearest.

    Notes
    -----
    With `geomean_factor` times the geometric mean of all m: of the objects, or of the items of
    the fit. A distance over an end without extent is missing, but for one of 0.

    See Also
    --------
    LocalScaling : By the distance to the k-th neighbour.

    References
    ----------
    Jegou et al.: Accurate image search using the contextual dissimilarity measure, 2010; Schnitzer
    et al.: Local and global scaling reduce hubs in space, 2012. Code: OFAI/hub-toolbox-python3.

    Examples
    --------
    >>> from normalizers import Nicdm
    >>> objects = [[0.0, 1.0, 2.0], [1.0, 0.0, 2.0], [2.0, 2.0, 0.0]]
    >>> Nicdm(symmetric=True, k=1).transform(objects).round(4).tolist()
    [[0.0, 1.0, 1.4142], [1.0, 0.0, 1.4142], [1.4142, 1.4142, 0.0]]
    """

    name = "nicdm"
    example = DISTANCES

    geomean_factor: bool | None = param(
        default=None,
        default_value=False,
        affects="answer",
        help="multiply by the geometric mean of all neighbourhoods",
    )

    def side(self, nearest: Array) -> Array:
        """Return the mean distance to the neighbours."""
        return np.asarray(nearest.mean(axis=1)) if nearest.shape[1] else np.zeros(len(nearest))

    def measured(self, distances: Array, mine: Array, theirs: Array) -> Array:
        """Return the scaled distances."""
        with np.errstate(divide="ignore", invalid="ignore"):
            scaled = distances / np.sqrt(mine) / np.sqrt(theirs)
        known = np.where(np.isinf(scaled), np.nan, scaled)
        return np.where(distances == 0, 0.0, known)

    def of_square(self, distances: Array) -> Array:
        """Return the secondary distances of n objects."""
        found = super().of_square(distances)
        if not self.geomean_factor or len(distances) < 2:
            return found
        return found * geometric_mean(self.square_sides(distances))

    def of_live(self, distances: Array, fitted: Fitted, live: Live) -> Array:
        """Return the secondary distances of live queries."""
        found = super().of_live(distances, fitted, live)
        return found * geometric_mean(fitted["item_bias"]) if self.geomean_factor else found


def geometric_mean(sides: Array) -> float:
    """Return the geometric mean, 0 if one of them is."""
    with np.errstate(divide="ignore"):
        return float(np.exp(np.mean(np.log(sides)))) if len(sides) else 1.0
