"""The evidence of a request: runs with judgements, or scores with labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.batch import Notice
from normalizers.errors import InvalidInput
from normalizers.evaluation.labelled import PROBABILITIES, SCORES, read_labelled
from normalizers.evaluation.rankings import QRELS, RANKINGS, Reading, read_rankings
from normalizers.evaluation.treatment import Inspect, Treatment, ignore
from normalizers.messages import did_you_mean, printable_name, quoted

VALUES = (SCORES, PROBABILITIES)
LABELLED = frozenset({*VALUES, "labels", "clusters", "offsets", "lengths"})
EITHER = frozenset({"higher_is_better"})
RUNS = frozenset({QRELS, *RANKINGS, *Reading.model_fields}) - EITHER
MEMBERS = tuple(sorted(LABELLED | RUNS | EITHER))


@dataclass(frozen=True)
class EvaluationInput:
    """What was sent to be measured.

    Parameters
    ----------
    treatments : tuple of Treatment
        In the order of the request.
    units : object array of str or None
        Names of the queries, where they were sent.
    counts : mapping
        Sizes of what was sent.
    notices : tuple of Notice
        What was noticed while reading it.
    """

    treatments: tuple[Treatment, ...]
    units: Array | None = None
    counts: Mapping[str, object] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()


def read_evidence(
    sent: Mapping[str, object], path: str, inspect: Inspect = ignore
) -> EvaluationInput:
    """Return the evidence that stands at `path`.

    Parameters
    ----------
    sent : mapping
        The members by name.
    path : str
        Where they stand.
    inspect : callable
        Is given every part that was read, and its path, before anything is computed.

    Raises
    ------
    InvalidInput
        For members that are unknown, missing, or do not belong together.
    """
    given = {name: value for name, value in sent.items() if value is not None}
    for name in given:
        if name not in MEMBERS:
            raise InvalidInput(
                f"unknown member {quoted(name)}{did_you_mean(name, MEMBERS)}; "
                f"known: {', '.join(MEMBERS)}",
                path=f"{path}.{printable_name(name)}",
            )
    mixed = sorted(given.keys() & LABELLED)
    if given.keys() & RUNS and mixed:
        raise InvalidInput(
            "send runs with qrels, or scores with labels, not both", path=f"{path}.{mixed[0]}"
        )
    if given.keys() & RUNS:
        rankings = read_rankings(given, path, inspect)
        return EvaluationInput(
            rankings.treatments, rankings.query_ids, rankings.counts, rankings.notices
        )
    return _labelled(given, path, inspect)


def _labelled(given: Mapping[str, object], path: str, inspect: Inspect) -> EvaluationInput:
    treatment = read_labelled(given, path, inspect)
    labelled = treatment.labelled
    if labelled is None or not len(labelled.scores):
        raise InvalidInput("there are no scores here", path=treatment.path)
    counts = {
        "rows": len(labelled.scores),
        "positives": int(np.count_nonzero(labelled.labels)),
        "clusters": len(labelled),
    }
    return EvaluationInput((treatment,), counts=counts)
