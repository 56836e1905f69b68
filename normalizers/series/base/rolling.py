"""Rolling z-scores of columns: what every step gets from the steps before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.kernels import windows
from normalizers.kernels.loc_scale import degenerate

# Values of rows and padding that are rolled at once, so that temporaries stay small.
BLOCK = 4_000_000


class RollingStatistics(NamedTuple):
    """Normalized steps and their statistics, each of shape (t, s).

    Parameters
    ----------
    y, loc, scale : array
        NaN where there are no statistics.
    constant : bool array
        Observed steps whose window has no spread.
    insufficient : bool array
        Observed steps without statistics.
    n : int64 array
        Observed values of the window.
    """

    y: Array
    loc: Array
    scale: Array
    constant: Array
    insufficient: Array
    n: Array


@dataclass(frozen=True)
class RollingWindow:
    """How each step is standardized.

    Parameters
    ----------
    window, min_periods, ddof : int
    include_current, centred : bool
    on_constant : str
        ``scale_one``, ``value``, ``zero``, ``half``, ``keep`` or ``error``.
    constant_value : float or None
        Named, it also stands where there are no statistics.
    """

    window: int
    min_periods: int
    ddof: int
    include_current: bool
    centred: bool
    on_constant: str
    constant_value: float | None

    def rolled(self, rows: Array, previous: Array) -> RollingStatistics:
        """Return the steps of ``rows (t, s)``, which follow on ``previous (r, s)``.

        A column depends on nothing but itself, so the blocks change no bit.
        """
        width = max(1, BLOCK // (self.window + len(rows)))
        starts = range(0, max(rows.shape[1], 1), width)
        parts = [
            self._block(rows[:, start : start + width], previous[:, start : start + width])
            for start in starts
        ]
        return RollingStatistics(
            *(np.concatenate(arrays, axis=1) for arrays in zip(*parts, strict=True))
        )

    def carried(self, rows: Array, previous: Array) -> Array:
        """Return the rows that the next steps need."""
        return windows.carried(rows, self.window, previous, include_current=self.include_current)

    def _block(self, rows: Array, previous: Array) -> RollingStatistics:
        found = windows.rolling(rows, self.window, previous, include_current=self.include_current)
        observed, std = ~np.isnan(rows), found.std(self.ddof)
        enough = (found.n >= self.min_periods) & ~np.isnan(std)
        if np.isinf(std[enough]).any():
            raise InvalidInput("a spread is too large for a float64", path="input.x")
        # NaN, not 0 and 1: a step without enough values has no answer, and no way back.
        loc = np.where(enough, found.mean if self.centred else 0.0, np.nan)
        scale = np.where(enough, std, np.nan)
        if self.on_constant == "error" and (scale == 0).any():
            raise InvalidParams(
                "a window has no spread, and on_constant is 'error'", path="params.on_constant"
            )
        rule, value = self.on_constant, self.constant_value
        scales = degenerate(loc, scale, on_constant=rule, value=value).plain()
        y = scales.apply(rows, observed)
        if value is not None:
            y = np.where(observed & ~enough, value, y)
        constant = enough & found.constant & observed
        insufficient = observed & ~enough
        return RollingStatistics(y, scales.loc, scales.scale, constant, insufficient, found.n)
