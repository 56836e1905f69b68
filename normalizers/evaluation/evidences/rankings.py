"""Runs with relevance judgements, as a request sends them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from pydantic import Field

from normalizers.contract.fields import Fields, ids, optional, record
from normalizers.data.arrays import LARGEST_INTEGER, Array
from normalizers.data.batch import Batch
from normalizers.errors import InvalidInput, ShapeError
from normalizers.evaluation.evidence import EvaluationInput, Evidence
from normalizers.evaluation.evidences.scores_with_labels import as_probabilities
from normalizers.evaluation.treatment import Inspect, Treatment, Views
from normalizers.measures.labelled import Labelled
from normalizers.measures.measure import Parameters
from normalizers.measures.table import read_parameters
from normalizers.scores.fusion.runs.read_runs import read_runs
from normalizers.scores.fusion.runs.run import Duplicates, ReadRules, Run, TieOrder, runs_field
from normalizers.scores.fusion.training.judgements import JUDGED, Judgements, read_judgements
from normalizers.validation import validate
from normalizers.validation.missing import screen

QRELS = "qrels"
WITHOUT_SCORES = "a score at every hit; this run has none at some"
RANKINGS = Fields(
    runs=runs_field(),
    query_ids=optional(ids("q", help="names of the queries, in the order of the lists")),
)


class Reading(Parameters):
    """How the lists of runs are read."""

    higher_is_better: bool = Field(
        default=True, description="direction of runs that do not say theirs"
    )
    duplicates: Duplicates = Field(
        default="best", description="what counts where a list holds an id twice"
    )
    depth: int | None = Field(
        default=None, ge=1, le=LARGEST_INTEGER, description="hits of each list that take part"
    )
    ties: TieOrder = Field(
        default="id",
        description="equal scores by id ascending, or 'trec': scores in single precision, equal "
        "ones by id descending, as trec_eval sorts",
    )


def read_rankings(given: Mapping[str, object], path: str, inspect: Inspect) -> EvaluationInput:
    """Return runs with what the judgements say of their hits.

    Raises
    ------
    InvalidInput
        For runs, judgements or queries that do not fit together.
    """
    batch = validate(RANKINGS, _some(given, RANKINGS), path=path)
    inspect(batch, path)
    reading = read_parameters(Reading, _some(given, Reading.model_fields), path)
    rules = ReadRules(
        reading.higher_is_better, reading.duplicates, "position", reading.depth, order=reading.ties
    )
    runs, notices = read_runs(batch, rules, f"{path}.runs")
    queries = len(runs[0].ids)
    names = _names(batch, queries, path)
    judgements = _judgements(given, queries, names, f"{path}.{QRELS}", inspect)
    found = [
        _treatment(run, f"{path}.runs[{index}].scores", judgements)
        for index, run in enumerate(runs)
    ]
    told = (*batch.notices, *notices)
    return EvaluationInput(tuple(found), names, _counts(runs, judgements), told)


def _some(given: Mapping[str, object], names: Collection[str]) -> dict[str, object]:
    return {name: value for name, value in given.items() if name in names}


def _names(batch: Batch, queries: int, path: str) -> Array | None:
    if "query_ids" not in batch:
        return None
    names = batch.array("query_ids")
    if len(names) != queries:
        raise ShapeError(
            f"{len(names)} query ids, but the runs have lists for {queries} queries",
            path=f"{path}.query_ids",
        )
    return names


def _judgements(
    given: Mapping[str, object], queries: int, names: Array | None, path: str, inspect: Inspect
) -> Judgements:
    sent = given.get(QRELS)
    if not isinstance(sent, Mapping):
        raise InvalidInput(
            "qrels are an object: ids, and judgements unless every id is relevant", path=path
        )
    batch = screen(
        JUDGED,
        validate(JUDGED, sent, path=path),
        nan_policy="reject",
        inf_policy="reject",
        path=path,
    )
    inspect(batch, path)
    return read_judgements(batch, queries, path, names)


def _treatment(run: Run, path: str, judgements: Judgements) -> Treatment:
    judged = judgements.judge(run.ids)
    if np.isnan(run.raw).any():
        views: Views = dict.fromkeys(("scores", "probabilities"), WITHOUT_SCORES)
        return Treatment(run.name, path, {"rankings": judged, **views}, run.higher_is_better)
    scores = run.raw if run.higher_is_better else -run.raw
    labels = judgements.of(run.ids).values
    labelled = Labelled.of(scores, labels, run.ids.part_of_each(), len(run.ids))
    views = {
        "rankings": judged,
        "scores": labelled,
        "probabilities": as_probabilities(labelled, run.higher_is_better),
    }
    return Treatment(run.name, path, views, run.higher_is_better, labelled.base_rate)


def _counts(runs: list[Run], judgements: Judgements) -> dict[str, object]:
    found = [
        frozenset().union(*(run.ids.values[run.query(query)].tolist() for run in runs))
        for query in range(len(judgements.relevant))
    ]
    missed = sum(
        len(relevant - hits) for relevant, hits in zip(judgements.relevant, found, strict=True)
    )
    return {
        "queries": len(judgements.relevant),
        "queries_without_relevant": int(np.count_nonzero(judgements.counts == 0)),
        "judged": judgements.judged,
        "relevant": int(judgements.counts.sum()),
        "relevant_not_retrieved": missed,
        "queries_not_asked": judgements.unknown_queries,
    }


EXAMPLES = {
    "Two runs against judgements, one beside the other": {
        "measures": ["ndcg@10", "recall@2", "mrr"],
        "runs": [
            {"name": "bm25", "ids": [["a", "b"], ["d", "e"]], "scores": [[9.1, 4.0], [5, 2]]},
            {"name": "dense", "ids": [["b", "c"], ["e"]], "scores": [[0.8, 0.7], [0.4]]},
        ],
        "query_ids": ["q1", "q2"],
        "qrels": {"ids": [["b", "c"], ["e"]], "judgements": [[1, 0], [2]]},
        "baseline": "bm25",
        "bootstrap": {"samples": 200, "seed": 7},
        "per_query": True,
    },
}
EVIDENCE = Evidence(
    sends=("runs", "qrels"),
    fields=RANKINGS.with_fields(
        qrels=record(
            help="judgements: ids and judgements (grades; above 0: relevant; left out, all 1), "
            "one list a query, or flat beside query_ids",
            **JUDGED,
        )
    ),
    read=read_rankings,
    offers=("rankings", "scores", "probabilities"),
    parameters=Reading,
    examples=EXAMPLES,
)
