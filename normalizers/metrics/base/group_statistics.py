"""Posted moments and ranges of groups: both must be of the same rows."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput, ShapeError
from normalizers.messages import quoted_key
from normalizers.statistics import Extrema, Grouped, Moments
from normalizers.statistics.base.magnitude import rounding_bound
from normalizers.statistics.base.stacked_groups import Key
from normalizers.statistics.both_ends import PRINTED, mean_near_an_end, spread_too_small

# A sum of squared deviations is at most n (max - min)^2 / 4, by Popoviciu's inequality.
POPOVICIU = 4.0


def require_same_rows(
    moments: Grouped[Moments], extrema: Grouped[Extrema], path: str, *, by_level: bool = False
) -> None:
    """Refuse ranges that are not those of the rows behind the moments.

    Parameters
    ----------
    moments : Grouped
        By group, or by group and level.
    extrema : Grouped
        By group; without groups they are not known.
    path : str
        Where both stand.
    by_level : bool
        Whether the last label of the moments is a level; rows without one are in the range alone.
    """
    if extrema.is_empty or moments.is_empty:
        return
    held = {key: key[:-1] if by_level else key for key in moments}
    _require_same_keys(set(held.values()), extrema, path, by_level=by_level)
    for key, group in held.items():
        if moments[key].mean.size and extrema[group].min.size:
            _require_within(moments[key], extrema[group], group, path)
    if not by_level:
        for key in moments:
            _require_both_ends(moments[key], extrema[key], key, path)
    if extrema.mergeable and moments.mergeable:
        _require_same_n(moments, extrema, held, path, by_level=by_level)


def _require_same_keys(
    known: set[Key], extrema: Grouped[Extrema], path: str, *, by_level: bool
) -> None:
    ranges = set(extrema)
    lacking = sorted(known - ranges) or ([] if by_level else sorted(ranges - known))
    if lacking:
        without = "extrema" if lacking[0] in known else "moments"
        raise InvalidInput(
            f"the group {quoted_key(lacking[0])} has no {without}: moments and extrema are "
            "of the same groups",
            path=f"{path}.{without}",
        )


def _require_within(moments: Moments, extrema: Extrema, group: Key, path: str) -> None:
    if moments.mean.shape != extrema.min.shape:
        raise ShapeError("moments and extrema have other columns", path=f"{path}.extrema")
    seen = ~np.isnan(extrema.min) & ((moments.observed > 0) | (not moments.mergeable))
    low, high = np.where(seen, extrema.min, 0.0), np.where(seen, extrema.max, 0.0)
    # Ends and mean may each have been printed with fewer digits.
    slack = PRINTED * np.maximum(np.abs(low), np.abs(high))
    outside = seen & ((moments.mean < low - slack) | (moments.mean > high + slack))
    _refuse(outside, f"the mean of {quoted_key(group)} is outside its range", f"{path}.moments")
    with np.errstate(over="ignore", invalid="ignore"):
        # An infinite bound allows every spread.
        widest = (high - low + slack) ** 2 / POPOVICIU * moments.mass
    spread = seen & (moments.m2 > widest + rounding_bound(moments.mass, moments.mean))
    message = f"the spread of {quoted_key(group)} is larger than its range allows"
    _refuse(spread, message, f"{path}.moments")


def _require_both_ends(moments: Moments, extrema: Extrema, group: Key, path: str) -> None:
    """Refuse counted moments of rows that cannot hold both ends of their range."""
    if not (moments.mergeable and moments.mean.size and extrema.min.size):
        return
    if moments.weights.is_weighted:
        return  # both ends may have next to no weight
    seen = ~np.isnan(extrema.min) & (moments.observed > 0)
    message = f"the mean of {quoted_key(group)} is too near an end: both ends are of its rows"
    _refuse(seen & mean_near_an_end(moments, extrema), message, f"{path}.moments.mean")
    message = f"m2 of {quoted_key(group)} is below (max - min)^2 / 2, and both ends are of its rows"
    _refuse(seen & spread_too_small(moments, extrema), message, f"{path}.moments.m2")


def _require_same_n(
    moments: Grouped[Moments],
    extrema: Grouped[Extrema],
    held: dict[Key, Key],
    path: str,
    *,
    by_level: bool,
) -> None:
    counted: dict[Key, Array] = {}
    for key, group in held.items():
        counted[group] = counted.get(group, np.asarray(0)) + _observed(moments[key].observed)
    for group, n in counted.items():
        ranged = _observed(extrema[group].observed)
        # Rows without a quality are in the range and in no level.
        other = n > ranged if by_level else n != ranged
        _refuse(other, f"n of {quoted_key(group)} is another in moments", f"{path}.extrema.n")


def _observed(n: Array) -> Array:
    return n if n.size else np.zeros(1, dtype=np.int64)


def _refuse(wrong: Array, message: str, path: str) -> None:
    if np.any(wrong):
        raise InvalidInput(message, path=path)
