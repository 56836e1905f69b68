"""Mean and deviation of every window and channel, and linear maps of such numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array
from normalizers.kernels import segments
from normalizers.series.base.layouts import Windows


class ChannelMoments(NamedTuple):
    """Statistics of the observed values of each window and channel.

    Parameters
    ----------
    n, mean, std : arrays of shape (n, c)
        The mean of no value is 0, as its deviation; divisor n.
    constant : bool array of shape (n, c)
        Values that are all equal.
    """

    n: Array
    mean: Array
    std: Array
    constant: Array

    @classmethod
    def of(cls, x: Array, observed: Array) -> ChannelMoments:
        """Return the statistics of windows ``(n, t, c)``."""
        windows = Windows.of(x)
        moments = segments.centred_moments(windows.lists, windows.aligned(observed))
        shape = (len(x), x.shape[2])
        there = moments.n > 0
        return cls(
            moments.n.reshape(shape),
            np.where(there, moments.mean, 0.0).reshape(shape),
            np.where(there, moments.std(), 0.0).reshape(shape),
            (there & (moments.m2 == 0)).reshape(shape),
        )

    def root_mean_square(self, centre: Array, eps: float) -> Array:
        """Return ``sqrt(mean of (x - centre)^2 + eps)``.

        That is ``sqrt(std^2 + (mean - centre)^2 + eps)``, which hypot finds at any size.
        """
        return np.asarray(np.hypot(np.hypot(self.std, self.mean - centre), np.sqrt(eps)))

    def explained(self) -> dict[str, object]:
        """Return the statistics behind an answer."""
        return {"n": self.n.tolist(), "mean": self.mean.tolist(), "std": self.std.tolist()}


def linear(rows: Array, matrix: Array) -> Array:
    """Return ``rows @ matrix.T``, each row by itself.

    A matrix product may round a row otherwise where it has neighbours; sums column by column
    do not.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.series.learned.base.channel_moments import linear
    >>> linear(np.array([[1.0, 2.0]]), np.array([[1.0, 0.0], [1.0, 1.0]])).tolist()
    [[1.0, 3.0]]
    """
    total = np.zeros((len(rows), len(matrix)))
    for column, weights in enumerate(matrix.T):
        total += rows[:, column, np.newaxis] * weights
    return total
