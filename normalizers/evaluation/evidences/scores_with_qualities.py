"""Scores with the known qualities of the same rows, as a request sends them."""

from __future__ import annotations

from collections.abc import Mapping

from normalizers.contract.fields import Fields, boolean, floats, labels, optional
from normalizers.errors import InvalidInput
from normalizers.evaluation.evidence import EvaluationInput, Evidence
from normalizers.evaluation.treatment import Inspect, Treatment
from normalizers.measures.rated import Rated
from normalizers.validation import validate
from normalizers.validation.missing import screen

SCORES, QUALITIES, GROUPS, CLUSTERS = "scores", "qualities", "groups", "clusters"
FIELDS = Fields(
    scores=floats("n", help="the score of each row; null is missing"),
    qualities=floats("n", help="how good each row is known to be, more is better; null is missing"),
    groups=optional(labels("n j", help="the language, domain ... of each row")),
    clusters=optional(labels("n 1", help="which rows belong together, and are resampled so")),
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
    one = Treatment(None, f"{path}.{SCORES}", {"qualities": rated}, better)
    return EvaluationInput((one,), counts=counts)


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
    offers=("qualities",),
    values=(SCORES,),
    examples=EXAMPLES,
)
