"""Mutual proximity: how unlikely it is that either end has something nearer than the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, cast

import numpy as np

from normalizers.bases.bank_statistics import item_moments_of, item_quantiles_of
from normalizers.contract import Batch, Fitted, Statistic, Statistics, param
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.hubness.base.bank_fit import fitted_bias, item_ids
from normalizers.hubness.base.item_distributions import fitted_distributions, item_survival
from normalizers.hubness.base.live import Live
from normalizers.hubness.base.secondary import SecondaryDistance, others
from normalizers.hubness.neighbours.local_scaling import DISTANCES
from normalizers.kernels import segments
from normalizers.statistics import ItemMoments, ItemQuantiles

# What a deviation of 0 counts as, so that a normal distribution has one: the published number.
NO_DEVIATION = 1e-7


class MutualProximity(SecondaryDistance):
    """Turn a distance into the probability that neither end is nearest to the other.

    `variant` ``gauss``: ``1 - sf_q(d) sf_j(d)``, sf the survival function of a normal distribution
    with the mean and deviation of that end's distances. ``empirical``: sf the share of that end's
    distances that are larger; with `symmetric` both at once,
    ``1 - #{x: d(q, x) > d and d(j, x) > d} / n``.

    Notes
    -----
    Deviations are those of the population, without the object itself; one of 0 counts as 1e-7.
    Ties count as not farther. Both ends at once need distances to the same objects: of one square
    matrix, at O(n^3). A fit has a sketch of each item's distances to the bank, about 2 KB, and
    takes the ends as independent, as ``gauss`` does; the report tells its ``rank_error``. An item
    that the fit does not know is measured by distances of all items together.

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
    examples = (
        replace(DISTANCES, params={}),
        replace(DISTANCES, params={"variant": "empirical"}, name="empirical"),
    )

    variant: Literal["gauss", "empirical"] | None = param(
        default=None,
        default_value="gauss",
        affects="statistics",
        help="distances of an end as a normal distribution, or as they are",
    )

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Mean and deviation of every item, or the distribution of its distances."""
        if self.symmetric:
            return {}
        embedded = self.similarity is not None
        if self.variant == "empirical":
            return {"item_quantiles": ItemQuantiles(embedded)}
        return {"item_moments": ItemMoments(embedded)}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the bank's distances to the moments, or the distribution, of every item."""
        if self.variant == "empirical":
            found = item_quantiles_of(self.bank(batch), item_ids(batch))
            return statistics.replace(item_quantiles=_quantiles(statistics).merge(found))
        part = item_moments_of(self.bank(batch), item_ids(batch))
        return statistics.replace(item_moments=_moments(statistics).merge(part))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return mean and deviation of the distances of every item, or their distribution."""
        if self.variant == "empirical":
            return fitted_distributions(_quantiles(statistics))
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
        if self.variant == "empirical":
            unknown = np.nan if self.unknown_item == "raw" else None
            return 1 - _share_farther(lists) * item_survival(distances, fitted, live, unknown)
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


def _share_farther(lists: Ragged) -> Array:
    """Return for each distance the share of its list's that are larger, missing ones left out."""
    found = np.full(len(lists.values), np.nan)
    for start, part in zip(lists.offsets[:-1].tolist(), lists, strict=True):
        ascending = np.sort(part)
        known = len(part) - int(np.count_nonzero(np.isnan(part)))
        at_most = np.searchsorted(ascending[:known], part, side="right")
        share = (known - at_most) / max(known, 1)
        found[start : start + len(part)] = np.where(np.isnan(part), np.nan, share)
    return found


def _moments(statistics: Statistics) -> ItemMoments:
    return cast(ItemMoments, statistics["item_moments"])


def _quantiles(statistics: Statistics) -> ItemQuantiles:
    return cast(ItemQuantiles, statistics["item_quantiles"])
