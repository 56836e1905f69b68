"""Windows laid out for arithmetic: as lists contiguous in time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged


@dataclass(frozen=True)
class Windows:
    """One list a window and channel, so that every statistic is one over contiguous values.

    Parameters
    ----------
    lists : Ragged
        The lists, channels of one window side by side.
    shape : tuple of int or None
        ``(n, t, c)`` of dense windows; None for ragged series of one channel.
    """

    lists: Ragged
    shape: tuple[int, int, int] | None

    @classmethod
    def of(cls, series: Array | Ragged) -> Windows:
        """Return the lists of windows ``(n, t, c)`` or of ragged series."""
        if isinstance(series, Ragged):
            return cls(series, None)
        windows, steps, channels = series.shape
        offsets = np.arange(windows * channels + 1, dtype=np.int64) * steps
        return cls(Ragged(_by_channel(series), offsets), (windows, steps, channels))

    def aligned(self, beside: Array | Ragged) -> Array:
        """Return the values of another series of the same form, in the order of the lists."""
        return beside.values if isinstance(beside, Ragged) else _by_channel(beside)

    def restored(self, values: Array) -> Array | Ragged:
        """Return values of the lists in the form of the series."""
        if self.shape is None:
            return self.lists.with_values(values)
        windows, steps, channels = self.shape
        return values.reshape(windows, channels, steps).transpose(0, 2, 1)

    def by_window(self, numbers: Array) -> Array:
        """Return one number a list as ``(n, 1, c)``, or ``(series,)`` when ragged."""
        if self.shape is None:
            return numbers
        windows, _, channels = self.shape
        return numbers.reshape(windows, 1, channels)

    def positions(self, where: Array) -> Array:
        """Return [window, channel] of the lists that are marked, shape (k, 2)."""
        channels = 1 if self.shape is None else self.shape[2]
        return np.stack(np.divmod(np.flatnonzero(where), max(channels, 1)), axis=1)


def _by_channel(series: Array) -> Array:
    return np.ascontiguousarray(series.transpose(0, 2, 1)).reshape(-1)
