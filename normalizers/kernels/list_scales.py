"""What a list's own scores are measured by: their range, deviation, sum or length.

Lists are shifted and scaled by a power of two first, so that no square overflows or underflows
and an offset shared by all scores of a list costs no digits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.kernels import segments


class Scaled(NamedTuple):
    """Values in units of what their list was measured by.

    Parameters
    ----------
    values : array of shape (N,)
        ``(x - loc) / scale``; 0 in a list whose scale is 0.
    loc, scale : array of shape (q,)
        By list; an empty list has 0 and 0. The scale is infinite where it is no float64.
    """

    values: Array
    loc: Array
    scale: Array


def standard_scores(lists: Ragged, ddof: int = 0) -> Scaled:
    """Return values in deviations from the mean of their list.

    Parameters
    ----------
    lists : Ragged
        Finite values.
    ddof : {0, 1}
        The variance is the sum of squares over ``n - ddof``.

    Notes
    -----
    A list whose maximum equals its minimum has scale 0 exactly. Cost O(N).

    Examples
    --------
    >>> from normalizers.kernels.list_scales import standard_scores
    >>> from normalizers.data.ragged import Ragged
    >>> standard_scores(Ragged.of([[1e300, 3e300], [1e15, 1e15 + 1], [0.1]])).values.tolist()
    [-1.0, 1.0, -1.0, 1.0, 0.0]
    """
    units, lowest, exponent = _unit_ranges(lists)
    moments = segments.centred_moments(units)
    std = np.nan_to_num(moments.std(ddof))
    divisor = segments.broadcast(np.where(std > 0, std, 1.0), lists)
    z = (units.values - segments.broadcast(moments.mean, lists)) / divisor
    with np.errstate(over="ignore"):
        # Halves: mean 2^exponent may be up to 2 max where its sum with the lowest value is in
        # range. Without a spread 2 (lowest / 2) could lose the last bit of a subnormal number.
        loc = 2 * (lowest / 2 + np.ldexp(moments.mean, exponent - 1))
        return Scaled(z, np.where(std > 0, loc, lowest), np.ldexp(std, exponent))


def shares_of_sum(lists: Ragged) -> Scaled:
    """Return each value's share of the sum of its list, counted from the smallest value.

    Examples
    --------
    >>> from normalizers.kernels.list_scales import shares_of_sum
    >>> from normalizers.data.ragged import Ragged
    >>> shares_of_sum(Ragged.of([[1.0, 2.0, 4.0], [7.0]])).values.tolist()
    [0.0, 0.25, 0.75, 0.0]
    """
    units, lowest, exponent = _unit_ranges(lists)
    total = segments.sums(units)
    shares = units.values / segments.broadcast(np.where(total > 0, total, 1.0), lists)
    with np.errstate(over="ignore"):
        return Scaled(shares, lowest, np.ldexp(total, exponent))


def unit_length(lists: Ragged) -> Scaled:
    """Return the values of each list divided by its Euclidean length.

    Examples
    --------
    >>> from normalizers.kernels.list_scales import unit_length
    >>> from normalizers.data.ragged import Ragged
    >>> unit_length(Ragged.of([[3e300, 4e300], [0.0]])).values.tolist()
    [0.6, 0.8, 0.0]
    """
    magnitude = segments.maxima(lists.with_values(np.abs(lists.values)))
    # In units of the largest, squares are within 0..1: none overflows, and those that vanish are
    # below 1e-300 of the sum.
    exponent = np.frexp(np.nan_to_num(magnitude))[1]
    scaled = np.ldexp(lists.values, -segments.broadcast(exponent, lists))
    length = np.sqrt(segments.sums(lists.with_values(scaled * scaled)))
    values = scaled / segments.broadcast(np.where(length > 0, length, 1.0), lists)
    with np.errstate(over="ignore"):
        return Scaled(values, np.zeros(len(lists)), np.ldexp(length, exponent))


def _unit_ranges(lists: Ragged) -> tuple[Ragged, Array, Array]:
    """Return ``(x - lowest) / 2 ** exponent`` within 0..1, the lowest value and the exponent."""
    lowest, highest = (np.nan_to_num(end(lists)) for end in (segments.minima, segments.maxima))
    with np.errstate(over="ignore"):
        # Only a range beyond the largest float is halved: half of a subnormal loses its last bit.
        wide = np.isinf(highest - lowest).astype(np.int64)
    halves = segments.broadcast(wide, lists)
    low = segments.broadcast(lowest, lists)
    shifted = np.ldexp(lists.values, -halves) - np.ldexp(low, -halves)
    width = np.ldexp(highest, -wide) - np.ldexp(lowest, -wide)
    exponent = np.frexp(width)[1]
    units = np.ldexp(shifted, -segments.broadcast(exponent, lists))
    return lists.with_values(units), lowest, exponent + wide
