"""The empirical distribution function: share below a value, and back.

A sample is its distinct values, ascending, with their counts; a curve is stored quantiles,
``p`` ascending and ``v`` non-decreasing.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import FitError, InvalidParams
from normalizers.kernels.lines import between, share_between
from normalizers.messages import did_you_mean

Kind: TypeAlias = Literal["strict", "weak", "mean", "rank"]


def share_below(values: Array, counts: Array, x: Array, kind: Kind = "mean") -> Array:
    """Return the share of the sample below each `x`.

    With ``lt`` values below and ``le`` values not above, of ``n``: ``strict`` lt/n, ``weak``
    le/n, ``mean`` (lt + le)/(2n), ``rank`` (lt + le + 1)/(2n) where x occurs, else lt/n.

    Parameters
    ----------
    values : array of shape (k,)
        Distinct, ascending.
    counts : int64 array of shape (k,)
        How often each occurs.
    x : array of any shape
        NaN is missing.
    kind : {"strict", "weak", "mean", "rank"}
        What equal values get.

    Returns
    -------
    array of the shape of `x`
        NaN where `x` is missing or the sample is empty.

    Notes
    -----
    Equal values get equal shares. Cost O(k + m log k).

    References
    ----------
    ``scipy.stats.percentileofscore``, whose words the kinds are.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.ecdf import share_below
    >>> share_below(np.array([0.5, 0.9]), np.array([3, 1]), np.array([0.5, 1.0]), "weak").tolist()
    [0.75, 1.0]
    """
    wanted = np.asarray(x, dtype=np.float64)
    if not len(values):
        _require_kind(kind)
        return np.full(wanted.shape, np.nan)
    cumulative = cumulated(counts)
    return shares(*rank_counts(values, cumulative, wanted), cumulative[-1], wanted, kind)


def cumulated(counts: Array) -> Array:
    """Return how many values of a sample come before each distinct one, and its size at the end."""
    cumulative = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=cumulative[1:])
    return cumulative


def rank_counts(values: Array, cumulative: Array, x: Array) -> tuple[Array, Array]:
    """Return how many values of the sample are below each `x`, and how many are not above it.

    `cumulative` are the :func:`cumulated` counts of the distinct `values`, of which there are some.
    """
    # So many distinct values are below x; where x is the next one, the sum behind it counts x too.
    # Clipped, for beyond the last value nothing equals x, nor does NaN anywhere.
    place = np.searchsorted(values, x)
    occurs = values.take(place, mode="clip") == x
    return cumulative[place], cumulative[place + occurs]


def shares(below: Array, not_above: Array, n: Array | int, x: Array, kind: Kind) -> Array:
    """Return the share below each `x`, NaN where it is missing; see :func:`share_of`."""
    share = share_of(below, not_above, n, kind)
    share[np.isnan(x)] = np.nan
    return share


def share_of(below: Array, not_above: Array, n: Array | int, kind: Kind = "mean") -> Array:
    """Return the share below a value with `below` of `n` values under it, `not_above` up to it."""
    match kind:
        case "strict":
            return np.asarray(below / n)
        case "weak":
            return np.asarray(not_above / n)
        case "mean":
            # Whole numbers are added and divided once: one rounding, whatever n.
            return np.asarray((below + not_above) / (2 * n))
        case "rank":
            return np.asarray((below + not_above + (not_above > below)) / (2 * n))
        case _:
            raise _unknown_kind(kind)


def quantile(values: Array, counts: Array, p: Array) -> Array:
    """Return the quantiles of the sample, linear between order statistics as NumPy's default.

    Parameters
    ----------
    values, counts : array of shape (k,)
        Distinct values, ascending, and how often each occurs.
    p : array of any shape
        Probabilities, 0..1.

    Returns
    -------
    array of the shape of `p`
        NaN where the sample is empty.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.ecdf import quantile
    >>> quantile(np.array([1.0, 5.0]), np.array([3, 1]), np.array([0.5, 0.75, 1.0])).tolist()
    [1.0, 2.0, 5.0]
    """
    probabilities = np.asarray(p, dtype=np.float64)
    if not len(values):
        return np.full(probabilities.shape, np.nan)
    cumulative = np.cumsum(counts)
    # Place p (n - 1) among the sorted values (Hyndman and Fan's type 7); the value there is the
    # first whose cumulative count exceeds it.
    place = probabilities * (cumulative[-1] - 1)
    index = np.floor(place).astype(np.int64)
    left = values[np.searchsorted(cumulative, index, side="right")]
    right = values[
        np.searchsorted(cumulative, np.minimum(index + 1, cumulative[-1] - 1), side="right")
    ]
    return between(left, right, place - index)


def curve_share(p: Array, v: Array, x: Array, kind: Kind = "mean", n: int | None = None) -> Array:
    """Return the share below each `x` by stored quantiles, linear between them.

    Where several p share a v the curve jumps: ``strict`` gives the low end, ``weak`` the high
    end, ``mean`` the middle and ``rank`` the middle + 1/(2n) at a stored v. Beyond the ends it
    gives the end p.

    Parameters
    ----------
    p : array of shape (k,)
        Probabilities, ascending.
    v : array of shape (k,)
        Their quantiles, non-decreasing.
    x : array of any shape
        NaN is missing.
    kind : {"strict", "weak", "mean", "rank"}
        What a stored v gets.
    n : int, optional
        Size of the sample behind the curve, needed by ``rank``.

    Raises
    ------
    FitError
        ``rank`` without `n`.
    """
    _require_kind(kind)
    if kind == "rank" and n is None:
        raise FitError("kind 'rank' needs the 'n' of the stored quantiles")
    wanted = np.asarray(x, dtype=np.float64)
    first, after = (np.searchsorted(v, wanted, side=side) for side in ("left", "right"))
    # The v that equal x stand at first .. after - 1, and the curve jumps from the p of the first to
    # that of the last; clipped for an x beyond all v, which takes neither.
    low, high = p[np.minimum(first, len(p) - 1)], p[np.maximum(after - 1, 0)]
    step = 0.0 if n is None else 1 / (2 * n)
    stored = {"strict": low, "weak": high, "mean": (low + high) / 2}.get(
        kind, (low + high) / 2 + step
    )
    share = np.where(after > first, stored, _interpolated(v, p, wanted, first))
    return np.where(np.isnan(wanted), np.nan, share)


def curve_quantile(p: Array, v: Array, probabilities: Array) -> Array:
    """Return the quantiles of a stored curve, linear between its points, constant beyond.

    NaN is missing.
    """
    wanted = np.asarray(probabilities, dtype=np.float64)
    after = np.searchsorted(p, wanted, side="left")
    stored = v[np.minimum(after, len(p) - 1)]
    # A stored p answers its own v: the line through it would be rounded.
    exact = p[np.minimum(after, len(p) - 1)] == wanted
    between_knots = _interpolated(p, v, wanted, after)
    return np.where(np.isnan(wanted), np.nan, np.where(exact, stored, between_knots))


def _interpolated(knots: Array, heights: Array, x: Array, after: Array) -> Array:
    """Return the line between the knots on both sides of `x`; `after` is the right one's index."""
    right = np.clip(after, 0, len(knots) - 1)
    left = np.clip(after - 1, 0, len(knots) - 1)
    share = share_between(x, knots[left], knots[right])
    # Beyond the ends both are the same knot, and the share is 0 / 0.
    return np.where(left == right, heights[left], between(heights[left], heights[right], share))


def _require_kind(kind: str) -> None:
    if kind not in get_args(Kind):
        raise _unknown_kind(kind)


def _unknown_kind(kind: str) -> InvalidParams:
    known = get_args(Kind)
    return InvalidParams(
        f"kind '{kind}' is not one of {', '.join(known)}{did_you_mean(kind, known)}", path="kind"
    )
