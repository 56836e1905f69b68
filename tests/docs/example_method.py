"""Ratio to the mean: every column in units of its own fitted mean."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np

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
from normalizers.normalizer import Normalizer
from normalizers.statistics import Moments


class RatioToMean(Normalizer):
    """Divide each column by its fitted mean: y = scale x / mean.

    Notes
    -----
    Missing values are refused. A column whose mean is 0 is refused: it has no such unit.
    Constant columns and ties need no rule. Cost O(n c).

    References
    ----------
    An index number with the mean as its base.

    Examples
    --------
    >>> from tests.docs.example_method import RatioToMean
    >>> RatioToMean(scale=100.0).fit([[2.0], [4.0]]).transform([[3.0], [6.0]]).tolist()
    [[100.0], [200.0]]
    """

    name = "ratio_to_mean"
    family = "metrics"
    kinds = ("fitted",)
    aliases = {"index_number": {"scale": 100.0}}
    fits = Fields(x=floats("n c", flat="column", help="rows to take the mean of"))
    takes = Fields(x=floats("m c", flat="column", help="rows to divide"))
    gives = Fields(y=floats("m c", flat="column", help="ratios"))
    inverse_takes = Fields(y=floats("m c", flat="column", help="ratios"))
    keeps = {"moments": Moments()}
    example = Example(fit={"x": [2.0, 4.0]}, input={"x": [3.0, 6.0]})

    scale: float | None = param(
        default=None, default_value=1.0, affects="answer", gt=0, help="what the mean becomes"
    )

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows of a batch."""
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
        """Return the ratios; the parts behind them are the means."""
        answer = Answer({"y": batch.array("x") / fitted["mean"] * unwrap(self.scale)})
        parts = {"mean": fitted["mean"].tolist()}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the rows from the ratios."""
        return Answer({"x": batch.array("y") / unwrap(self.scale) * fitted["mean"]})
