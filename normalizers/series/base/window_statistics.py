"""What is measured in each window and channel, and what becomes of it in an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from normalizers.data.arrays import Array


@dataclass(frozen=True)
class WindowStatistics:
    """What a method measures in each window and channel, by list.

    Parameters
    ----------
    n : int64 array of shape (q,)
        Observed values.
    loc : array of shape (q,)
        The location of the observed values.
    spread : array of shape (q,)
        What would divide, before any epsilon. Where it is 0, `on_constant` decides; where it is
        NaN though there are values, `on_few`.
    constant : bool array of shape (q,)
        Largest equal to smallest value, whatever the spread.
    imprecise : bool array of shape (q,), optional
        Not constant, but a spread near the rounding of the values; by default nowhere.
    """

    n: Array
    loc: Array
    spread: Array
    constant: Array
    imprecise: Array | None = None

    @property
    def empty(self) -> Array:
        """Which windows have no observed value."""
        return np.asarray(self.n == 0)

    @property
    def few(self) -> Array:
        """Which windows have some values, but too few for the spread."""
        return np.isnan(self.spread) & ~self.empty

    @property
    def flags(self) -> dict[str, Array]:
        """By flag, the lists that are marked."""
        flags = {
            "constant": self.constant & ~self.few,
            "empty": self.empty,
            "insufficient": self.few,
        }
        return flags if self.imprecise is None else {**flags, "low_precision": self.imprecise}

    @classmethod
    def joined(cls, parts: Sequence[WindowStatistics]) -> WindowStatistics:
        """Return the statistics of the lists of all parts."""
        if len(parts) == 1:
            return parts[0]
        arrays: dict[str, Any] = {}
        for field in fields(cls):
            each = [getattr(part, field.name) for part in parts]
            arrays[field.name] = None if each[0] is None else np.concatenate(each)
        return cls(**arrays)
