"""What every fusion shares that learns from relevance judgements how good each rank is."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, cast

import numpy as np

from normalizers.contract import Batch, Fields, Fitted, Notice, Statistic, Statistics, notice
from normalizers.contract.method import Kind
from normalizers.contract.resolution import unfitted
from normalizers.data.arrays import Array, string_array
from normalizers.errors import FitError, InvalidInput
from normalizers.measures.judged import Judged
from normalizers.messages import quoted
from normalizers.scores.base.label_counts import FEW_POSITIVES
from normalizers.scores.fusion.base.fusion import Fusion
from normalizers.scores.fusion.runs.pool import Pool, Share
from normalizers.scores.fusion.runs.run import Run
from normalizers.scores.fusion.training.rank_tallies import RankTallies, check_tallies, tallied
from normalizers.scores.fusion.training.training import Training, read_training, training_fields
from normalizers.statistics import Counts, Grouped

COUNTS, RUNS = "counts", "runs"
KEY = ("run",)
FIT = "fit"


class TrainedFusion(Fusion):
    """Base of the fusions that are fitted on runs with relevance judgements.

    What they keep of each run are exact counts: parts of the training queries merge in any order
    to the same fit.

    Notes
    -----
    Runs are known by their names, or by their places where they have none; one that the fit did not
    see is refused.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("fitted",)

    @property
    def fits(self) -> Fields:
        """Runs of the training queries with their judgements."""
        return training_fields(self.takes[RUNS])

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """Counts of each run."""
        return {COUNTS: Grouped(Counts(), KEY)}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add training queries."""
        return self.add_training(statistics, read_training(self, batch, FIT))

    def add_training(self, statistics: Statistics, training: Training) -> Statistics:
        """Return the statistics with training queries added."""
        kept = cast("Grouped[Counts]", statistics[COUNTS])
        for run in training.runs:
            values, times = self.count(training.judged(run))
            kept = kept.update(string_array([str(run.name)] * len(values)), values, times)
        return statistics.replace(**{COUNTS: kept})

    def report(self, batch: Batch, fitted: Fitted) -> dict[str, object]:
        """Return how many queries and judgements there were."""
        return read_training(self, batch, FIT).report()

    def solve(self, statistics: Statistics) -> Fitted:
        """Return what each run gives for its ranks."""
        kept = cast("Grouped[Counts]", statistics[COUNTS])
        names = [key[0] for key in kept]
        solved = self.solve_runs([kept[name] for name in names])
        own = unfitted(self)
        arrays = {**own.arrays, RUNS: string_array(names), **solved}
        reports = [{"run": name, **self.describe(kept[name])} for name in names]
        if not any(told["relevant"] for told in reports):
            raise FitError("no run found a relevant document: there is nothing to learn from")
        return Fitted(arrays, own.sizes, {RUNS: reports}, tuple(_few(reports)))

    def count(self, judged: Judged) -> tuple[Array, Array]:
        """Return what is counted of a run, and how often each occurs."""
        return tallied(judged)

    def describe(self, counts: Counts) -> dict[str, object]:
        """Return what the fit report says of a run."""
        tallies = RankTallies.of(counts)
        return {
            "queries": tallies.queries,
            "depth": tallies.depth,
            "relevant": int(tallies.relevant.sum()),
        }

    def check_statistics(self, statistics: Statistics, path: str) -> None:
        """Refuse posted counts that no lists have."""
        kept = cast("Grouped[Counts]", statistics[COUNTS])
        for key in kept:
            check_tallies(kept[key], f"{path}.{COUNTS}.bins")

    @abstractmethod
    def solve_runs(self, counts: Sequence[Counts]) -> Mapping[str, Array]:
        """Return the fitted arrays of the counts of each run, one row a run."""


class TrainedRankFusion(TrainedFusion):
    """Base of the trained fusions that add up what each run gives for its ranks.

    Notes
    -----
    Lists with scores are ranked by them in their run's direction, equal scores by id; lists without
    scores, or with a missing one, by position.
    """

    def shares(self, pool: Pool, batch: Batch) -> tuple[list[Share], list[Notice]]:
        """Return what each run gives its hits for their ranks, and documents that it lacks."""
        rows = rows_of(pool)
        pairs = list(zip(pool.runs, rows, strict=True))
        shares = [
            Share(self.by_rank(run, row, pool.fitted), absent=self.by_absence(run))
            for run, row in pairs
        ]
        return shares, list(beyond_depth(pool, rows))

    @abstractmethod
    def by_rank(self, run: Run, row: int, fitted: Fitted) -> Array:
        """Return what a run gives each of its hits; `row` is its own of the fitted arrays."""

    def by_absence(self, run: Run) -> Array | None:
        """Return by query what a run gives every document that it lacks; None for nothing."""
        return None


def rows_of(pool: Pool) -> list[int]:
    """Return the row of each run in the fitted arrays.

    Raises
    ------
    InvalidInput
        A run that the fit did not see.
    """
    known = pool.fitted[RUNS].tolist()
    for index, run in enumerate(pool.runs):
        if str(run.name) not in known:
            raise InvalidInput(
                f"the fit saw no run called {quoted(str(run.name))}; it saw "
                f"{', '.join(map(quoted, known))}",
                path=f"input.runs[{index}].name",
            )
    return [known.index(str(run.name)) for run in pool.runs]


def beyond_depth(pool: Pool, rows: Sequence[int]) -> Iterator[Notice]:
    """Yield a warning for each run with lists that are longer than those of the fit."""
    depths = pool.fitted.get("depths")
    for run, row in zip(pool.runs, rows, strict=True):
        if depths is None:
            return
        depth = int(depths[row])
        count = int(np.count_nonzero(run.ids.lengths > depth))
        if count:
            message = f"lists are longer than the {depth} hits that this run was trained on"
            yield notice("beyond_trained_depth", message, run=run.name, count=count)


def depths_of(tallies: Sequence[RankTallies]) -> Array:
    """Return the length of the longest list of each run, int64 of shape (m,)."""
    return np.array([each.depth for each in tallies], dtype=np.int64)


def _few(reports: Sequence[Mapping[str, object]]) -> Iterator[Notice]:
    for told in reports:
        relevant = cast(int, told["relevant"])
        if relevant < FEW_POSITIVES:
            message = f"fewer than {FEW_POSITIVES} relevant hits: what was learnt is rough"
            yield notice("few_positives", message, run=told["run"], positives=relevant)
