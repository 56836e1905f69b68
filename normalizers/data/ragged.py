"""Lists of unequal length as one flat array and the start of each part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from normalizers.data.arrays import Array


@dataclass(frozen=True, eq=False)
class Ragged:
    """Ragged lists: ``values (N,)`` and ``offsets (q + 1,)``, first 0, last N.

    Parameters
    ----------
    values : array of shape (N,)
        All parts, one after the other.
    offsets : int64 array of shape (q + 1,)
        Where each part starts; part ``i`` is ``values[offsets[i]:offsets[i + 1]]``.

    Examples
    --------
    >>> from normalizers.data.ragged import Ragged
    >>> [part.tolist() for part in Ragged.of([[1.0, 2.0], [], [3.0]])]
    [[1.0, 2.0], [], [3.0]]
    """

    values: Array
    offsets: Array

    @classmethod
    def of(cls, parts: Sequence[object], dtype: object = np.float64) -> Ragged:
        """Join `parts`, each a flat list or array."""
        arrays = [np.asarray(part, dtype=np.dtype(dtype)) for part in parts]  # type: ignore[call-overload]
        values = np.concatenate(arrays) if arrays else np.empty(0, dtype=np.dtype(dtype))  # type: ignore[call-overload]
        return cls(values, offsets_of([len(array) for array in arrays]))

    @cached_property
    def lengths(self) -> Array:
        """Number of values of each part, shape (q,)."""
        return np.asarray(self.offsets[1:] - self.offsets[:-1])

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[Array]:
        for start, stop in zip(self.offsets[:-1], self.offsets[1:], strict=True):
            yield self.values[start:stop]

    def with_values(self, values: Array) -> Ragged:
        """Return the same parts with other `values`."""
        return Ragged(values, self.offsets)

    def part_of_each(self) -> Array:
        """Return for every value the index of its part, shape (N,)."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.lengths)

    def position(self, index: int) -> tuple[int, int]:
        """Return (list, position) of the value at flat `index`."""
        part = int(np.searchsorted(self.offsets, index, side="right")) - 1
        return part, index - int(self.offsets[part])

    def positions(self, indices: Array) -> Array:
        """Return (list, position) of every flat index, shape (k, 2)."""
        parts = np.searchsorted(self.offsets, indices, side="right") - 1
        return np.stack([parts, indices - self.offsets[parts]], axis=1).astype(np.int64)


def offsets_of(lengths: Sequence[int] | Array) -> Array:
    """Return the offsets of parts of these lengths, shape (len + 1,).

    Examples
    --------
    >>> from normalizers.data.ragged import offsets_of
    >>> offsets_of([2, 0, 1]).tolist()
    [0, 2, 2, 3]
    """
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(np.asarray(lengths, dtype=np.int64), out=offsets[1:])
    return offsets
