"""Convex combination: one run's normalized scores times alpha, the other's times the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeAlias

import numpy as np
from annotated_types import Ge

from normalizers.contract import Example, param, unwrap
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.messages import quoted
from normalizers.scores.fusion.base.summing import SummingFusion
from normalizers.scores.fusion.runs.example import RUNS
from normalizers.scores.fusion.runs.run import Run
from normalizers.scores.fusion.search.grid_search import GridSearchFusion
from normalizers.scores.fusion.search.space import Scale

RunName: TypeAlias = str | Annotated[int, Ge(0)]
TWO_RUNS = 2


class Convex(GridSearchFusion, SummingFusion):
    """Fuse two scored lists: ``alpha`` times one run's normalized score plus the rest of the other.

    ``score = alpha s_A + (1 - alpha) s_B``, s normalized list by list; A is the run `alpha_run`,
    by name or place, without it the first.

    Notes
    -----
    An alpha of 0 or 1 means exactly that; documents that only a run of weight 0 found score 0 and
    stay unless `drop_zero_weight`. A document that a run lacks counts as `missing` says: with
    ``auto`` as 0 where the run's normalizer is bounded, else as the run's lowest value.

    The parts of `explain` add up to the score. A good alpha for one collection is rarely better
    than 0.5 on another.

    A fit on judged runs with a `measure` finds `alpha`: 0 to 1 by 0.05 is tried, or `grid`; of
    equally good values the smallest is taken.

    References
    ----------
    Bruch, Gai, Ingber, "An analysis of fusion functions for hybrid retrieval", ACM TOIS 2023.

    Examples
    --------
    >>> from normalizers import Convex
    >>> words = {"name": "words", "ids": ["a", "b", "c"], "scores": [12.0, 9.0, 2.0]}
    >>> vectors = {"name": "vectors", "ids": ["c", "a", "d"], "scores": [0.9, 0.7, 0.4]}
    >>> answer = Convex(alpha=0.8, alpha_run="vectors").apply_to(runs=[words, vectors])
    >>> list(zip(answer["ids"].tolist(), answer["scores"].round(4).tolist()))
    [('c', 0.8), ('a', 0.68), ('b', 0.14), ('d', 0.0)]
    """

    name = "convex"
    searched = "alpha"
    required_or_fitted = ("alpha",)
    example = Example(
        params={"alpha": 0.6, "alpha_run": "vectors"},
        input=RUNS,
    )

    alpha: float | None = param(
        default=None,
        affects="answer",
        ge=0,
        le=1,
        help="weight of one run, the other has the rest; required, or found by a fit",
    )
    alpha_run: RunName | None = param(
        default=None,
        default_value=0,
        affects="answer",
        help="which run has alpha, by name or place",
    )
    drop_zero_weight: bool | None = param(
        default=None,
        default_value=False,
        affects="answer",
        help="leave out documents that only a run of weight 0 found",
    )

    @property
    def space(self) -> Scale:
        """Alpha from 0 to 1 in steps of 0.05."""
        return Scale("alpha", 0.0, 1.0, 0.05)

    @property
    def drops_zero_weight(self) -> bool:
        """Whether documents that only a run of weight 0 found are left out."""
        return bool(self.drop_zero_weight)

    def run_weights(self, runs: Sequence[Run]) -> Array:
        """Return alpha for its run, and the rest for the other."""
        if len(runs) != TWO_RUNS:
            raise InvalidInput(f"'{self.name}' fuses two runs, not {len(runs)}", path="input.runs")
        named = 0 if self.alpha_run is None else self.alpha_run
        place = place_of_run(named, runs, "params.alpha_run")
        weights = np.full(TWO_RUNS, 1 - unwrap(self.alpha))
        weights[place] = unwrap(self.alpha)
        return weights


def place_of_run(named: RunName, runs: Sequence[Run], path: str) -> int:
    """Return the place of a run that is named, or given by its place.

    Raises
    ------
    InvalidParams
        No such run.
    """
    if isinstance(named, int):
        if named < len(runs):
            return named
        raise InvalidParams(f"there are {len(runs)} runs; places begin at 0", path=path)
    names = [run.name for run in runs]
    if named not in names:
        raise InvalidParams(f"no run is called {quoted(named)}", path=path)
    return names.index(named)
