"""A scale and a shift of every channel after the normalization, and their way back."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.contract import Batch
from normalizers.data.arrays import Array
from normalizers.data.batch import Value
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput

LOCATED = ("y", "quantiles")


class ChannelAffine(NamedTuple):
    """What is put in place of y: ``y scale + shift``, by channel.

    Parameters
    ----------
    scale, shift : array of shape (c,)
    """

    scale: Array
    shift: Array

    def apply(self, y: Value) -> Value:
        """Return windows ``(n, t, c)``, or series of one channel, with scale and shift."""
        return _each(
            y, lambda values, extra: values * _to(self.scale, extra) + _to(self.shift, extra)
        )

    def undone(self, batch: Batch) -> Batch:
        """Return a forecast as it was before scale and shift, with its spreads and quantiles.

        Raises
        ------
        InvalidInput
            Quantiles beside a negative scale, which turns their order around.
        """
        if "quantiles" in batch and (self.scale < 0).any():
            channel = int(np.argmax(self.scale < 0))
            raise InvalidInput(
                f"the weight of channel {channel} is negative: quantiles of its forecast are "
                "those of the opposite levels; send them as points",
                path="input.quantiles",
            )
        changed: dict[str, Value] = {}
        for name in LOCATED:
            if name in batch:
                changed[name] = _each(
                    batch[name],
                    lambda values, extra: (
                        (values - _to(self.shift, extra)) / _to(self.scale, extra)
                    ),
                )
        # A shift moves no spread: sd(a y + b) = |a| sd(y), variance a^2.
        for name, factor in (("std", np.abs(self.scale)), ("variance", self.scale**2)):
            if name in batch:
                changed[name] = _each(batch[name], lambda v, extra, f=factor: v / _to(f, extra))
        return batch.replace(**changed)


def _each(value: Value, change) -> Value:  # type: ignore[no-untyped-def]
    if isinstance(value, Ragged):
        return value.with_values(change(value.values, 0))
    array = np.asarray(value)
    return np.asarray(change(array, array.ndim - 3))


def _to(numbers: Array, extra: int) -> Array:
    """Return numbers by channel so that they broadcast to windows with further axes."""
    return numbers.reshape(-1, *(1,) * extra) if extra > 0 else numbers
