"""A scale and a shift of every channel after the normalization, and their way back."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.contract import Batch
from normalizers.data.arrays import Array
from normalizers.data.batch import Value
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput

WINDOW_AXES = 3


class ChannelAffine(NamedTuple):
    """What is put in place of y: ``y scale + shift``, by channel.

    Parameters
    ----------
    scale, shift : array of shape (c,), or (n, 1, c)
        The same for all windows, or one each.
    """

    scale: Array
    shift: Array

    def apply(self, y: Value) -> Value:
        """Return windows ``(n, t, c)``, or series of one channel, with scale and shift."""
        if isinstance(y, Ragged):
            return y.with_values(y.values * self.scale + self.shift)
        return np.asarray(np.asarray(y) * self.scale + self.shift)

    def undone(self, batch: Batch) -> Batch:
        """Return a forecast as it was before scale and shift, with its spreads and quantiles.

        Raises
        ------
        InvalidInput
            Quantiles beside a negative scale, which turns their order around.
        """
        if "quantiles" in batch and (self.scale < 0).any():
            channel = int(np.argwhere(self.scale < 0)[0][-1])
            raise InvalidInput(
                f"the weight of channel {channel} is negative: quantiles of its forecast are "
                "those of the opposite levels; send them as points",
                path="input.quantiles",
            )
        # A shift moves no spread: sd(a y + b) = |a| sd(y), variance a^2.
        changes = {
            "y": (self.scale, self.shift),
            "quantiles": (self.scale, self.shift),
            "std": (np.abs(self.scale), np.zeros(1)),
            "variance": (self.scale**2, np.zeros(1)),
        }
        there = {name: pair for name, pair in changes.items() if name in batch}
        return batch.replace(**{name: _less(batch[name], *pair) for name, pair in there.items()})


def _less(value: Value, scale: Array, shift: Array) -> Value:
    if isinstance(value, Ragged):
        return value.with_values((value.values - shift) / scale)
    array = np.asarray(value)
    if array.ndim > WINDOW_AXES:
        # Quantiles have an axis behind the channels.
        scale, shift = scale[..., np.newaxis], shift[..., np.newaxis]
    return np.asarray((array - shift) / scale)
