"""Location and spread of every group as arrays, one row a group."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.labels import Labels
from normalizers.errors import NotEnoughData
from normalizers.statistics import Extrema, Grouped, Moments
from normalizers.statistics.base.stacking import plain_rows
from normalizers.statistics.base.weights import stacked

LEVEL = "level"
# An end that holds every number: fitted arrays hold neither NaN nor infinity.
LARGEST = float(np.finfo(np.float64).max)


class GroupSpreads(NamedTuple):
    """Location and spread of ``g`` groups with ``c`` columns, as their statistics know them.

    Parameters
    ----------
    keys : object array of shape (g, j)
        The labels of each group, in code point order.
    n : int64 array of shape (g, c) or None
        Observed values; None where statistics were posted without.
    loc, spread : array of shape (g, c)
        Mean and deviation, median and interquartile range, ...; NaN where they are undefined.
    constant : boolean array of shape (g, c)
        No spread beyond rounding.
    """

    keys: Array
    n: Array | None
    loc: Array
    spread: Array
    constant: Array

    @property
    def degenerate(self) -> Array:
        """Constant groups of several values: there a spread was possible, shape (g, c)."""
        return self.constant if self.n is None else self.constant & (self.n > 1)

    @property
    def collapsed(self) -> Array:
        """Groups whose spread is 0 although their values differ: quartiles may be equal."""
        flat = ~self.constant & (self.spread == 0)
        return np.asarray(flat if self.n is None else flat & (self.n > 1))


class GroupEnds(NamedTuple):
    """Smallest and largest value of each group, shape (g, c), NaN where not kept."""

    lower: Array
    upper: Array

    def arrays(self) -> dict[str, Array]:
        """Return ``min`` and ``max`` for storage: ends that are not kept hold every number."""
        return {
            "min": np.where(np.isnan(self.lower), -LARGEST, self.lower),
            "max": np.where(np.isnan(self.upper), LARGEST, self.upper),
        }


def group_moments(moments: Grouped[Moments], ddof: int) -> GroupSpreads:
    """Return the moments of the groups that saw columns.

    Raises
    ------
    NotEnoughData
        There is no such group.
    FitError
        Spreads were posted without ``n`` and with another `ddof`.
    """
    if moments.members is not None:
        n, mean, m2 = (moments.members[name] for name in ("n", "mean", "m2"))
        return _counted(moments.table, Moments(n, mean, m2), ddof)
    groups = _seen(moments)
    n = np.stack([group.observed for group in groups.values()])
    mean = np.stack([group.mean for group in groups.values()])
    if all(group.mergeable for group in groups.values()):
        m2 = np.stack([group.m2 for group in groups.values()])
        weights = stacked([group.weights for group in groups.values()])
        return _counted(_table(list(groups)), Moments(n, mean, m2, weights=weights), ddof)
    return GroupSpreads(
        _table(list(groups)),
        None,
        mean,
        np.stack([group.std(ddof) for group in groups.values()]),
        np.stack([group.constant for group in groups.values()]),
    )


def group_ends(extrema: Grouped[Extrema], keys: Array, columns: int) -> GroupEnds:
    """Return the ends of the groups `keys`, NaN for one that the extrema do not know."""
    if np.array_equal(extrema.table, keys) and (
        extrema.members is not None or all(extrema[key].min.size for key in extrema)
    ):
        # The usual case, in one step: the extrema know the very groups.
        stacked = extrema.stacked()
        seen = stacked["n"] > 0 if "n" in stacked else np.isfinite(stacked["min"])
        lower, upper = (np.where(seen, stacked[name], np.nan) for name in ("min", "max"))
        return GroupEnds(lower, upper)
    unknown = Extrema(np.zeros(columns, dtype=np.int64), *np.full((2, columns), np.nan))
    found = [_extrema(extrema, tuple(key), unknown) for key in keys.tolist()]
    return GroupEnds(np.stack([ends.min for ends in found]), np.stack([ends.max for ends in found]))


def group_report(
    table: GroupSpreads, ends: GroupEnds | None, words: tuple[str, str] = ("mean", "std")
) -> list[dict[str, object]]:
    """Return what the fit report says of each group, one entry a column; undefined is None.

    `words` are what location and spread are called.
    """
    unknown = [None] * len(table.keys)
    columns = {
        "keys": table.keys.tolist(),
        "n": unknown if table.n is None else table.n.tolist(),
        words[0]: plain_rows(table.loc),
        words[1]: plain_rows(table.spread),
        "min": unknown if ends is None else plain_rows(ends.lower),
        "max": unknown if ends is None else plain_rows(ends.upper),
        "degenerate": (table.degenerate | table.collapsed).tolist(),
    }
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def level_means(moments: Grouped[Moments]) -> Grouped[Moments]:
    """Return the moments of the level means of each group, every level counted once.

    `moments` are grouped by the group's labels and, last, the level.
    """
    groups = _seen(moments)
    means = [_known_mean(group) for group in groups.values()]
    # Without the label of the level: each level is one row of its group, however many scores it
    # has.
    names = cast("tuple[str, ...]", moments.group_by)[:-1]
    return Grouped(Moments(), names).update(_table(list(groups))[:, :-1], np.stack(means))


def level_labels(qualities: Array) -> Labels:
    """Return the label of each level: its number, whole ones without a point.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.bases.group_moments import level_labels
    >>> level_labels(np.array([1.0, -0.0, 2.5])).rows[:, 0].tolist()
    ['1', '0', '2.5']
    """
    levels, code = np.unique(qualities, return_inverse=True)
    names = [str(int(level)) if level.is_integer() else repr(level) for level in levels.tolist()]
    return Labels.of_distinct(names, code.astype(np.int64))


def _counted(keys: Array, every: Moments, ddof: int) -> GroupSpreads:
    """Return the spreads of counted groups, whose moments are arrays of shape (g, c)."""
    # A group without values has no mean; the 0 that is kept for it must not be averaged.
    known_mean = np.where(every.observed > 0, every.mean, np.nan)
    return GroupSpreads(keys, every.observed, known_mean, every.std(ddof), every.constant)


def _seen(moments: Grouped[Moments]) -> dict[tuple[str, ...], Moments]:
    seen = {key: moments[key] for key in moments if moments[key].mean.size}
    if not seen:
        raise NotEnoughData("no group has any statistics")
    return seen


def _known_mean(group: Moments) -> Array:
    return np.where(group.observed > 0, group.mean, np.nan) if group.mergeable else group.mean


def _extrema(extrema: Grouped[Extrema], key: tuple[str, ...], unknown: Extrema) -> Extrema:
    if key not in extrema or extrema[key].is_empty:
        return unknown
    return extrema[key]


def _table(keys: list[tuple[str, ...]]) -> Array:
    table = np.empty((len(keys), len(keys[0])), dtype=object)
    table[:] = keys
    return table
