"""Steps in blocks as long as a window, and where windows begin and end in them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from normalizers.data.arrays import Array


@dataclass(frozen=True)
class Blocks:
    """Steps of a few series in blocks as long as the window, and where windows end in them.

    Parameters
    ----------
    values : array of shape (s, b, width)
        Blocks begin at multiples of the window, counted from the first step of the series.
    observed : bool array of that shape, or None
        None where no step is missing; what fills the first and the last block is in no window.
    window : int
        Steps in a window.
    last : int
        Place where the first window ends; -1 is before the series.
    count : int
        Windows, each of which ends a step after the one before it.
    """

    values: Array
    observed: Array | None
    window: int
    last: int
    count: int

    def ending(self, blocks: Array) -> Array:
        """Return what stands where each window ends, 0 before the series began; shape (s, t)."""
        return taken_at(blocks, self.last, self.count)

    def beginning(self, blocks: Array) -> Array:
        """Return what stands where each window begins, 0 before the series began."""
        return taken_at(blocks, self.last - self.window + 1, self.count)

    @property
    def ends(self) -> Array:
        """Where each window ends."""
        return np.arange(self.last, self.last + self.count)

    @property
    def halved(self) -> Array:
        """Which windows are of two blocks."""
        begins = self.ends - self.window + 1
        return np.asarray((begins > 0) & (begins % self.window != 0))

    def counts(self) -> tuple[Array, Array]:
        """Return how many values each window has in the block it begins in, and in its last one."""
        if self.observed is not None:
            right = taken_at(
                np.cumsum(self.observed, axis=2, dtype=np.float64), self.last, self.count
            )
            backwards = np.cumsum(self.observed[:, :, ::-1], axis=2, dtype=np.float64)
            left = self.beginning(backwards[:, :, ::-1])
            return np.where(self.halved, left, 0.0), right
        ends = self.ends
        right = np.where(ends < 0, 0, ends % self.window + 1).astype(np.float64)
        left = np.where(self.halved, self.window - right, 0.0)
        return left[None], right[None]

    def scaled(self, power: int) -> Blocks:
        """Return the blocks in another unit."""
        # What leaves the range here belongs to windows that another exponent answers.
        with np.errstate(over="ignore", under="ignore"):
            return replace(self, values=np.asarray(np.ldexp(self.values, power)))


def lay_out(
    steps: Array, seen: Array | None, window: int, begun: int, last: int, count: int
) -> Blocks:
    """Return steps in blocks; `begun` is the step of the first, `last` where a window ends first.

    Blocks begin at multiples of the window, counted from the first step of the series.
    """
    front = begun % window
    length = front + steps.shape[1]
    width = max(1, length if length <= window else window)

    def laid_out(values: Array) -> Array:
        blocks = -(-length // width)
        padded = np.zeros((len(values), blocks * width), dtype=values.dtype)
        padded[:, front:length] = values
        return padded.reshape(len(values), blocks, width)

    observed = None if seen is None else laid_out(seen)
    return Blocks(laid_out(steps), observed, window, front + last, count)


def taken_at(blocks: Array, first: int, count: int, nothing: float = 0.0) -> Array:
    """Return `count` places of the blocks from `first` on, `nothing` before the series began."""
    flat = blocks.reshape(len(blocks), blocks.shape[1] * blocks.shape[2])
    if first >= 0:
        return flat[:, first : first + count]
    empty = np.full((len(flat), min(-first, count)), nothing, dtype=flat.dtype)
    return np.concatenate([empty, flat[:, : max(0, count + first)]], axis=1)
