"""Means of the phases of a season so far, carried along a series and led back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from normalizers.bases.carried_arrays import CarriedArray
from normalizers.data.arrays import Array
from normalizers.kernels.expanding import expanding_moments
from normalizers.series.base.expanding import MOMENTS
from normalizers.series.base.steps import Steps


class PhaseMeans(NamedTuple):
    """Means of the values of the same phase before each step.

    Parameters
    ----------
    mean, n : arrays of shape (s, t)
        0 values have mean 0.
    after : mapping
        What is carried on, by name, of shape (s, period).
    """

    mean: Array
    n: Array
    after: dict[str, Array]


def season_arrays(period: int) -> dict[str, CarriedArray]:
    """Return what is carried: the moments of each phase, phase 0 first."""
    return {name: replace(declared, rows=lambda step: period) for name, declared in MOMENTS.items()}


def phase_means(steps: Steps, period: int) -> PhaseMeans:
    """Return the means before each step: phases are lists of their own."""
    first = steps.start % period
    series, count = steps.lists.shape
    seasons = -(-(first + count) // period)
    # Whole seasons; what is not there is missing, and changes no sum.
    padded = np.full((series, seasons * period), np.nan)
    padded[:, first : first + count] = steps.lists
    by_phase = padded.reshape(series, seasons, period).swapaxes(1, 2)
    before = {name: array.reshape(-1) for name, array in steps.before.items()}
    found, after = expanding_moments(
        by_phase.reshape(series * period, seasons), before, include_current=False
    )

    def by_step(numbers: Array) -> Array:
        whole = (
            numbers.reshape(series, period, seasons)
            .swapaxes(1, 2)
            .reshape(series, seasons * period)
        )
        return np.asarray(whole[:, first : first + count])

    carried = {name: array.reshape(series, period) for name, array in after.items()}
    return PhaseMeans(by_step(found.mean), by_step(found.n), carried)


def grown_seasons(
    steps: Steps, period: int, back: Callable[[Array, Array], Array]
) -> tuple[Array, Mapping[str, Array]]:
    """Return the values behind ``y`` that follow on a state, and the state after them.

    Parameters
    ----------
    steps : Steps
        Its values are y.
    period : int
        Steps in a season.
    back : callable
        The value behind a y and the mean of its phase.

    Notes
    -----
    Every season needs the values of the one before: they are led back one by one.
    """
    x, before, start = np.full(steps.values.shape, np.nan), steps.before, steps.start
    for place in range(0, steps.values.shape[1], period):
        part = slice(place, place + period)
        y = steps.values[:, part]
        unseen = Steps(np.full(y.shape, np.nan), np.zeros(y.shape, bool), before, start + place)
        known = phase_means(unseen, period)
        x[:, part] = back(y, np.where(known.n > 0, known.mean, np.nan))
        led = Steps(x[:, part], ~np.isnan(x[:, part]), before, start + place)
        before = phase_means(led, period).after
    return x, before
