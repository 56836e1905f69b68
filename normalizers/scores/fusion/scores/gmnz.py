"""GMNZ: the sum of normalized scores times a power of the number of runs that agree."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example, param, unwrap
from normalizers.data.arrays import Array
from normalizers.scores.fusion.base.score_fusion import ScoreFusion
from normalizers.scores.fusion.runs.example import RUNS
from normalizers.scores.fusion.runs.pool import Entries, Pool
from normalizers.scores.fusion.search.grid_search import GridSearchFusion
from normalizers.scores.fusion.search.space import Scale

# A number of runs to this power is a float64 still.
LARGEST_POWER = 50.0


class Gmnz(GridSearchFusion, ScoreFusion):
    """Fuse scored lists: the sum of normalized scores, times a power of the number of its runs.

    ``score = |L|^gamma * sum s`` over the runs L that found the document, s normalized list by
    list. ``gamma`` 0 is `combsum`, 1 is `combmnz`.

    Notes
    -----
    A run that lacks a document is skipped.

    The parts of `explain` add up to the score divided by its ``factor``.

    A fit on judged runs with a `measure` finds `gamma`: 0 to 1 by 0.01 is tried, or `grid`; of
    equally good values the smallest is taken.

    References
    ----------
    Lee, "Analyses of multiple evidence combination", SIGIR 1997; ranx's ``gmnz``.

    Examples
    --------
    >>> from normalizers import Gmnz
    >>> words = {"name": "words", "ids": ["a", "b", "c"], "scores": [12.0, 9.0, 2.0]}
    >>> vectors = {"name": "vectors", "ids": ["c", "a", "d"], "scores": [0.9, 0.7, 0.4]}
    >>> answer = Gmnz(gamma=0.5).apply_to(runs=[words, vectors])
    >>> list(zip(answer["ids"].tolist(), answer["scores"].round(4).tolist()))
    [('a', 2.2627), ('c', 1.4142), ('b', 0.7), ('d', 0.0)]
    """

    name = "gmnz"
    searched = "gamma"
    gamma: float | None = param(
        default=None,
        default_value=1.0,
        affects="answer",
        ge=0,
        le=LARGEST_POWER,
        help="power of the number of runs that found a document",
    )
    example = Example(
        params={"gamma": 0.5},
        input=RUNS,
    )

    @property
    def space(self) -> Scale:
        """Gamma from 0 to 1 in hundredths."""
        return Scale("gamma", 0.0, 1.0, 0.01)

    def factor(self, entries: Entries, pool: Pool) -> Array | None:
        """Return the power of the number of runs."""
        return np.maximum(entries.finders, 1) ** unwrap(self.gamma)
