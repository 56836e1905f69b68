"""How far the choice of a search can be trusted: other queries, left-out queries, resamples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from normalizers.contract import Batch, Field, Fields, Fitted, floats, integers, optional, record
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput
from normalizers.measures.bootstrap import Bootstrap, draws, interval
from normalizers.measures.table import read_parameters
from normalizers.scores.fusion.base.fusion import Fusion
from normalizers.scores.fusion.search.space import SearchSpace
from normalizers.scores.fusion.search.trials import TrialFusions
from normalizers.scores.fusion.training.training import read_training
from normalizers.statistics import Trials
from normalizers.statistics.trials import COARSE

FOLDS, BOOTSTRAP, VALIDATION = "folds", "bootstrap", "validation"
REQUESTED = frozenset({FOLDS, BOOTSTRAP, VALIDATION})


def diagnostic_fields() -> dict[str, Field]:
    """Return what asks for a cross-validation and for resamples."""
    return {
        FOLDS: optional(integers("", help="choose on all but one of so many parts, test on it")),
        BOOTSTRAP: optional(
            record(
                samples=optional(integers("", help="resamples of the queries, 1000 by default")),
                seed=optional(integers("", help="the same draws again, 0 by default")),
                confidence=optional(floats("", help="share of resamples within the interval")),
                help="choose again on resampled queries; an empty object is enough",
            )
        ),
    }


def validation_field(training: Fields) -> dict[str, Field]:
    """Return what sends other queries, with the fields of the training queries."""
    return {VALIDATION: optional(record(help="other queries to measure the choice on", **training))}


@dataclass(frozen=True)
class Selection:
    """A search whose queries are at hand.

    Parameters
    ----------
    fusion : Fusion
        The fusion whose parameter is searched.
    space : SearchSpace
        What is tried.
    at : callable
        Gives the fusion at a point, and what it learns of the training queries.
    fusions : TrialFusions
        The training queries.
    trials : Trials
        The grid, of no query yet.
    table : array of shape (q, t)
        The measure of each judged query at each point.
    """

    fusion: Fusion
    space: SearchSpace
    at: Callable[[Array], tuple[Fusion, Fitted]]
    fusions: TrialFusions
    trials: Trials
    table: Array

    def best(self, queries: Array) -> int:
        """Return the point that is best on some of the queries."""
        return self.trials.update(self.table[queries]).best

    def value(self, point: int) -> object:
        """Return the value of the parameter at a point."""
        return self.space.value(self.trials.columns, self.trials.grid[point])

    def report(self, batch: Batch) -> dict[str, object]:
        """Return what was asked for."""
        told: dict[str, object] = {}
        if FOLDS in batch:
            told["cross_validation"] = self.cross_validation(int(batch.array(FOLDS)))
        if BOOTSTRAP in batch:
            told[BOOTSTRAP] = self.resampled(_bootstrap(batch.record(BOOTSTRAP)))
        if VALIDATION in batch:
            told[VALIDATION] = self.validation(batch.record(VALIDATION))
        return told

    def cross_validation(self, folds: int) -> dict[str, object]:
        """Return the mean of the measure on queries that the choice did not see.

        Query i stands in part ``i % folds`` of the judged queries.
        """
        queries = len(self.table)
        if not 2 <= folds <= queries:
            raise InvalidInput(
                f"folds are 2 to the number of judged queries, {queries}", path=f"fit.{FOLDS}"
            )
        part = np.arange(queries) % folds
        chosen = [self.best(part != fold) for fold in range(folds)]
        values = self.table[np.arange(queries), np.array(chosen)[part]]
        return {
            "folds": folds,
            "value": float(values.mean()),
            "chosen": [self.value(point) for point in chosen],
        }

    def resampled(self, bootstrap: Bootstrap) -> dict[str, object]:
        """Return the intervals of the chosen point, and of the measure at it."""
        # Multiples of one unit: sums are exact, so that points that are level stay level.
        exact = np.rint(self.table / COARSE) * COARSE
        best = self.best(np.ones(len(exact), dtype=bool))
        sums = [drawn @ exact for drawn in draws(bootstrap, len(exact))]
        chosen = self.trials.grid[np.argmax(np.concatenate(sums), axis=1)]
        means = np.concatenate([part[:, best] for part in sums]) / max(len(exact), 1)
        ends = [interval(column, bootstrap.confidence) for column in chosen.T]
        return {
            **bootstrap.model_dump(),
            "chosen": {
                name: list(pair) for name, pair in zip(self.trials.columns, ends, strict=True)
            },
            "value": list(interval(means, bootstrap.confidence)),
        }

    def validation(self, sent: Batch) -> dict[str, object]:
        """Return the mean of the measure on other queries at the chosen point."""
        path = f"{self.fusions.path}.{VALIDATION}"
        training = read_training(self.fusion, sent, path)
        best = self.trials.grid[self.best(np.ones(len(self.table), dtype=bool))]
        fusion, fitted = self.at(best)
        other = TrialFusions(training, sent, self.fusions.measure, path)
        if not len(training) or not other.judged.any():
            raise InvalidInput("no query here has a relevant document", path=path)
        if not (other.grades > 0).any():
            raise InvalidInput("no run here found a relevant document", path=path)
        values = other.values(fusion, fitted)
        return {"queries": len(values), "value": float(values.mean())}


def _bootstrap(sent: Batch) -> Bootstrap:
    given: Mapping[str, object] = {
        name: sent.array(name).item() if name == "confidence" else int(sent.array(name))
        for name in sent
    }
    return read_parameters(Bootstrap, given, f"fit.{BOOTSTRAP}")
