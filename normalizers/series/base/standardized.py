"""Windows standardized by their own statistics over time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array
from normalizers.kernels import segments
from normalizers.kernels.epsilon import EpsMode, effective_scale
from normalizers.kernels.loc_scale import degenerate
from normalizers.series.base.layouts import Windows


class Standardized(NamedTuple):
    """Windows without location and scale, and which of them have too little for these.

    Parameters
    ----------
    z : array of shape (n, t, c)
        NaN where nothing was observed.
    constant, empty, insufficient : bool arrays of shape (n, c)
        No spread, no value, too few values for the spread.
    n, loc, spread : arrays of shape (n, c)
        Observed values, their mean and deviation; NaN where there is none.
    scale : array of shape (n, c)
        What divided: the spread with its epsilon, 1 where there is none.
    """

    z: Array
    constant: Array
    empty: Array
    insufficient: Array
    n: Array
    loc: Array
    spread: Array
    scale: Array

    def explained(self) -> dict[str, object]:
        """Return the statistics behind each window and channel; null where there are none."""
        parts = {"n": self.n, "loc": self.loc, "spread": self.spread}
        return {name: plain(numbers) for name, numbers in parts.items()}


def standardized(
    x: Array, observed: Array, *, ddof: int, eps: float, eps_mode: EpsMode
) -> Standardized:
    """Return ``z = (x - mean) / std`` of every window and channel, over its observed values.

    A spread of 0 after the epsilon, and one of too few values, divides by 1: z is then 0.
    """
    windows = Windows.of(np.where(observed, x, np.nan))
    seen = windows.aligned(observed)
    moments = segments.centred_moments(windows.lists, seen)
    spread = moments.std(ddof)
    few = np.isnan(spread)
    scale = np.where(few, 1.0, effective_scale(np.where(few, 1.0, spread), eps, eps_mode))
    scales = degenerate(moments.mean, scale, on_constant="scale_one")
    each = scales.each(lambda numbers: segments.broadcast(numbers, windows.lists))
    z = windows.restored(each.apply(windows.lists.values))
    by_window = (len(x), x.shape[2])
    loc = np.where(moments.n > 0, moments.mean, np.nan)
    empty = moments.n == 0
    constant = (moments.n > 0) & ~few & (moments.m2 == 0)
    return Standardized(
        np.asarray(z),
        constant.reshape(by_window),
        empty.reshape(by_window),
        (few & ~empty).reshape(by_window),
        moments.n.reshape(by_window),
        loc.reshape(by_window),
        spread.reshape(by_window),
        scales.scale.reshape(by_window),
    )


def plain(numbers: Array) -> object:
    """Return numbers as nested lists, with None in the place of what is missing."""
    shown = numbers.astype(object)
    shown[np.isnan(numbers)] = None
    return shown.tolist()
