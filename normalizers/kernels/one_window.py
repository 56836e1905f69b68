"""The statistics of one window as its next step comes in, in plain Python.

They are the same bits as those of `windows`, which lays whole series out in arrays: for a single
step that costs a hundred times the arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array
from normalizers.kernels.step_moments import LARGEST_UNSCALED, SMALLEST_UNSCALED, StepMoments

# Up to so many values a loop is faster than arrays are made.
MOST_VALUES = 2048


class _Side(NamedTuple):
    origin: float
    mean: float
    m2: float


def next_window(
    lists: Array, window: int, previous: Array, start: int, *, include_current: bool
) -> StepMoments | None:
    """Return the statistics at the one step of a few series; None where arrays must do it.

    Parameters
    ----------
    lists : array of shape (s, 1)
        The step.
    window : int
        Steps in a window.
    previous : array of shape (s, r)
        The steps before, as `windows.carried` returns them.
    start : int
        How many steps there were before.
    include_current : bool
        Whether the window ends with the step, or just before it.

    Notes
    -----
    Sums are added up in the order in which `windows` does. Missing values, windows without a
    value, and those that need a unit of their own are left to it.
    """
    count, steps = lists.shape
    end = start if include_current else start - 1
    if steps != 1 or end < 0 or count * window > MOST_VALUES or not count:
        return None
    size = min(window, end + 1)
    held = np.concatenate([previous, lists], axis=1) if include_current else previous
    if held.shape[1] < size:
        return None
    right = end % window + 1
    found = [_of_window(row[-size:], min(right, size)) for row in held.tolist()]
    if None in found:
        return None
    known = [each for each in found if each is not None]
    mean, m2 = (np.array([[each[place]] for each in known]) for place in (0, 1))
    constant = np.array([[each[2]] for each in known])
    whole = np.full((count, 1), size, dtype=np.int64)
    return StepMoments(whole, mean, m2, np.zeros((count, 1), dtype=np.int64), constant)


def _of_window(values: Sequence[float], right: int) -> tuple[float, float, bool] | None:
    """Return mean, second moment and whether all are equal; `right` values are of the last block.

    Nothing where a value is missing, or squares would leave the range.
    """
    lowest, highest = min(values), max(values)
    largest = max(-lowest, highest)
    # A missing value may stand anywhere: it is not found by its size.
    if any(map(isnan, values)) or largest > LARGEST_UNSCALED or 0 < largest < SMALLEST_UNSCALED:
        return None
    if lowest == highest:
        return values[-1] + 0.0, 0.0, True
    after = _running(values[len(values) - right :])
    left = len(values) - right
    if not left:
        return after.origin + after.mean, after.m2, False
    before = _running(values[left - 1 :: -1])
    share = right / (left + right)
    shift = after.origin - before.origin
    shift += after.mean - before.mean
    mean = before.origin + (before.mean + shift * share)
    shift *= shift
    shift *= left * share
    shift += before.m2 + after.m2
    return mean, shift, False


def _running(values: Sequence[float]) -> _Side:
    """Return the statistics of values, told from the first."""
    origin = values[0] + 0.0
    total = mean = m2 = 0.0
    for place, value in enumerate(values, 1):
        deviation = value - origin
        shift = deviation - mean
        total += deviation
        mean = total / place
        # sum (x - mean)^2 grows by (x - mean before)^2 (n - 1) / n with each value.
        m2 += shift * shift * ((place - 1) / place)
    return _Side(origin, mean, m2)
