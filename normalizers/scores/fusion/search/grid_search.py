"""What every fusion shares whose weights, or a parameter, can be searched for."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Self, cast

from normalizers.contract import (
    NOT_FITTED,
    Batch,
    Fields,
    Fitted,
    Notice,
    Statistic,
    Statistics,
    floats,
    notice,
    optional,
    text,
)
from normalizers.contract.method import Kind
from normalizers.contract.resolution import unfitted
from normalizers.data.arrays import Array
from normalizers.errors import FitError
from normalizers.scores.fusion.base.fusion import Fusion
from normalizers.scores.fusion.search.diagnostics import (
    REQUESTED,
    Selection,
    diagnostic_fields,
    validation_field,
)
from normalizers.scores.fusion.search.space import GRID, SearchSpace
from normalizers.scores.fusion.search.trials import MEASURE, TrialFusions, asked_measure
from normalizers.scores.fusion.training.training import RUNS, read_training, training_fields
from normalizers.statistics import Trials
from normalizers.versions.manifest import params_json

TRIALS = "trials"
FIT = "fit"


class GridSearchFusion(Fusion):
    """Base of the fusions that find the value of a parameter by trying a grid of values.

    Each value is tried on the training queries; the first of those with the best mean of the
    measure is taken, in ascending order of the grid.

    Attributes
    ----------
    searched : str
        The parameter; where it is given there is nothing to fit.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("stateless", "fitted")
    searched: ClassVar[str] = ""
    # Of a resolved copy, whose parameter has a value either way.
    _found_by_search = False

    @property
    @abstractmethod
    def space(self) -> SearchSpace:
        """What is tried by default."""

    @property
    def stateless(self) -> bool:
        """Whether it can be applied without a fit: unless a fit has to find something."""
        return all(getattr(self, name) is not None for name in self.required_or_fitted)

    @property
    def fittable(self) -> bool:
        """Whether the parameter is not given."""
        return self._found_by_search or getattr(self, self.searched) is None

    def validated(self, path: str = "params") -> Self:
        """Return a checked copy, which knows whether a search found the parameter."""
        return super().validated(path)._found(by_search=self._found_by_search)

    def resolved(
        self, statistics: Statistics | None, settled: Mapping[str, object] | None = None
    ) -> Self:
        """Return a copy on which every parameter has the value it is used with."""
        return super().resolved(statistics, settled)._found(by_search=self.fittable)

    def _found(self, *, by_search: bool) -> Self:
        twin = self.with_values({})
        twin._found_by_search = by_search
        return twin

    @property
    def fits(self) -> Fields:
        """Training queries, the measure, and what else is asked of the search."""
        training = training_fields(self.takes[RUNS])
        return search_fields(training, required=True).with_fields(**diagnostic_fields())

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """How well every point of the grid did."""
        return {TRIALS: Trials()}

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Take the best value of a search."""
        return {**super().defaults(statistics), **self.best_params(statistics)}

    def best_params(self, statistics: Statistics | None) -> dict[str, object]:
        """Return the value that a search found best, by the name of the parameter."""
        trials = None if statistics is None else statistics.get(TRIALS)
        if not isinstance(trials, Trials) or trials.is_empty:
            return {}
        # The points ascend and the first of the best is taken: the smallest of equals.
        return {self.searched: self.space.value(trials.columns, trials.grid[trials.best])}

    def at(self, columns: Sequence[str], point: Array) -> Self:
        """Return this fusion with the value of a point."""
        return self.with_values({self.searched: self.space.value(columns, point)})

    @property
    def settings(self) -> str:
        """What the trials depend on beside the searched value, as text."""
        given = {
            name: value for name, value in self.explicit_params.items() if name != self.searched
        }
        return json.dumps(params_json(self, given), sort_keys=True, separators=(",", ":"))

    def trials_of(self, batch: Batch, path: str = FIT) -> tuple[TrialFusions, Trials]:
        """Return the training queries of a request, and the trials of no query on its grid."""
        asked = asked_measure(str(batch[MEASURE]), path)
        training = read_training(self, batch, path)
        if not len(training):
            return TrialFusions(training, batch, asked, path), Trials()
        columns = self.space.columns(training.runs)
        grid = self.space.grid(batch, columns, path)
        if GRID in batch:
            for point in grid:
                self.at(columns, point).validated(f"{path}.{GRID}")
        started = Trials().started(asked.label, self.settings, columns, grid)
        return TrialFusions(training, batch, asked, path), started

    def table(self, fusions: TrialFusions, trials: Trials) -> Array:
        """Return the measure of each judged query at each point, shape (q, t)."""
        tried = [self.at(trials.columns, point) for point in trials.grid]
        return fusions.table(tried, [fusion.fit_on(fusions) for fusion in tried])

    def fit_on(self, fusions: TrialFusions) -> Fitted:
        """Return what this fusion learns of training queries beside the searched value."""
        return NOT_FITTED

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Try every point on more queries."""
        fusions, trials = self.trials_of(batch)
        if not trials.columns:
            return statistics
        trials = trials.update(self.table(fusions, trials))
        return statistics.replace(**{TRIALS: cast(Trials, statistics[TRIALS]).merge(trials)})

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the best point; every point stands in the report."""
        trials = cast(Trials, statistics[TRIALS])
        if trials.settings != self.settings:
            raise FitError(
                "the trials were made with other parameters, which may change what is best: fit "
                f"again, or name '{self.searched}'"
            )
        if not (trials.sums + trials.rests).any():
            raise FitError(
                f"no run found a relevant document that {trials.measure} counts: there is nothing "
                "to learn from"
            )
        own = unfitted(self)
        arrays = {**own.arrays, "best": trials.grid[trials.best]}
        return Fitted(arrays, own.sizes, {"search": self.curve(trials)}, _few_trials(trials))

    def check_statistics(self, statistics: Statistics, path: str) -> None:
        """Refuse posted trials of what cannot be tried or measured."""
        trials = cast(Trials, statistics[TRIALS])
        if trials.is_empty:
            return
        asked_measure(trials.measure, f"{path}.{TRIALS}")
        for point in trials.grid:
            self.at(trials.columns, point).validated(f"{path}.{TRIALS}.grid")

    def curve(self, trials: Trials) -> dict[str, object]:
        """Return the best value, and how well every value did."""
        means = trials.means.tolist()
        told = [
            {self.searched: self.space.value(trials.columns, point), "value": mean}
            for point, mean in zip(trials.grid, means, strict=True)
        ]
        return {
            "measure": trials.measure,
            "queries": trials.queries,
            "best": told[trials.best],
            "trials": told,
        }

    def report(self, batch: Batch, fitted: Fitted) -> dict[str, object]:
        """Return how many queries there were, and how far the choice can be trusted."""
        return {**read_training(self, batch, FIT).report(), **self.diagnostics(batch)}

    def diagnostics(self, batch: Batch) -> dict[str, object]:
        """Return the cross-validation, interval and validation that were asked for."""
        if not REQUESTED & batch.keys() or MEASURE not in batch:
            return {}
        fusions, trials = self.trials_of(batch)
        if not trials.columns:
            return {}

        def at(point: Array) -> tuple[Fusion, Fitted]:
            fusion = self.at(trials.columns, point)
            return fusion, fusion.fit_on(fusions)

        table = self.table(fusions, trials)
        return Selection(self, self.space, at, fusions, trials, table).report(batch)


def _few_trials(trials: Trials) -> tuple[Notice, ...]:
    if len(trials.grid) > 1:
        return ()
    told = "one value was tried, so nothing was chosen: a grid is a number, the step, or a list"
    return (notice("one_trial", f"{told} of several values"),)


def search_fields(fields: Fields, *, required: bool) -> Fields:
    """Return what a search takes beside training queries."""
    measure = text(help="what is made as large as possible: ndcg@10, map, precision@1 ...")
    return fields.with_fields(
        measure=measure if required else optional(measure),
        grid=optional(
            floats(
                "t p",
                flat="number",
                screened=False,
                help="values to try: a step, a list of values, or one list a point",
            )
        ),
        **validation_field(fields),
    )
