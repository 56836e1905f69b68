"""Base index: every column in units of its mean over base rows."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np

from normalizers import Normalizer
from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistics,
    floats,
    param,
    unwrap,
)
from normalizers.errors import FitError
from normalizers.statistics import Moments


class BaseIndex(Normalizer):
    """Divide each column by its mean over the base rows: y = base x / mean.

    Notes
    -----
    Missing values are refused. A column whose mean is 0 is refused: it has no such unit. Constant
    columns and ties need no rule. Cost O(n c).

    References
    ----------
    Laspeyres, Die Berechnung einer mittleren Waarenpreissteigerung, 1871.

    Examples
    --------
    >>> from normd_indexed import BaseIndex
    >>> BaseIndex().fit([[2.0], [4.0]]).transform([[3.0], [6.0]]).tolist()
    [[100.0], [200.0]]
    """

    name = "base_index"
    family = "metrics"
    kinds = ("fitted",)
    fits = Fields(x=floats("n c", flat="column", help="base rows"))
    takes = Fields(x=floats("m c", flat="column", help="rows"))
    gives = Fields(y=floats("m c", flat="column", help="indices"))
    inverse_takes = Fields(y=floats("m c", flat="column", help="indices"))
    keeps = {"moments": Moments()}
    example = Example(fit={"x": [2.0, 4.0]}, input={"x": [3.0, 6.0]})

    base: float | None = param(
        default=None, default_value=100.0, affects="answer", gt=0, help="index of the base"
    )

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add base rows."""
        moments = cast(Moments, statistics["moments"])
        return statistics.replace(moments=moments.update(batch.array("x")))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the mean of each column."""
        moments = cast(Moments, statistics["moments"])
        if not moments.mean.all():
            column = int(np.argmin(np.abs(moments.mean)))
            raise FitError(f"column {column} has mean 0, which divides nothing", path="fit.x")
        return Fitted({"mean": moments.mean}, sizes={"c": len(moments.mean)})

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the indices; the parts behind them are the means."""
        answer = Answer({"y": batch.array("x") / fitted["mean"] * unwrap(self.base)})
        parts = {"mean": fitted["mean"].tolist()}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the rows from the indices."""
        return Answer({"x": batch.array("y") / unwrap(self.base) * fitted["mean"]})
