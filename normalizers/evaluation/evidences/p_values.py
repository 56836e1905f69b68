"""P-values of pairs of systems, as a request sends them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from normalizers.contract.fields import Fields, lists
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput, ShapeError
from normalizers.evaluation.evidence import EvaluationInput, Evidence
from normalizers.evaluation.treatment import Inspect, Treatment
from normalizers.measures.paired_systems import PairedSystems, upper_triangle
from normalizers.validation import validate
from normalizers.validation.missing import screen

SCORES, QUALITIES = "p_values", "quality_p_values"
FIELDS = Fields(
    p_values=lists(help="by scores, rows of the upper triangle: system 1 against 2, 3, ..."),
    quality_p_values=lists(help="by people, of the same pairs"),
)


def read_p_values(given: Mapping[str, object], path: str, inspect: Inspect) -> EvaluationInput:
    """Return the pairs of systems as one treatment.

    Raises
    ------
    ShapeError
        The rows are no upper triangle, or of another number of systems.
    InvalidInput
        What is no p-value.
    """
    batch = validate(FIELDS, given, path=path)
    inspect(batch, path)
    batch = screen(FIELDS, batch, nan_policy="reject", inf_policy="reject", path=path)
    scores, qualities = (
        _triangle(list(batch.ragged(name)), f"{path}.{name}") for name in (SCORES, QUALITIES)
    )
    paired = PairedSystems(qualities, scores, np.ones(len(scores)))
    one = Treatment(None, f"{path}.{SCORES}", {"paired_systems": paired})
    return EvaluationInput((one,), counts={"pairs": len(scores)})


def _triangle(rows: list[Array], path: str) -> Array:
    pairs = upper_triangle(rows)
    if pairs is None:
        raise ShapeError(
            "rows of an upper triangle get shorter by one, down to one: [[1-2, 1-3], [2-3]]",
            path=path,
        )
    wrong = (pairs < 0) | (pairs > 1)
    if wrong.any():
        raise InvalidInput("a p-value is 0 to 1", path=path)
    return pairs


EXAMPLES = {
    "How sure scores and people are that each of three systems is better": {
        "measures": ["soft_pairwise_accuracy"],
        "p_values": [[0.2, 0.4], [0.1]],
        "quality_p_values": [[0.01, 0.3], [0.6]],
    },
}
EVIDENCE = Evidence(
    sends=("p_values", "quality_p_values"),
    fields=FIELDS,
    read=read_p_values,
    offers=("paired_systems",),
    values=(SCORES,),
    examples=EXAMPLES,
)
