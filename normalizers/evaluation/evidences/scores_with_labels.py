"""Scores or probabilities with labels, as a request sends them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from normalizers.contract.fields import Fields, boolean, labels, lists, optional
from normalizers.data.arrays import Array
from normalizers.data.batch import Batch
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, ShapeError, position_text
from normalizers.evaluation.evidence import EvaluationInput, Evidence
from normalizers.evaluation.treatment import Inspect, Treatment
from normalizers.measures.labelled import Labelled
from normalizers.validation import validate
from normalizers.validation.missing import screen

SCORES, PROBABILITIES, LABELS, CLUSTERS = "scores", "probabilities", "labels", "clusters"
FIELDS = Fields(
    ((SCORES,), (PROBABILITIES,)),
    scores=optional(lists(help="one list, or one a query")),
    probabilities=optional(lists(help="in place of scores: 0..1")),
    labels=lists(help="of each score: 1 relevant, 0 not"),
    clusters=optional(labels("n 1", help="which rows belong together, where scores are flat")),
    higher_is_better=optional(boolean(help="direction of the scores")),
)


def read_labelled(given: Mapping[str, object], path: str, inspect: Inspect) -> EvaluationInput:
    """Return scores with labels as one treatment.

    Rows of one list, or of one cluster, are one unit of the bootstrap; otherwise each row is.

    Raises
    ------
    InvalidInput
        For both scores and probabilities, or neither; for labels that are not 0 or 1, and
        probabilities beyond 0..1.
    NonFiniteError
        For missing or infinite values.
    """
    name = _sent(given, path)
    batch = validate(FIELDS, given, path=path)
    inspect(batch, path)
    batch = screen(FIELDS, batch, nan_policy="reject", inf_policy="reject", path=path)
    sent, truth = batch.ragged(name), batch.ragged(LABELS)
    _require(batch, LABELS, (truth.values == 0) | (truth.values == 1), "a label is 0 or 1", path)
    if name == PROBABILITIES:
        inside = (sent.values >= 0) & (sent.values <= 1)
        _require(batch, name, inside, "a probability is within 0..1", path)
    better = bool(batch["higher_is_better"]) if "higher_is_better" in batch else True
    scores = sent.values if better else -sent.values
    labelled = Labelled.of(scores, truth.values, *_units(batch, sent, path))
    if not labelled.rows:
        raise InvalidInput("there are no scores here", path=f"{path}.{name}")
    counts = {
        "rows": labelled.rows,
        "positives": int(np.count_nonzero(labelled.labels)),
        "clusters": len(labelled),
    }
    views = {"scores": labelled, "probabilities": as_probabilities(labelled, better)}
    one = Treatment(None, f"{path}.{name}", views, better, labelled.base_rate)
    return EvaluationInput((one,), counts=counts)


def as_probabilities(labelled: Labelled, higher_is_better: bool) -> Labelled | str:
    """Return the scores where they are probabilities, or what is needed in their place."""
    sent = labelled.scores
    if higher_is_better and not ((sent < 0) | (sent > 1)).any():
        return labelled
    return (
        "probabilities, 0..1 and more for the relevant ones; these scores are none: calibrate "
        "them first"
    )


def _sent(given: Mapping[str, object], path: str) -> str:
    names = [name for name in (SCORES, PROBABILITIES) if name in given]
    if len(names) == 1:
        return names[0]
    raise InvalidInput(
        "send runs with qrels, or one of scores and probabilities with labels",
        path=f"{path}.{SCORES}",
    )


def _require(batch: Batch, name: str, right: Array, message: str, path: str) -> None:
    wrong = np.flatnonzero(~right)
    if len(wrong):
        position = batch.form(name).as_written(batch.ragged(name).position(int(wrong[0])))
        more = f" ({len(wrong)} are not)" if len(wrong) > 1 else ""
        raise InvalidInput(message + more, path=f"{path}.{name}{position_text(position)}")


def _units(batch: Batch, sent: Ragged, path: str) -> tuple[Array, int]:
    """Return the unit of every row, and how many units there are."""
    if CLUSTERS in batch:
        clusters = batch.labels(CLUSTERS)
        if len(clusters) != len(sent.values):
            raise ShapeError(
                f"{len(clusters)} clusters for {len(sent.values)} scores",
                path=f"{path}.{CLUSTERS}",
            )
        return clusters.codes, len(clusters.keys)
    if len(sent) > 1:
        return sent.part_of_each(), len(sent)
    return np.arange(len(sent.values)), len(sent.values)


EXAMPLES = {
    "Probabilities against labels, one list a query": {
        "measures": ["brier", "log_loss", "auc"],
        "probabilities": [[0.9, 0.4, 0.1], [0.7, 0.2]],
        "labels": [[1, 0, 0], [0, 1]],
        "reliability": {"bins": 2},
    },
    "One threshold for all queries, chosen on others": {
        "measures": ["f1_threshold", {"measure": "f1_threshold", "params": {"threshold": 4}}],
        "scores": [[9.1, 4.0], [5.5, 2.0]],
        "labels": [[1, 0], [1, 0]],
        "training": {"scores": [[8.0, 6.0, 1.0]], "labels": [[1, 0, 0]]},
        "threshold_curve": True,
    },
}
EVIDENCE = Evidence(
    sends=("scores", "labels"),
    fields=FIELDS,
    read=read_labelled,
    offers=("scores", "probabilities"),
    values=(SCORES, PROBABILITIES),
    examples=EXAMPLES,
)
