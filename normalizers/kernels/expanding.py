"""Statistics of everything up to each step, carried on in any chunks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from normalizers.data.arrays import Array
from normalizers.kernels.recurrences import shifted
from normalizers.kernels.step_moments import StepMoments, unit_exponents, units_of


def expanding_ends(lists: Array, before: Mapping[str, Array]) -> tuple[Array, Array]:
    """Return the lowest and the highest value up to each step, NaN before the first."""
    lowest = np.fmin.accumulate(np.column_stack([before["lowest"], lists]), axis=1)
    highest = np.fmax.accumulate(np.column_stack([before["highest"], lists]), axis=1)
    return lowest[:, 1:], highest[:, 1:]


def expanding_counts(lists: Array, n: Array) -> Array:
    """Return how many values were observed up to each step, `n` of them before."""
    return np.asarray(n[:, None] + np.cumsum(~np.isnan(lists), axis=1))


def expanding_moments(
    lists: Array, before: Mapping[str, Array], *, include_current: bool = True
) -> tuple[StepMoments, dict[str, Array]]:
    """Return the statistics at every step, and what is carried on.

    Parameters
    ----------
    lists : array of shape (s, t)
        NaN is missing.
    before : mapping
        ``n``, ``origin`` (the first value), ``total`` (the sum of differences to it), ``m2``,
        ``lowest`` and ``highest``, each of shape (s,); `total` and `m2` in the unit that the
        ends say, see :class:`StepMoments`.
    include_current : bool
        Whether the statistics of a step contain it.

    Notes
    -----
    ``m2 <- m2 + (x - mean)^2 (n - 1) / n``, with means told from the first value, so that an
    offset costs no digit. Sums go on one by one: chunks change no bit. Cost O(s t).
    """
    lists = lists + 0.0
    seen = ~np.isnan(lists)
    n = expanding_counts(lists, before["n"])
    lowest, highest = expanding_ends(lists, before)
    exponent = unit_exponents(_largest(lowest, highest))
    unit = unit_exponents(_largest(before["lowest"], before["highest"]))
    origin = before["origin"]
    if lists.shape[1]:
        first = lists[np.arange(len(lists)), np.argmax(seen, axis=1)]
        origin = np.where((before["n"] == 0) & seen.any(axis=1), first, origin)
    begun = {**before, "origin": origin, "n": before["n"]}
    mean, total, m2 = _sums(lists, seen, n, begun, unit, 0)
    for power in units_of(exponent):
        here = exponent == power
        scaled = _sums(lists, seen, n, begun, unit, power)
        mean, total, m2 = (
            np.where(here, there, plain)
            for there, plain in zip(scaled, (mean, total, m2), strict=True)
        )
    constant = lowest == highest
    mean = np.where(n > 0, np.where(constant, lowest, mean), 0.0)
    found = StepMoments(n.astype(np.int64), mean, np.where(constant, 0.0, m2), exponent, constant)
    ends = {"n": n, "total": total, "m2": m2, "lowest": lowest, "highest": highest}
    after = {
        "origin": origin,
        **{name: part[:, -1] if part.shape[1] else before[name] for name, part in ends.items()},
    }
    return (found if include_current else _before(found, before, unit)), after


def _sums(
    lists: Array, seen: Array, n: Array, before: Mapping[str, Array], unit: Array, power: int
) -> tuple[Array, Array, Array]:
    """Return mean, sum of differences to the origin, and m2 in the unit of a power of two."""
    origin = before["origin"][:, None]
    counts = np.maximum(n, 1)
    # What leaves the range here belongs to steps that another unit answers.
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        origins = np.ldexp(origin, -power)
        apart = np.where(seen, np.ldexp(lists, -power) - origins, 0.0)
        start = np.ldexp(before["total"], unit - power)
        total = np.cumsum(np.column_stack([start, apart]), axis=1)[:, 1:]
        means = total / counts
        earlier = shifted(means, start / np.maximum(before["n"], 1))
        shift = np.where(seen, apart - earlier, 0.0)
        added = shift * shift * ((counts - 1) / counts)
        start = np.ldexp(before["m2"], 2 * (unit - power))
        m2 = np.cumsum(np.column_stack([start, added]), axis=1)[:, 1:]
        return np.ldexp(origins + means, power), total, m2


def _before(found: StepMoments, before: Mapping[str, Array], unit: Array) -> StepMoments:
    """Return the statistics of the step before each."""
    n, constant = before["n"], before["lowest"] == before["highest"]
    with np.errstate(over="ignore"):
        apart = np.ldexp(before["total"] / np.maximum(n, 1), unit)
        mean = np.ldexp(np.ldexp(before["origin"], -unit) + np.ldexp(apart, -unit), unit)
    mean = np.where(n > 0, np.where(constant, before["lowest"], mean), 0.0)
    start = (n.astype(np.int64), mean, np.where(constant, 0.0, before["m2"]), unit, constant)
    return StepMoments(*(shifted(part, first) for part, first in zip(found, start, strict=True)))


def _largest(lowest: Array, highest: Array) -> Array:
    return np.nan_to_num(np.maximum(np.abs(lowest), np.abs(highest)))
