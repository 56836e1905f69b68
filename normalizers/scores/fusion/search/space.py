"""What a search tries: the points of a grid, and the parameter value that each stands for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from normalizers.contract import Batch
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput
from normalizers.kernels.grids import multiples, parts_of_one, simplex, simplex_size
from normalizers.scores.fusion.runs.run import Run

GRID = "grid"
# Each point is a fusion of all training queries.
MOST_POINTS = 10_000
# A number that stands for a table has no axis of its own.
ALONE = (0, 1)


class SearchSpace(ABC):
    """The values that a parameter can have in a search."""

    @abstractmethod
    def columns(self, runs: Sequence[Run]) -> tuple[str, ...]:
        """Return what the numbers of a point are."""

    @abstractmethod
    def points(self, step: float | None, columns: Sequence[str], path: str) -> Array:
        """Return the points at a step, ascending, of shape (t, p); None is the standard step."""

    @abstractmethod
    def value(self, columns: Sequence[str], point: Array) -> object:
        """Return the value of the parameter at a point."""

    def grid(self, batch: Batch, columns: Sequence[str], path: str) -> Array:
        """Return the points that a fit asks for, ascending, or the standard ones.

        Raises
        ------
        InvalidInput
            A step that is none, points of another width, too many of them.
        """
        place = f"{path}.{GRID}"
        if GRID not in batch:
            return self.points(None, columns, place)
        table = batch.array(GRID)
        if not len(table) or not np.isfinite(table).all():
            raise InvalidInput("a grid has at least one point, of finite numbers", path=place)
        if batch.form(GRID).squeezed == ALONE:
            return self.points(_positive(float(table[0, 0]), place), columns, place)
        if table.shape[1] != len(columns):
            raise InvalidInput(
                f"a point has {len(columns)} numbers here ({', '.join(columns)}), not "
                f"{table.shape[1]}",
                path=place,
            )
        check_size(len(table), place)
        return np.unique(table + 0.0, axis=0)


@dataclass(frozen=True)
class Scale(SearchSpace):
    """Numbers between two ends.

    Parameters
    ----------
    name : str
        The parameter.
    first, last : float
        The ends, both within.
    step : float
        The standard step.
    whole : bool
        Whether the parameter is a whole number.
    """

    name: str
    first: float
    last: float
    step: float
    whole: bool = False

    def columns(self, runs: Sequence[Run]) -> tuple[str, ...]:
        """Return the name of the parameter."""
        return (self.name,)

    def points(self, step: float | None, columns: Sequence[str], path: str) -> Array:
        """Return the multiples of the step between the ends."""
        used = self.step if step is None else step
        check_size((self.last - self.first) / used, path)
        numbers = multiples(used, self.first, self.last)
        if numbers is None or not len(numbers) or (self.whole and used != int(used)):
            kind = "is whole" if self.whole else "is whole, or divides 1 as 0.1 does"
            raise InvalidInput(
                f"a step {kind}, and leads to a number within {self.first:g}..{self.last:g}",
                path=path,
            )
        return numbers[:, None]

    def value(self, columns: Sequence[str], point: Array) -> object:
        """Return the number."""
        number = float(point[0])
        return int(number) if self.whole and number == int(number) else number


@dataclass(frozen=True)
class Weighting(SearchSpace):
    """Weights of the runs that add up to 1.

    Parameters
    ----------
    step : float
        The standard step.
    """

    step: float = 0.1

    def columns(self, runs: Sequence[Run]) -> tuple[str, ...]:
        """Return the names of the runs, or their places."""
        return tuple(str(run.name) for run in runs)

    def points(self, step: float | None, columns: Sequence[str], path: str) -> Array:
        """Return every tuple of multiples of the step that add up to 1."""
        parts = parts_of_one(self.step if step is None else step)
        if parts is None:
            raise InvalidInput("a step of weights divides 1, as 0.1 does", path=path)
        check_size(simplex_size(parts, len(columns)), path)
        # k / parts is rounded once, so weights that are equal parts are equal floats.
        return simplex(parts, len(columns)) / parts

    def value(self, columns: Sequence[str], point: Array) -> object:
        """Return the weights by name, or by place where the runs have no names."""
        if list(columns) == [str(place) for place in range(len(columns))]:
            return point.tolist()
        return dict(zip(columns, point.tolist(), strict=True))


def check_size(points: float, path: str) -> None:
    """Refuse more points than are tried."""
    if points > MOST_POINTS:
        raise InvalidInput(
            f"a grid of {points:.0f} points is too fine; at most {MOST_POINTS} are tried",
            path=path,
        )


def _positive(step: float, path: str) -> float:
    if step <= 0:
        raise InvalidInput("a step is above 0", path=path)
    return step
