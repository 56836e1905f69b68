"""A figure: what is measured, against what, and how far apart the two may be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

WORK_SHARE = 5


class Unmeasurable(RuntimeError):
    """A figure that cannot be measured here; says why."""


class Measured(NamedTuple):
    """Two values in one unit, and the first in terms of the second.

    `share` is the median of the shares of the pairs, so that drift of the machine between pairs
    does not enter it.
    """

    ours: float
    reference: float
    share: float
    unit: str

    def in_microseconds(self) -> Measured:
        """Return milliseconds in thousandths."""
        return Measured(self.ours * 1e3, self.reference * 1e3, self.share, "us")


@dataclass(frozen=True)
class Goal:
    """The bound on a ratio: ours at most `times` the reference, or `faster` by at least that."""

    times: float
    faster: bool = False

    def ratio(self, share: float) -> float:
        """Return ours over the reference, or how many times faster ours is."""
        return 1 / share if self.faster else share

    def is_reached(self, share: float) -> bool:
        """Whether a share lies within the bound."""
        ratio = self.ratio(share)
        return ratio >= self.times if self.faster else ratio <= self.times

    def __str__(self) -> str:
        return f"{'>=' if self.faster else '<='} {self.times:g}"


@dataclass(frozen=True)
class Effort:
    """How long to measure."""

    quick: bool = False

    def of(self, repetitions: int) -> int:
        """Return how often to repeat: `repetitions`, or a share of them in a quick run."""
        return max(2, repetitions // WORK_SHARE) if self.quick else repetitions


@dataclass(frozen=True)
class Figure:
    """One line of the table.

    Parameters
    ----------
    name : str
        What ``--only`` takes.
    goal : Goal
        The bound on the ratio.
    measure : callable
        Takes the effort, returns what was measured.
    """

    name: str
    goal: Goal
    measure: Callable[[Effort], Measured]
