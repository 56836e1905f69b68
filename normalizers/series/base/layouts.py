"""Windows laid out for arithmetic: as lists contiguous in time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged

Series: TypeAlias = "Array | Ragged"
# Values of windows that are worked on at once, so that temporaries stay in a processor's cache.
BLOCK = 1 << 16


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
    def of(cls, series: Series) -> Windows:
        """Return the lists of windows ``(n, t, c)`` or of ragged series."""
        if isinstance(series, Ragged):
            return cls(series, None)
        windows, steps, channels = series.shape
        offsets = np.arange(windows * channels + 1, dtype=np.int64) * steps
        return cls(Ragged(_by_channel(series), offsets), (windows, steps, channels))

    @cached_property
    def values(self) -> Array:
        """The values: one row a list of dense windows, flat where lists are ragged."""
        return self._table(self.lists.values)

    def aligned(self, beside: Series) -> Array:
        """Return the values of another series of the same form, in the order of the lists."""
        return beside.values if isinstance(beside, Ragged) else _by_channel(beside)

    def each(self, numbers: Array) -> Array:
        """Return one number a list so that it stands beside each of its `values`."""
        if self.shape is None:
            return np.repeat(numbers, self.lists.lengths)
        return numbers[:, None]

    def restored(self, values: Array) -> Series:
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

    def _table(self, values: Array) -> Array:
        if self.shape is None:
            return values
        windows, steps, channels = self.shape
        return values.reshape(windows * channels, steps)


def blocks(series: Series) -> Iterator[slice]:
    """Yield which windows are worked on at once; all of them where they are ragged or few."""
    if isinstance(series, Ragged):
        yield slice(None)
        return
    windows, steps, channels = series.shape
    size = max(1, BLOCK // max(1, steps * channels))
    for start in range(0, max(windows, 1), size):
        yield slice(start, start + size)


def in_block(series: Series, block: slice) -> Series:
    """Return the windows of a block; ragged series are one."""
    return series if isinstance(series, Ragged) else series[block]


def _by_channel(series: Array) -> Array:
    return np.ascontiguousarray(series.transpose(0, 2, 1)).reshape(-1)
