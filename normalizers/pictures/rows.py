"""Pictures of rows before and after a transform: series as lines, groups as boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from normalizers.data.arrays import Array
from normalizers.pictures.plots import Plot

# Lines that an eye tells apart by their colours.
MOST_LINES = 10
# A line of fewer steps shows where they are.
MOST_MARKED = 60
MOST_GROUPS = 30
BEFORE_AND_AFTER = ("before", "after")


@dataclass(frozen=True)
class SeriesPlot(Plot):
    """Series over their steps; a missing value breaks its line."""

    lines: Sequence[Array]

    def draw(self, axes: Any) -> None:
        """Draw the first few lines, and say how many more there are."""
        for line in self.lines[:MOST_LINES]:
            marker = "." if len(line) <= MOST_MARKED else None
            axes.plot(np.arange(len(line)), line, marker=marker, linewidth=1)
        more = len(self.lines) - MOST_LINES
        axes.set_xlabel(f"step; {more} more series" if more > 0 else "step")


@dataclass(frozen=True)
class GroupBoxes(Plot):
    """The distribution of each group as a box: quartiles, and the ends of what is usual."""

    names: Sequence[str]
    values: Sequence[Array]

    def draw(self, axes: Any) -> None:
        """Draw the first few groups, and say how many more there are."""
        shown = self.values[:MOST_GROUPS]
        places = np.arange(len(shown))
        axes.boxplot(shown, positions=places)
        axes.set_xticks(places, list(self.names[:MOST_GROUPS]), rotation=45, ha="right")
        more = len(self.values) - MOST_GROUPS
        axes.set_xlabel(f"{more} more groups" if more > 0 else "")


def series_plots(before: object, after: object) -> list[Plot]:
    """Return the series of an input, and what became of them."""
    titled = zip(BEFORE_AND_AFTER, (lines_of(before), lines_of(after)), strict=True)
    return [SeriesPlot(title, lines) for title, lines in titled if lines]


def group_plots(before: Array, after: Array, groups: Sequence[str]) -> list[Plot]:
    """Return the distributions of the groups of an input, and what became of them.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.pictures.rows import group_plots
    >>> plots = group_plots(np.array([1.0, 5.0, 3.0]), np.zeros(3), ["de", "ja", "de"])
    >>> plots[0].names, [values.tolist() for values in plots[0].values]
    (['de', 'ja'], [[1.0, 3.0], [5.0]])
    """
    named = np.array(groups, dtype=object)
    names = sorted(set(groups))
    return [
        GroupBoxes(title, names, [_known(values[named == name]) for name in names])
        for title, values in zip(BEFORE_AND_AFTER, (before, after), strict=True)
    ]


def lines_of(value: object) -> list[Array]:
    """Return series as lines, one for each channel.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.pictures.rows import lines_of
    >>> [line.tolist() for line in lines_of([np.array([[1.0, 5.0], [2.0, 6.0]])])]
    [[1.0, 2.0], [5.0, 6.0]]
    """
    if isinstance(value, list):
        return [line for part in value for line in lines_of(np.asarray(part, dtype=np.float64))]
    array = np.asarray(value, dtype=np.float64)
    if array.ndim > 2:
        return [line for window in array for line in lines_of(window)]
    return [array] if array.ndim == 1 else list(array.T)


def _known(values: Array) -> Array:
    return np.asarray(values[np.isfinite(values)])
