"""What the trained fusions share that can search for a parameter beside what they learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from normalizers.contract import Batch, Fields, Fitted, Statistic, Statistics
from normalizers.contract.method import Kind
from normalizers.contract.resolution import empty_statistics
from normalizers.data.arrays import Array
from normalizers.errors import FitError, InvalidInput
from normalizers.scores.fusion.search.diagnostics import VALIDATION
from normalizers.scores.fusion.search.grid_search import (
    FIT,
    TRIALS,
    GridSearchFusion,
    search_fields,
)
from normalizers.scores.fusion.search.space import GRID
from normalizers.scores.fusion.search.trials import MEASURE, TrialFusions
from normalizers.scores.fusion.training.trained_fusion import COUNTS, KEY, TrainedRankFusion
from normalizers.scores.fusion.training.training import RUNS, training_fields
from normalizers.statistics import Counts, Grouped, Trials


class SearchingTrainedFusion(GridSearchFusion, TrainedRankFusion):
    """Base of the trained fusions whose parameter is given, or found by a measure in the fit.

    Each value is tried on the queries that the fusion learns from.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("fitted",)

    @property
    def stateless(self) -> bool:
        """It is never applied without a fit."""
        return False

    @property
    def fittable(self) -> bool:
        """It is always fitted."""
        return True

    @property
    def fits(self) -> Fields:
        """Training queries; with a measure the parameter is searched for."""
        return search_fields(training_fields(self.takes[RUNS]), required=False)

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Counts of each run, and how well every point of the grid did."""
        return {COUNTS: Grouped(Counts(), KEY), TRIALS: Trials()}

    @property
    def optional_statistics(self) -> frozenset[str]:
        """Trials are kept where a measure was sent."""
        return frozenset({TRIALS})

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add training queries, and with a measure try every point on them."""
        if MEASURE in batch and getattr(self, self.searched) is not None:
            raise InvalidInput(
                f"'{self.searched}' is given: there is nothing to search for",
                path=f"{FIT}.{MEASURE}",
            )
        for name in (GRID, VALIDATION):
            if name in batch and MEASURE not in batch:
                raise InvalidInput(f"'{name}' needs a measure", path=f"{FIT}.{name}")
        learnt = TrainedRankFusion.accumulate(self, statistics, batch)
        if MEASURE in batch:
            return GridSearchFusion.accumulate(self, learnt, batch)
        kept = {name: each for name, each in learnt.items() if name != TRIALS}
        return Statistics(kept, optional=self.optional_statistics)

    def table(self, fusions: TrialFusions, trials: Trials) -> Array:
        """Return the measure of each judged query at each point, shape (q, t)."""
        taught = self.add_training(empty_statistics(self), fusions.training)
        tried = [self.at(trials.columns, point) for point in trials.grid]
        return fusions.table(tried, [TrainedRankFusion.solve(one, taught) for one in tried])

    def fit_on(self, fusions: TrialFusions) -> Fitted:
        """Return what this fusion learns of training queries beside the searched value."""
        return TrainedRankFusion.solve(
            self, self.add_training(empty_statistics(self), fusions.training)
        )

    def check_statistics(self, statistics: Statistics, path: str) -> None:
        """Refuse posted statistics that no training queries have."""
        TrainedRankFusion.check_statistics(self, statistics, path)
        if TRIALS in statistics:
            GridSearchFusion.check_statistics(self, statistics, path)

    def solve(self, statistics: Statistics) -> Fitted:
        """Return what each run gives for its ranks; every point stands in the report."""
        if getattr(self, self.searched) is None:
            raise FitError(
                f"'{self.searched}' is not known: name it, or send a measure with the fit",
                path=f"params.{self.searched}",
            )
        learnt = TrainedRankFusion.solve(self, statistics)
        trials = statistics.get(TRIALS)
        if not isinstance(trials, Trials) or trials.is_empty:
            return learnt
        return replace(learnt, report={**learnt.report, "search": self.curve(trials)})
