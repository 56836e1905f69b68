"""Scores with the known qualities of the same rows, as a request sends them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from normalizers.contract.fields import Fields, boolean, floats, labels, optional
from normalizers.data.batch import Batch
from normalizers.errors import InvalidInput
from normalizers.evaluation.evidence import EvaluationInput, Evidence
from normalizers.evaluation.treatment import Inspect, Treatment
from normalizers.measures.alignment import SystemAverages
from normalizers.measures.paired_systems import MOST_SYSTEMS, SegmentTests
from normalizers.measures.rated import Rated
from normalizers.validation import validate
from normalizers.validation.missing import screen

SCORES, QUALITIES, GROUPS, CLUSTERS = "scores", "qualities", "groups", "clusters"
SYSTEMS = "systems"
SEPARATOR = "/"  # between the labels of one group
FIELDS = Fields(
    scores=floats("n", help="the score of each row; null is missing"),
    qualities=floats("n", help="how good each row is known to be, more is better; null is missing"),
    groups=optional(labels("n j", help="the language, domain ... of each row")),
    clusters=optional(labels("n 1", help="which rows belong together, and are resampled so")),
    systems=optional(labels("n 1", help="which system each row is of; its clusters are segments")),
    higher_is_better=optional(boolean(help="direction of the scores")),
)


def read_rated(given: Mapping[str, object], path: str, inspect: Inspect) -> EvaluationInput:
    """Return scores with qualities as one treatment.

    A row without a score or without a quality is left out and counted.

    Raises
    ------
    InvalidInput
        For no rows.
    NonFiniteError
        For infinite values.
    """
    batch = validate(FIELDS, given, path=path)
    inspect(batch, path)
    batch = screen(FIELDS, batch, nan_policy="omit", inf_policy="reject", path=path)
    sent = batch.array(SCORES)
    if not len(sent):
        raise InvalidInput("there are no scores here", path=f"{path}.{SCORES}")
    better = bool(batch["higher_is_better"]) if "higher_is_better" in batch else True
    rated = Rated.of(
        sent if better else -sent,
        batch.array(QUALITIES),
        batch.labels(GROUPS) if GROUPS in batch else None,
        batch.labels(CLUSTERS) if CLUSTERS in batch else None,
    )
    counts: dict[str, object] = {
        "rows": rated.rows,
        "missing": len(sent) - rated.rows,
        "clusters": len(rated),
    }
    if GROUPS in batch:
        counts["groups"] = len(rated.keys)
    views = {
        "qualities": rated,
        "paired_systems": _paired(batch, better),
        "system_averages": _averages(batch, better),
    }
    one = Treatment(None, f"{path}.{SCORES}", views, better)
    return EvaluationInput((one,), counts=counts)


def _paired(batch: Batch, better: bool) -> SegmentTests | str:
    """Return the pairs of systems over the segments that all of them have; or what is not sent."""
    if SYSTEMS not in batch or CLUSTERS not in batch:
        return "systems, and clusters: the segment of each row"
    systems, segments = batch.labels(SYSTEMS), batch.labels(CLUSTERS)
    shape = (len(segments.keys), len(systems.keys))
    tables = []
    for name, sign in ((QUALITIES, 1.0), (SCORES, 1.0 if better else -1.0)):
        table = np.full(shape, np.nan)
        table[segments.codes, systems.codes] = sign * batch.array(name)
        tables.append(table)
    whole = ~(np.isnan(tables[0]) | np.isnan(tables[1])).any(axis=1)
    if shape[1] < 2 or not whole.any():
        return "two systems that share a segment with all others"
    if shape[1] > MOST_SYSTEMS:
        return f"at most {MOST_SYSTEMS} systems"
    return SegmentTests.of(*(table[whole] for table in tables))


def _averages(batch: Batch, better: bool) -> SystemAverages | str:
    """Return the means of each system and group; or what is not sent."""
    if SYSTEMS not in batch or GROUPS not in batch:
        return "systems and groups"
    systems, groups = batch.labels(SYSTEMS), batch.labels(GROUPS)
    shape = (len(systems.keys), len(groups.keys))
    cell = systems.codes * shape[1] + groups.codes
    scores, qualities = batch.array(SCORES) * (1.0 if better else -1.0), batch.array(QUALITIES)
    known = ~(np.isnan(scores) | np.isnan(qualities))
    count = np.bincount(cell[known], minlength=shape[0] * shape[1])
    tables = [
        # Divided before they are added: sums of large scores may overflow.
        np.where(
            count > 0,
            np.bincount(cell[known], column[known] / count[cell[known]], len(count)),
            np.nan,
        )
        for column in (scores, qualities)
    ]
    names = tuple(systems.keys[:, 0].tolist())
    keys = tuple(SEPARATOR.join(key) for key in groups.keys.tolist())
    own, known_best = (table.reshape(shape) for table in tables)
    return SystemAverages(names, keys, own, known_best, np.ones(shape[1]))


EXAMPLES = {
    "Scores beside human scores of the same rows, before and after alignment": {
        "measures": [
            "pearson",
            "kendall",
            {"measure": "pair_accuracy", "params": {"pairs": "cross_group"}},
        ],
        "scores": [0.9, 0.1, -0.8, 1.1, 0.2, -1.0],
        "qualities": [95, 80, 60, 97, 82, 55],
        "groups": ["de", "de", "de", "ja", "ja", "ja"],
        "baseline": {"scores": [0.86, 0.8, 0.7, 0.93, 0.89, 0.81]},
        "bootstrap": {"samples": 200, "seed": 7},
    },
}
EVIDENCE = Evidence(
    sends=("scores", "qualities"),
    fields=FIELDS,
    read=read_rated,
    offers=("qualities", "paired_systems", "system_averages"),
    values=(SCORES,),
    examples=EXAMPLES,
)
