"""Rolling statistics, built only by merging blocks of 1, 2, 4, ... steps.

A window of ``w`` steps is the union of one block for each binary digit of ``w``. Nothing is
ever subtracted, so a spike leaves no trace once it has left the window, and a window's numbers
depend on its own steps alone: they are the same bits however the series is cut into chunks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from normalizers.data.arrays import Array

Block: TypeAlias = tuple[Array, ...]
Combine: TypeAlias = Callable[[Block, Block], Block]

LARGEST_UNSCALED = 1e100  # sums of its squares are finite
SMALLEST_UNSCALED = 1e-100  # squares of rounding errors of it are normal floats
SCALING = 600  # binary places that bring the ends of float64 within those bounds


class Rolling(NamedTuple):
    """Statistics of the window that ends at each step.

    Parameters
    ----------
    n : int64 array of shape (t, s)
        Observed values in the window.
    mean : array of shape (t, s)
        Their mean, 0 where there is none.
    m2 : array of shape (t, s)
        Sum of squared deviations in units of ``2 ** (2 exponent)``; exactly 0 for a constant.
    exponent : integer array of shape (t, s)
        600 where the window reaches beyond 1e100 in size, -600 where all of it is below 1e-100,
        else 0.
    min, max : array of shape (t, s)
        Ends of the window, NaN where it is empty.
    """

    n: Array
    mean: Array
    m2: Array
    exponent: Array
    min: Array
    max: Array

    @property
    def constant(self) -> Array:
        """Which windows have a maximum equal to their minimum, shape (t, s)."""
        return np.asarray(self.min == self.max)

    def std(self, ddof: int = 0) -> Array:
        """Return the standard deviation of each window; NaN where ``n <= ddof``."""
        freedom = np.where(self.n > ddof, self.n - ddof, 1)
        deviation = np.ldexp(np.sqrt(self.m2 / freedom), self.exponent)
        return np.where(self.n > ddof, deviation, np.nan)


def rolling(
    rows: Array, window: int, previous: Array | None = None, *, include_current: bool = True
) -> Rolling:
    """Return count, mean, second moment and ends of the last `window` steps at each step.

    Parameters
    ----------
    rows : float64 array of shape (t, s)
        Steps of `s` series; NaN is missing.
    window : int
        Steps in a window, at least 1.
    previous : array of shape (r, s), optional
        The steps before `rows`, as :func:`carried` returns them; fewer than a window needs
        means that the series began there.
    include_current : bool
        Whether the window of a step ends with it, or just before it.

    Returns
    -------
    Rolling

    Notes
    -----
    Bit-identical for any chunking when `previous` holds the last ``window - 1`` steps
    (``window`` without the current one). A window whose values are all below 1e-100 or reach
    beyond 1e100 in size is computed on values scaled by 2^600 or 2^-600: the choice follows
    from the window alone. Cost O(t s log window).

    References
    ----------
    Chan, Golub, LeVeque: Algorithms for computing the sample variance, 1983.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.windows import rolling
    >>> series = np.array([[1.3e17], [1.995e3], [1.99e3]])
    >>> rolling(series, 2).std(ddof=1)[2].round(6).tolist()
    [3.535534]
    """
    steps = _steps(rows, window, previous, include_current=include_current)
    lowest, highest = _fold((steps, steps), window, _ends)
    largest = np.nan_to_num(np.maximum(np.abs(lowest), np.abs(highest)))
    exponent = np.where(largest > LARGEST_UNSCALED, SCALING, 0)
    exponent = np.where((largest < SMALLEST_UNSCALED) & (largest > 0), -SCALING, exponent)
    n, mean, m2 = _moments(steps, window, exponent)
    # Merged means of equal values may be rounded; without the where a constant had a spread.
    constant = lowest == highest
    return Rolling(
        n.astype(np.int64),
        np.where(constant, lowest, np.ldexp(mean, exponent)),
        np.where(constant, 0.0, m2),
        exponent,
        lowest,
        highest,
    )


def carried(
    rows: Array, window: int, previous: Array | None = None, *, include_current: bool = True
) -> Array:
    """Return the steps that the next chunk needs as `previous`, missing ones included."""
    steps = rows if previous is None else np.concatenate([previous, rows])
    needed = window - 1 if include_current else window
    return np.array(steps[max(0, len(steps) - needed) :], dtype=np.float64)


def _steps(rows: Array, window: int, previous: Array | None, *, include_current: bool) -> Array:
    """Return the steps of all windows, with missing ones before the series began."""
    before = carried(rows[:0], window, previous, include_current=include_current)
    needed = window - 1 if include_current else window
    started = np.full((needed - len(before), rows.shape[1]), np.nan)
    steps = np.concatenate([started, before, np.asarray(rows, dtype=np.float64)]) + 0.0
    return steps if include_current else steps[:-1]


def _moments(steps: Array, window: int, exponent: Array) -> Block:
    """Return (n, mean, m2) of each window, in the unit that its exponent says."""
    chosen = _fold(_leaves(steps), window, _chan)
    for power in (-SCALING, SCALING):
        if np.any(exponent == power):
            scaled = _fold(_leaves(_scaled(steps, -power)), window, _chan)
            chosen = tuple(
                np.where(exponent == power, there, here)
                for here, there in zip(chosen, scaled, strict=True)
            )
    return chosen


def _scaled(steps: Array, power: int) -> Array:
    # What leaves the range here belongs to windows that another exponent answers.
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.ldexp(steps, power))


def _leaves(steps: Array) -> Block:
    observed = ~np.isnan(steps)
    return observed.astype(np.float64), np.where(observed, steps, 0.0), np.zeros_like(steps)


def _fold(block: Block, window: int, combine: Combine) -> Block:
    """Return the combination of each `window` consecutive entries along the first axis.

    ``block[i]`` starts as one step and is combined with its neighbour to 2, 4, ... steps; the
    binary digits of the window say which of them it consists of, the last steps first.
    """
    windows = len(block[0]) - window + 1
    total: Block | None = None
    taken, size = 0, 1
    while True:
        if window & size:
            start = window - taken - size
            piece = tuple(array[start : start + windows] for array in block)
            total = piece if total is None else combine(piece, total)
            taken += size
        if total is not None and taken == window:
            return total
        block = combine(
            tuple(array[:-size] for array in block), tuple(array[size:] for array in block)
        )
        size *= 2


def _chan(left: Block, right: Block) -> Block:
    (n_left, mean_left, m2_left), (n_right, mean_right, m2_right) = left, right
    with np.errstate(over="ignore", invalid="ignore"):
        n = n_left + n_right
        # n_left n_right / n and n_right / n by one division; two empty blocks share 0.
        share = n_right / np.maximum(n, 1)
        shift = mean_right - mean_left
        m2 = m2_left + m2_right + shift * shift * (n_left * share)
        return n, mean_left + shift * share, m2


def _ends(left: Block, right: Block) -> Block:
    return np.fmin(left[0], right[0]), np.fmax(left[1], right[1])
