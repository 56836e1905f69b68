"""Rolling statistics, built only by merging: nothing that leaves a window is ever subtracted.

The steps are laid out in blocks as long as the window, counted from the series' first step. A
window is the end of one block and the beginning of the next, so that one merge of running
statistics from both sides gives it, whatever its length. A spike leaves no trace once it has
left the window, and as the blocks are counted from the first step, a window's numbers are the
same bits however the series is cut into chunks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array
from normalizers.kernels.one_window import next_window
from normalizers.kernels.step_moments import (
    LARGEST_UNSCALED,
    SMALLEST_UNSCALED,
    StepMoments,
    unit_exponents,
    units_of,
)
from normalizers.kernels.window_blocks import Blocks, lay_out, taken_at

# Values whose arrays stay in a processor's cache while they are worked on.
CACHED = 1 << 15


class Side(NamedTuple):
    """Running statistics of the steps of each block up to each of them, from one of its ends.

    ``mean`` is told from `origin`, a value among them, so that no digit of a deviation is lost.
    """

    origin: Array
    mean: Array
    m2: Array


def rolling(
    lists: Array,
    window: int,
    previous: Array | None = None,
    *,
    start: int | None = None,
    include_current: bool = True,
) -> StepMoments:
    """Return count, mean, second moment and ends of the last `window` steps at each step.

    Parameters
    ----------
    lists : float64 array of shape (s, t)
        Steps of `s` series; NaN is missing.
    window : int
        Steps in a window, at least 1.
    previous : array of shape (s, r), optional
        The steps before `lists`, as :func:`carried` returns them.
    start : int, optional
        How many steps there were before `lists`; by default those of `previous`.
    include_current : bool
        Whether the window of a step ends with it, or just before it.

    Returns
    -------
    StepMoments

    Notes
    -----
    Bit-identical for any chunking when `previous` holds the last ``window - 1`` steps
    (``window`` without the current one). A window whose values are all below 1e-100 or reach
    beyond 1e100 in size is computed on values scaled by 2^600 or 2^-600: the choice follows
    from the window alone. Cost O(s (t + window)), independent of the window for long series.

    References
    ----------
    Chan, Golub, LeVeque: Algorithms for computing the sample variance, 1983.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.windows import rolling
    >>> series = np.array([[1.3e17, 1.995e3, 1.99e3]])
    >>> rolling(series, 2).std(ddof=1)[0, 2].round(6).tolist()
    3.535534
    """
    before = np.empty((len(lists), 0)) if previous is None else previous
    begun = before.shape[1] if start is None else start
    one = next_window(lists, window, before, begun, include_current=include_current)
    if one is not None:
        return one
    width = max(1, CACHED // (window + lists.shape[1]))
    steps = max(CACHED, 4 * window)
    parts = []
    for first in range(0, max(len(lists), 1), width):
        chosen = slice(first, first + width)
        parts.append(_pieces(lists[chosen], window, before[chosen], begun, include_current, steps))
    return StepMoments(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def carried(
    lists: Array, window: int, previous: Array | None = None, *, include_current: bool = True
) -> Array:
    """Return the steps that the next chunk needs as `previous`, missing ones included."""
    steps = lists if previous is None else np.concatenate([previous, lists], axis=1)
    needed = window - 1 if include_current else window
    return np.array(steps[:, max(0, steps.shape[1] - needed) :], dtype=np.float64)


def _pieces(
    lists: Array, window: int, previous: Array, start: int, current: bool, steps: int
) -> StepMoments:
    """Return the statistics of a few series, piece by piece in time: chunks change no bit."""
    parts = []
    for first in range(0, max(lists.shape[1], 1), steps):
        piece = lists[:, first : first + steps]
        parts.append(_piece(piece, window, previous, start + first, current))
        previous = carried(piece, window, previous, include_current=current)
    if len(parts) == 1:
        return parts[0]
    return StepMoments(*(np.concatenate(arrays, axis=1) for arrays in zip(*parts, strict=True)))


def _piece(lists: Array, window: int, previous: Array, start: int, current: bool) -> StepMoments:
    # 0 and -0 are one value: what is made of them must not tell which of them came first.
    steps = np.concatenate([previous, lists], axis=1) + 0.0
    missing = np.isnan(steps)
    seen = ~missing if missing.any() else None
    last = previous.shape[1] - (0 if current else 1)
    constant, value = _constant(steps, seen, window, last, lists.shape[1])
    blocks = lay_out(steps, seen, window, start - previous.shape[1], last, lists.shape[1])
    n_left, n_right = blocks.counts()
    n = n_left + n_right
    mean, m2 = _moments(blocks, n_left, n_right)
    exponent = _exponents(blocks)
    for unit in units_of(exponent):
        scaled_mean, scaled_m2 = _moments(blocks.scaled(-unit), n_left, n_right)
        here = exponent == unit
        mean = np.where(here, np.ldexp(scaled_mean, np.where(here, unit, 0)), mean)
        m2 = np.where(here, scaled_m2, m2)
    counts = np.broadcast_to(n, mean.shape).astype(np.int64)
    if constant.any():
        # Merged means of equal values may be rounded; without the where they had a spread.
        mean, m2 = np.where(constant, value, mean), np.where(constant, 0.0, m2)
    return StepMoments(counts, np.where(counts > 0, mean, 0.0), m2, exponent, constant)


def _moments(blocks: Blocks, n_left: Array, n_right: Array) -> tuple[Array, Array]:
    """Return mean and second moment of each window."""
    with np.errstate(over="ignore", invalid="ignore"):
        values, observed = blocks.values, blocks.observed
        right = Side(*(blocks.ending(part) for part in _running(values, observed)))
        mean = right.origin + right.mean
        if not blocks.halved.any():
            return mean, right.m2
        mirrored = None if observed is None else observed[:, :, ::-1]
        backwards = _running(values[:, :, ::-1], mirrored)
        left = Side(*(blocks.beginning(part[:, :, ::-1]) for part in backwards))
        share = n_right / np.maximum(n_left + n_right, 1)
        # Each mean is told from an origin of its own.
        shift = right.origin - left.origin
        shift += right.mean - left.mean
        merged = left.origin + (left.mean + shift * share)
        shift *= shift
        shift *= n_left * share
        shift += left.m2 + right.m2
        if observed is not None:
            left_alone = n_right == 0
            merged = np.where(left_alone, left.origin + left.mean, merged)
            shift = np.where(left_alone, left.m2, shift)
        right_alone = n_left == 0
        return np.where(right_alone, mean, merged), np.where(right_alone, right.m2, shift)


def _running(values: Array, observed: Array | None) -> Side:
    """Return the statistics of the steps of each block up to each of them."""
    if observed is None:
        counts = np.arange(1.0, values.shape[2] + 1)
        origin = values[:, :, :1]
        deviations = values - origin
    else:
        counts = np.maximum(np.cumsum(observed, axis=2, dtype=np.float64), 1)
        first = np.argmax(observed, axis=2)[:, :, None]
        origin = np.where(observed.any(axis=2, keepdims=True), _taken(values, first), 0.0)
        deviations = np.where(observed, values - origin, 0.0)
    mean = np.cumsum(deviations, axis=2)
    mean /= counts
    # sum (x - mean)^2 grows by (x - mean before)^2 (n - 1) / n with each value.
    deviations[:, :, 1:] -= mean[:, :, :-1]
    deviations *= deviations
    deviations *= (counts - 1) / counts
    if observed is not None:
        deviations[~observed] = 0.0
    return Side(
        np.broadcast_to(origin, mean.shape), mean, np.cumsum(deviations, axis=2, out=deviations)
    )


def _taken(values: Array, places: Array) -> Array:
    return np.take_along_axis(values, places, axis=2)


def _constant(
    steps: Array, seen: Array | None, window: int, last: int, count: int
) -> tuple[Array, Array]:
    """Return which windows hold one value only, and the last value of each."""
    places = np.arange(steps.shape[1])
    if seen is None:
        latest = np.broadcast_to(places, steps.shape)
        values = steps
    else:
        latest = np.maximum.accumulate(np.where(seen, places, -1), axis=1)
        values = np.take_along_axis(steps, np.maximum(latest, 0), axis=1)
    # The last step at which another value stood; a window that begins after it holds one value.
    other = np.full(steps.shape, -1)
    changed = values[:, 1:] != values[:, :-1]
    if seen is not None:
        changed &= seen[:, 1:] & (latest[:, :-1] >= 0)
    other[:, 1:] = np.where(changed, latest[:, :-1], -1)
    np.maximum.accumulate(other, axis=1, out=other)
    begins = np.arange(last - window + 1, last - window + 1 + count)
    filled = taken_at(latest[:, None], last, count, -1) >= np.maximum(begins, 0)
    return filled & (taken_at(other[:, None], last, count, -1) < begins.clip(0)), taken_at(
        values[:, None], last, count
    )


def _exponents(blocks: Blocks) -> Array:
    """Return the exponent of the unit of each window, which its largest size says."""
    sizes = np.abs(blocks.values)
    if blocks.observed is not None:
        sizes[~blocks.observed] = 0.0
    small = (sizes < SMALLEST_UNSCALED) & (sizes > 0)
    if not small.any() and not (sizes > LARGEST_UNSCALED).any():
        return np.zeros((len(sizes), blocks.count), dtype=np.int64)
    largest = blocks.ending(np.maximum.accumulate(sizes, axis=2))
    if blocks.halved.any():
        backwards = np.maximum.accumulate(sizes[:, :, ::-1], axis=2)[:, :, ::-1]
        before = blocks.beginning(backwards)
        largest = np.maximum(largest, np.where(blocks.halved, before, 0.0))
    return unit_exponents(largest)
