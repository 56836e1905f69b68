"""The nearest items of queries, as a request sends them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from pydantic import Field

from normalizers.contract.fields import Fields, integer_lists
from normalizers.data.arrays import LARGEST_INTEGER
from normalizers.errors import InvalidInput, position_text
from normalizers.evaluation.evidence import EvaluationInput, Evidence
from normalizers.evaluation.treatment import Inspect, Treatment
from normalizers.measures.measure import Parameters
from normalizers.measures.occurrence import MISSING, Occurrences
from normalizers.measures.table import read_parameters
from normalizers.validation import validate

NEIGHBORS, ITEMS = "neighbor_ids", "items"
MOST_ITEMS = 100_000_000  # one count each
FIELDS = Fields(
    neighbor_ids=integer_lists(
        help="positions of the nearest items of each query, the nearest first; -1 is missing"
    )
)


class Gallery(Parameters):
    """How many items there are."""

    items: int | None = Field(
        default=None,
        ge=1,
        le=min(MOST_ITEMS, LARGEST_INTEGER),
        description="items of the gallery; by default up to the last that is near to a query",
    )


def read_neighbors(given: Mapping[str, object], path: str, inspect: Inspect) -> EvaluationInput:
    """Return the nearest items of queries as one treatment.

    Raises
    ------
    InvalidInput
        For no queries, a position that is no item, or a larger one than there are items.
    """
    said = {name: value for name, value in given.items() if name == ITEMS and value is not None}
    sent = {name: value for name, value in given.items() if name != ITEMS}
    batch = validate(FIELDS, sent, path=path)
    inspect(batch, path)
    lists = batch.ragged(NEIGHBORS)
    if not len(lists):
        raise InvalidInput("there are no queries here", path=f"{path}.{NEIGHBORS}")
    last = int(np.max(lists.values, initial=-1))
    items = read_parameters(Gallery, said, path).items or max(last + 1, 1)
    wrong = (lists.values < MISSING) | (lists.values >= items)
    if wrong.any() or items > MOST_ITEMS:
        first = int(np.argmax(wrong)) if wrong.any() else int(np.argmax(lists.values))
        place = position_text(lists.position(first))
        raise InvalidInput(
            f"a neighbour is a position below {min(items, MOST_ITEMS)}, or -1 where it is missing",
            path=f"{path}.{NEIGHBORS}{place}",
        )
    counts = {
        "queries": len(lists),
        "items": items,
        "missing": int(np.count_nonzero(lists.values == MISSING)),
    }
    found = Occurrences.of(lists, items)
    one = Treatment(None, f"{path}.{NEIGHBORS}", {"occurrences": found})
    return EvaluationInput((one,), counts=counts)


EXAMPLES = {
    "How unequally items are among the nearest of queries, before and after a correction": {
        "measures": ["k_skewness", "robin_hood@2", "hub_occurrence"],
        "neighbor_ids": [[0, 1], [0, 2], [1, 2]],
        "items": 4,
        "baseline": {"neighbor_ids": [[0, 1], [0, 1], [0, 2]]},
        "bootstrap": {"samples": 200, "seed": 7},
    },
}
EVIDENCE = Evidence(
    sends=("neighbor_ids",),
    fields=FIELDS,
    read=read_neighbors,
    offers=("occurrences",),
    values=(NEIGHBORS,),
    parameters=Gallery,
    examples=EXAMPLES,
)
