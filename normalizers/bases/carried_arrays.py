"""The named arrays of a carried state: declared with their shapes by step, checked when posted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from normalizers.data.arrays import LARGEST_INTEGER, Array
from normalizers.errors import IncompatibleState, InvalidInput, NonFiniteError, position_text
from normalizers.validation.numbers import number_array

RowsHeld: TypeAlias = Callable[[int], int]


@dataclass(frozen=True)
class CarriedArray:
    """What one array of a state holds, for every window and channel.

    Parameters
    ----------
    rows : callable, optional
        How many rows are held after so many steps, shape ``(n, rows, c)``; without it one number,
        shape ``(n, c)``.
    start : float
        The number before the first step; rows that may be missing are.
    missing : bool
        Whether a number may be missing.
    least, most : float, optional
        Bounds of the numbers.
    whole : bool
        Whether they are counts.
    """

    rows: RowsHeld | None = None
    start: float = 0.0
    missing: bool = False
    least: float | None = None
    most: float | None = None
    whole: bool = False

    def begun(self, windows: int, channels: int) -> Array:
        """Return the array before the first step."""
        held = () if self.rows is None else (self.rows(0),)
        of_rows = self.rows is not None and self.missing
        return np.full((windows, *held, channels), np.nan if of_rows else self.start)

    def read(self, value: object, steps: Array, channels: int, path: str) -> Array:
        """Return a posted array, or say what is wrong with it.

        `steps` holds one step a window.
        """
        numbers = number_array(value, path).astype(np.float64)
        held = [] if self.rows is None else [self.rows(int(step)) for step in steps]
        shape = (len(steps), *([max(held, default=0)] if self.rows else []), channels)
        if numbers.size == 0 and 0 in shape:
            return np.empty(shape)
        if numbers.shape != shape:
            raise IncompatibleState(
                f"an array of shape {numbers.shape}, but this state has {shape} here", path=path
            )
        self._check(numbers, path)
        if self.rows is not None:
            _check_padding(numbers, held, path)
        return numbers

    def _check(self, numbers: Array, path: str) -> None:
        if self._is_usual(numbers):
            return
        if np.isinf(numbers).any():
            raise NonFiniteError("a carried value is infinite", path=path)
        if not self.missing:
            _refuse(np.isnan(numbers), "a carried number is missing", path)
        if self.least is not None:
            _refuse(numbers < self.least, f"a carried number is at least {self.least:g} here", path)
        if self.most is not None:
            _refuse(numbers > self.most, f"a carried number is at most {self.most:g} here", path)
        if self.whole:
            counts = (numbers == np.floor(numbers)) & (np.abs(numbers) < LARGEST_INTEGER)
            _refuse(~counts, "whole numbers are carried here", path)

    def _is_usual(self, numbers: Array) -> bool:
        """Return whether nothing can be wrong, from two numbers: most states pass here."""
        lowest, highest = float(numbers.min()), float(numbers.max())
        # Not what is missing or infinite: those compare as false, or differ from themselves.
        within = (self.least is None or lowest >= self.least) and (
            self.most is None or highest <= self.most
        )
        return within and not self.whole and highest - lowest < np.inf


Declared: TypeAlias = Mapping[str, CarriedArray]


def _refuse(where: Array, reason: str, path: str) -> None:
    if where.any():
        raise InvalidInput(reason, path=path + position_text(np.argwhere(where)[0].tolist()))


def _check_padding(numbers: Array, held: Sequence[int], path: str) -> None:
    """Series of a ragged request hold unequal numbers of rows: missing ones stand before them."""
    for window, rows in enumerate(held):
        if rows < numbers.shape[1] and not np.isnan(numbers[window, : -rows or None]).all():
            raise IncompatibleState(
                f"series {window} holds {rows} rows, so that those before are missing",
                path=f"{path}[{window}]",
            )
