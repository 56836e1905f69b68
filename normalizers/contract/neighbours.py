"""The nearest items of live queries before and after a correction of their scores."""

from __future__ import annotations

from dataclasses import dataclass

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged


@dataclass(frozen=True)
class LiveNeighbours:
    """What a method finds of live queries, for who judges whether it helps them.

    Parameters
    ----------
    items : int
        Number of items of the gallery.
    before, after : Ragged
        Positions of the nearest items of each query by the scores sent and by the corrected ones,
        the nearest first; -1 is an item that the fit does not know.
    ties : int
        Queries whose last place was decided by a tie of the scores sent.
    bias : array of shape (items,) or None
        What the fit gave each item; None where the method has no such number.
    live_biases : tuple of arrays of shape (items,)
        What fits on the live queries as a bank would give it: on all, on every other one, and on
        those between; empty where the live queries do not tell it.
    """

    items: int
    before: Ragged
    after: Ragged
    ties: int = 0
    bias: Array | None = None
    live_biases: tuple[Array, ...] = ()
