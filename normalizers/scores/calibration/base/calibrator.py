"""What every calibrator shares: labelled scores in, probabilities out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar, NamedTuple, cast

from normalizers.contract import (
    Batch,
    Fields,
    Fitted,
    Notice,
    Statistic,
    Statistics,
    floats,
    integers,
    optional,
)
from normalizers.data.arrays import Array
from normalizers.scores.base.label_counts import LabelCounts
from normalizers.scores.base.probability_map import ProbabilityMap
from normalizers.statistics import Knots
from normalizers.statistics.base.posted import refuse_where


class Solution(NamedTuple):
    """Fitted arrays, and what a reader of the fit should know beside the usual."""

    arrays: Mapping[str, Array]
    warnings: tuple[Notice, ...] = ()


class Calibrator(ProbabilityMap):
    """Base of the maps from score to probability that are fitted on labels.

    A subclass solves the evidence for its arrays.
    """

    kinds = ("fitted",)
    ascending: ClassVar[tuple[str, ...]] = ("range",)

    @property
    def fits(self) -> Fields:
        """Scores with their labels, and optionally weights."""
        return Fields(
            **{self.sent: floats("n", help="one a label")},
            labels=integers("n", help="1 = positive (relevant), 0 = negative"),
            sample_weights=optional(floats("n", help="weight of each row, none negative")),
        )

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Every distinct score with the number and weight of its labels."""
        return {"knots": Knots()}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add labelled scores."""
        sent, labels = batch.array(self.sent), batch.array("labels")
        refuse_where((labels != 0) & (labels != 1), "a label is 0 or 1", "fit.labels")
        refuse_where(self.unusable(sent), self.domain, f"fit.{self.sent}")
        rows = [sent, labels]
        if "sample_weights" in batch:
            rows.append(batch.array("sample_weights"))
            refuse_where(rows[-1] < 0, "a weight is negative", "fit.sample_weights")
        return statistics.replace(knots=_knots(statistics).update(*rows))

    def check_statistics(self, statistics: Statistics, path: str) -> None:
        """Refuse posted knots whose second value is not that of labels."""
        knots = _knots(statistics)
        wrong = (knots.mean < 0) | (knots.mean > 1)
        refuse_where(wrong, "a mean of labels is within 0..1", f"{path}.knots.mean")
        refuse_where(self.unusable(knots.x), self.domain, f"{path}.knots.x")

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the arrays of the map from score to probability."""
        evidence = LabelCounts.of(_knots(statistics))
        solution = self.solve_runs(evidence)
        arrays = {**solution.arrays, "range": evidence.x[[0, -1]]}
        log_odds = self.log_odds(Fitted(arrays), evidence.x)
        report = evidence.report(log_odds)
        warnings = (*evidence.warnings(), *solution.warnings, *evidence.diagnostics(log_odds))
        return Fitted(arrays, report=report, warnings=warnings)

    @abstractmethod
    def solve_runs(self, evidence: LabelCounts) -> Solution:
        """Return the arrays that fit the evidence best."""


def _knots(statistics: Statistics) -> Knots:
    return cast(Knots, statistics["knots"])
