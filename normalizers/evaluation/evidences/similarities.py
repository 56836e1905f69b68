"""Similarities of queries to a gallery, as a request sends them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from pydantic import Field

from normalizers.contract.fields import Fields, floats, integers, optional
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged, offsets_of
from normalizers.errors import InvalidInput
from normalizers.evaluation.evidence import EvaluationInput, Evidence
from normalizers.evaluation.treatment import Inspect, Treatment
from normalizers.measures.measure import Parameters
from normalizers.measures.occurrence import Occurrences
from normalizers.measures.similarity import Similarities
from normalizers.measures.table import read_parameters
from normalizers.validation import validate
from normalizers.validation.missing import screen

SIMS, MATCHES, DEPTH = "sims", "matches", "depth"
FIELDS = Fields(
    sims=floats("q g", flat="row", help="similarity of each query to each item; larger is nearer"),
    matches=optional(integers("q", help="position of the right item of each query")),
)


class Depth(Parameters):
    """How many of the nearest items are neighbours."""

    depth: int = Field(
        default=10, ge=1, le=1000, description="nearest items of each query that are its neighbours"
    )


def read_similarities(given: Mapping[str, object], path: str, inspect: Inspect) -> EvaluationInput:
    """Return similarities as one treatment.

    Raises
    ------
    InvalidInput
        For no queries or no items, or a match that is no item.
    NonFiniteError
        For missing or infinite similarities.
    """
    said = {name: value for name, value in given.items() if name == DEPTH and value is not None}
    sent = {name: value for name, value in given.items() if name != DEPTH}
    batch = validate(FIELDS, sent, path=path)
    inspect(batch, path)
    batch = screen(FIELDS, batch, nan_policy="reject", inf_policy="reject", path=path)
    sims = batch.array(SIMS)
    if not sims.size:
        raise InvalidInput("there are no queries or no items here", path=f"{path}.{SIMS}")
    matches = batch.array(MATCHES).astype(np.int64) if MATCHES in batch else None
    if matches is not None:
        wrong = (matches < 0) | (matches >= sims.shape[1])
        if wrong.any():
            row = int(np.argmax(wrong))
            raise InvalidInput(
                f"an item is a position, 0 to {sims.shape[1] - 1}", path=f"{path}.{MATCHES}[{row}]"
            )
    whole = Similarities(sims, np.ones(len(sims)), matches)
    depth = min(read_parameters(Depth, said, path).depth, sims.shape[1])
    views: dict[str, Similarities | Occurrences | str] = {
        "similarities": whole,
        "matches": MATCHES if matches is None else whole,
        "occurrences": Occurrences.of(_nearest(sims, depth), sims.shape[1]),
    }
    counts: dict[str, object] = {"queries": len(sims), "items": sims.shape[1]}
    return EvaluationInput((Treatment(None, f"{path}.{SIMS}", views),), counts=counts)


def _nearest(sims: Array, depth: int) -> Ragged:
    """Return the positions of the nearest items of each query, equal ones by position."""
    order = np.argsort(-sims, axis=1, kind="stable")[:, :depth]
    return Ragged(order.reshape(-1).astype(np.int64), offsets_of([depth] * len(sims)))


EXAMPLES = {
    "Similarities of queries to a gallery, before and after a correction": {
        "measures": ["hit_rate", "robin_hood@1", "tie_share"],
        "sims": [[0.9, 0.2, 0.4], [0.3, 0.8, 0.1], [0.2, 0.5, 0.7]],
        "matches": [0, 1, 2],
        "baseline": {"sims": [[0.9, 0.8, 0.4], [0.85, 0.8, 0.1], [0.75, 0.5, 0.7]]},
    },
}
EVIDENCE = Evidence(
    sends=("sims",),
    fields=FIELDS,
    read=read_similarities,
    offers=("similarities", "matches", "occurrences"),
    values=(SIMS,),
    parameters=Depth,
    examples=EXAMPLES,
)
