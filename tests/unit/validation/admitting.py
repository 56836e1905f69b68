"""Declared fields, and what is read for them."""

from __future__ import annotations

from normalizers.contract.fields import (
    Fields,
    boolean,
    floats,
    id_lists,
    lists,
    optional,
    records,
    text,
)
from normalizers.data.batch import Batch
from normalizers.validation import validate

HITS = Fields(ids=id_lists(), scores=lists())
RUNS = Fields(
    runs=records(
        ids=id_lists(),
        scores=optional(lists()),
        weight=optional(floats("")),
        name=optional(text()),
        higher_is_better=optional(boolean()),
    )
)


def read(fields: Fields, sizes: dict[str, int] | None = None, **values: object) -> Batch:
    return validate(fields, values, path="input", sizes=sizes)
