"""Vectors with pairs of known similarity, or with classes, as a request sends them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from normalizers.contract.fields import Fields, floats, integers, labels, optional
from normalizers.data.arrays import Array
from normalizers.data.batch import Batch
from normalizers.errors import InvalidInput
from normalizers.evaluation.evidence import EvaluationInput, Evidence
from normalizers.evaluation.treatment import Inspect, Treatment
from normalizers.measures.bootstrap import Resamples
from normalizers.measures.vectors import Pairs, Vectors, pair_cosines
from normalizers.validation import validate
from normalizers.validation.missing import screen

VECTORS, FIRST, SECOND, SIMILARITIES, CLASSES = (
    "vectors", "pair_first", "pair_second", "pair_similarities", "classes",
)  # fmt: skip
FIELDS = Fields(
    vectors=floats("n d", help="rows are vectors"),
    pair_first=optional(integers("p", help="position of the first row of each pair")),
    pair_second=optional(integers("p", help="position of the second row of each pair")),
    pair_similarities=optional(floats("p", help="how similar each pair is known to be")),
    classes=optional(labels("n 1", help="the class of each row")),
)


def read_vectors(given: Mapping[str, object], path: str, inspect: Inspect) -> EvaluationInput:
    """Return vectors as one treatment.

    Raises
    ------
    InvalidInput
        For no rows, or pairs that are not complete.
    """
    batch = validate(FIELDS, given, path=path)
    inspect(batch, path)
    batch = screen(FIELDS, batch, nan_policy="reject", inf_policy="reject", path=path)
    x = batch.array(VECTORS).astype(np.float64)
    if not len(x):
        raise InvalidInput("there are no vectors here", path=f"{path}.{VECTORS}")
    known = batch.labels(CLASSES).codes if CLASSES in batch else None
    whole = Vectors(x, np.ones(len(x)), known)
    labelled: Resamples | str = whole if known is not None else "classes"
    measurable = {
        "vectors": whole,
        "labelled_vectors": labelled,
        "vector_pairs": _pairs(x, batch, path),
    }
    counts: dict[str, object] = {"rows": len(x), "dims": x.shape[1]}
    return EvaluationInput((Treatment(None, f"{path}.{VECTORS}", measurable),), counts=counts)


def _pairs(x: Array, batch: Batch, path: str) -> Resamples | str:
    sent = [name for name in (FIRST, SECOND, SIMILARITIES) if name in batch]
    if not sent:
        return "pair_first, pair_second and pair_similarities"
    for name in (FIRST, SECOND, SIMILARITIES):
        if name not in batch:
            raise InvalidInput(f"pairs need '{name}' too", path=f"{path}.{name}")
    first, second = (batch.array(name).astype(np.int64) for name in (FIRST, SECOND))
    for name, places in ((FIRST, first), (SECOND, second)):
        wrong = (places < 0) | (places >= len(x))
        if wrong.any():
            row = int(np.argmax(wrong))
            raise InvalidInput(
                f"a pair names rows by position, 0 to {len(x) - 1}", path=f"{path}.{name}[{row}]"
            )
    return Pairs(pair_cosines(x, first, second), batch.array(SIMILARITIES), np.ones(len(first)))


EXAMPLES = {
    "How evenly vectors use their directions, and what their cosines say, before and after": {
        "measures": ["average_cosine", "isoscore", "cosine_spearman", "class_precision"],
        "vectors": [[1.0, 0.1], [0.9, 0.3], [-1.0, 0.2], [-0.8, -0.4]],
        "pair_first": [0, 0, 1],
        "pair_second": [1, 2, 3],
        "pair_similarities": [5.0, 1.0, 0.5],
        "classes": ["a", "a", "b", "b"],
        "baseline": {"vectors": [[3.0, 0.1], [2.9, 0.3], [1.0, 0.2], [1.2, -0.4]]},
    },
}
EVIDENCE = Evidence(
    sends=("vectors",),
    fields=FIELDS,
    read=read_vectors,
    offers=("vectors", "labelled_vectors", "vector_pairs"),
    values=(VECTORS,),
    examples=EXAMPLES,
)
