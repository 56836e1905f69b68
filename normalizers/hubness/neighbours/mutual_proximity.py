"""Mutual proximity: how unlikely it is that either end has something nearer than the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, cast

import numpy as np

from normalizers.bases.bank_statistics import item_moments_of
from normalizers.contract import Batch, Fitted, Statistic, Statistics, param
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.hubness.base.bank_fit import fitted_bias, item_ids
from normalizers.hubness.base.live import Live
from normalizers.hubness.base.secondary import SecondaryDistance, others
from normalizers.hubness.neighbours.local_scaling import DISTANCES
from normalizers.kernels import segments
from normalizers.statistics import ItemMoments

# What a deviation of 0 counts as, so that a normal distribution has one: the published number.
NO_DEVIATION = 1e-7


class MutualProximity(SecondaryDistance):
    """Turn a distance into the probability that neither end is nearest to the other.

    `variant` ``gauss``: ``1 - sf_q(d) sf_j(d)``, sf the survival function of a normal distribution
    with the mean and deviation of that end's distances. ``empirical``, with `symmetric`:
    ``1 - #{x: d(q, x) > d and d(j, x) > d} / n``.

    Notes
    -----
    Deviations are those of the population, without the object itself; one of 0 counts as 1e-7. An
    empirical probability needs distances of both ends to the same objects, so that it is for one
    square matrix; cost O(n^3). Ties count as not farther.

    References
    ----------
    Schnitzer et al.: Local and global scaling reduce hubs in space, 2012. Code:
    OFAI/hub-toolbox-python3, dobraczka/kiez.

    Examples
    --------
    >>> from normalizers import MutualProximity
    >>> objects = [[0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [2.0, 3.0, 0.0]]
    >>> MutualProximity(symmetric=True).transform(objects).round(4).tolist()
    [[0.0, 0.2921, 0.8665], [0.2921, 0.0, 0.9748], [0.8665, 0.9748, 0.0]]
    """

    name = "mutual_proximity"
    aliases = {"mp": {}}
    example = replace(DISTANCES, params={})

    variant: Literal["gauss", "empirical"] | None = param(
        default=None,
        default_value="gauss",
        affects="statistics",
        help="distances of an end as a normal distribution, or as they are",
    )

    def check(self, path: str) -> None:
        """Refuse an empirical probability of a fit."""
        if self.variant == "empirical" and not self.symmetric:
            raise InvalidParams(
                "'empirical' compares the distances of both ends to the same objects: it is for "
                "one square matrix, symmetric: true",
                path=f"{path}.variant",
            )

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Mean and deviation of every item."""
        return {} if self.symmetric else {"item_moments": ItemMoments(self.similarity is not None)}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the bank's distances to the moments of every item."""
        part = item_moments_of(self.bank(batch), item_ids(batch))
        return statistics.replace(item_moments=_moments(statistics).merge(part))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return mean and deviation of the distances of every item."""
        kept = _moments(statistics)
        fitted = fitted_bias(-kept.mean, kept, {"item_std": kept.std()}, largest_is_hub=False)
        return Fitted(fitted.arrays, fitted.sizes, fitted.report)

    def of_square(self, distances: Array) -> Array:
        """Return the secondary distances of n objects."""
        if len(distances) < 2:
            return distances
        if self.variant == "empirical":
            return np.stack([_farther(row, distances) for row in distances])
        rest = others(distances)
        below = _survival(distances, rest.mean(axis=1)[:, None], rest.std(axis=1)[:, None])
        # The matrix is symmetric: what a row is to an object, a column is to its other end.
        other = _survival(distances, rest.mean(axis=1)[None, :], rest.std(axis=1)[None, :])
        return 1 - below * other

    def of_live(self, distances: Array, fitted: Fitted, live: Live) -> Array:
        """Return the secondary distances of live queries."""
        lists = live.scores.with_values(distances)
        moments = segments.centred_moments(lists, ~np.isnan(distances))
        sides = (segments.broadcast(part, lists) for part in (moments.mean, moments.std()))
        of_query = _survival(distances, *sides)
        theirs = (self.of_items(fitted[name], live) for name in ("item_bias", "item_std"))
        return np.asarray(1 - of_query * _survival(distances, *theirs))


def _survival(distances: Array, mean: Array, std: Array) -> Array:
    from scipy.special import ndtr

    return np.asarray(ndtr((mean - distances) / np.where(std == 0, NO_DEVIATION, std)))


def _farther(row: Array, distances: Array) -> Array:
    """Return 1 less the share of objects that are farther from both ends than they are apart."""
    both = (row[None, :] > row[:, None]) & (distances > row[:, None])
    return np.asarray(1 - both.sum(axis=1) / len(row))


def _moments(statistics: Statistics) -> ItemMoments:
    return cast(ItemMoments, statistics["item_moments"])
