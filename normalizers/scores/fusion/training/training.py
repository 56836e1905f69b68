"""Training queries of a fusion: runs beside relevance judgements."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from normalizers.contract import Batch, Field, Fields, Notice, ids, optional, record
from normalizers.contract.answer import NO_OPTIONS
from normalizers.data.arrays import Array
from normalizers.errors import ShapeError, relocated
from normalizers.measures.judged import Judged
from normalizers.scores.fusion.runs.run import Run
from normalizers.scores.fusion.training.judgements import JUDGED, Judgements, read_judgements
from normalizers.validation.missing import screen

if TYPE_CHECKING:
    from normalizers.scores.fusion.base.fusion import Fusion

RUNS, QRELS, QUERY_IDS = "runs", "qrels", "query_ids"
INPUT = "input"


@dataclass(frozen=True)
class Training:
    """Runs of the training queries, and what is relevant to each.

    Parameters
    ----------
    runs : list of Run
    judgements : Judgements
    notices : tuple of Notice
        What was noticed while reading the runs.
    """

    runs: list[Run]
    judgements: Judgements
    notices: tuple[Notice, ...] = ()

    def __len__(self) -> int:
        return len(self.judgements.relevant)

    def judged(self, run: Run) -> Judged:
        """Return what the judgements say of the lists of a run."""
        return self.judgements.judge(run.ids)

    def report(self) -> dict[str, object]:
        """Return what a fit report says of the queries."""
        found = [
            frozenset().union(*(run.ids.values[run.query(query)].tolist() for run in self.runs))
            for query in range(len(self))
        ]
        missed = [
            len(relevant - hits)
            for relevant, hits in zip(self.judgements.relevant, found, strict=True)
        ]
        return {
            "queries": len(self),
            "queries_without_relevant": int(np.count_nonzero(self.judgements.counts == 0)),
            "relevant": int(self.judgements.counts.sum()),
            "relevant_not_retrieved": sum(missed),
            "queries_not_asked": self.judgements.unknown_queries,
            "noticed": [noted.as_dict() for noted in self.notices],
        }


# Flat lists without a hit are those of no query.
NO_QUERIES = Training([], Judgements(()))


def training_fields(runs: Field) -> Fields:
    """Return what a fit on relevance judgements takes, with this field of runs."""
    return Fields(
        runs=runs,
        qrels=record(help="relevance judgements of the queries of the runs", **JUDGED),
        query_ids=optional(ids("q", help="names of the queries, where judgements name them")),
    )


def read_training(fusion: Fusion, batch: Batch, path: str) -> Training:
    """Return the training queries that stand at `path`.

    Raises
    ------
    NormalizerError
        What a fusion refuses, and judgements that are not those of the runs.
    """
    with standing_at(path):
        runs, notices = fusion.read(batch, NO_OPTIONS)
    if batch.form(RUNS).style == "flat" and not any(len(run.raw) for run in runs):
        return NO_QUERIES
    queries = len(runs[0].ids)
    names = _names(batch, queries, path)
    place = f"{path}.{QRELS}"
    sent = screen(JUDGED, batch.record(QRELS), nan_policy="reject", inf_policy="reject", path=place)
    with _beside(path):
        judgements = read_judgements(sent, queries, place, names)
    return Training(runs, judgements, tuple(notices))


def standing_at(path: str) -> AbstractContextManager[None]:
    """Say of what is wrong in a fusion's input that it stands at `path`."""
    return relocated(
        lambda place: path + place.removeprefix(INPUT) if place.startswith(INPUT) else place
    )


def _beside(path: str) -> AbstractContextManager[None]:
    """Say where names of queries would stand."""
    return relocated(lambda place: f"{path}.{QUERY_IDS}" if place == QUERY_IDS else place)


def _names(batch: Batch, queries: int, path: str) -> Array | None:
    if QUERY_IDS not in batch:
        return None
    names = batch.array(QUERY_IDS)
    if len(names) != queries:
        raise ShapeError(
            f"{len(names)} query ids, but the runs have lists for {queries} queries",
            path=f"{path}.{QUERY_IDS}",
        )
    return names
