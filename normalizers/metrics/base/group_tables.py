"""Location and spread of every group from its range, or from its quantiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from normalizers.bases.group_moments import GroupEnds, GroupSpreads
from normalizers.data.arrays import Array
from normalizers.errors import NotEnoughData
from normalizers.statistics import Extrema, Grouped, Quantiles
from normalizers.statistics.base.stacked_groups import Key


def range_spreads(extrema: Grouped[Extrema]) -> GroupSpreads:
    """Return the smallest value of each group, and the width of its range."""
    groups = {key: extrema[key] for key in extrema if extrema[key].min.size}
    _require(groups)
    lower = np.stack([group.min for group in groups.values()])
    upper = np.stack([group.max for group in groups.values()])
    counted = all(group.mergeable for group in groups.values())
    n = np.stack([group.observed for group in groups.values()]) if counted else None
    return GroupSpreads(key_table(groups), n, lower, upper - lower, lower == upper)


def quantile_spreads(
    quantiles: Grouped[Quantiles], location: float | None, ends: tuple[float, float]
) -> GroupSpreads:
    """Return a quantile of each group, and how far two others are apart.

    Parameters
    ----------
    quantiles : Grouped
        By group.
    location : float, optional
        Which quantile, 0..1; None for 0.
    ends : tuple of float
        Which two others, 0..1.
    """
    groups = {key: quantiles[key] for key in quantiles if quantiles[key].width}
    _require(groups)
    wanted = np.array([0.5 if location is None else location, *ends])
    found = np.stack([group.quantile(wanted) for group in groups.values()])
    lower, upper = zip(*(group.ends() for group in groups.values()), strict=True)
    counted = all(group.mergeable for group in groups.values())
    n = np.stack([group.observed for group in groups.values()]) if counted else None
    flat = np.stack(lower) == np.stack(upper)
    loc = np.zeros_like(found[:, 0]) if location is None else found[:, 0]
    return GroupSpreads(key_table(groups), n, loc, found[:, 2] - found[:, 1], flat)


def quantile_ends(quantiles: Grouped[Quantiles], keys: Array) -> GroupEnds:
    """Return the ends of each group."""
    found = [quantiles[tuple(key)].ends() for key in keys.tolist()]
    lower, upper = zip(*found, strict=True)
    return GroupEnds(np.stack(lower), np.stack(upper))


def key_table(keys: object) -> Array:
    """Return keys, tuples of labels, as an object array of shape (g, j)."""
    rows = list(cast("Sequence[Key]", keys))
    table = np.empty((len(rows), len(rows[0])), dtype=object)
    table[:] = rows
    return table


def _require(groups: object) -> None:
    if not groups:
        raise NotEnoughData("no group has any statistics")
