"""Numbers that came with their text: an array for fields of numbers, lists for all others."""

from __future__ import annotations

from collections.abc import Mapping

from normalizers.contract.fields import Fields, Kind
from normalizers.data.json_numbers import ParsedNumbers

RAGGED_KEYS = ("offsets", "lengths")
DENSE = ("floats", "integers")


def unwrap_parsed(
    fields: Fields, values: Mapping[str, object], layout: str | None
) -> Mapping[str, object]:
    """Return `values` with each `ParsedNumbers` as its field would read the lists."""
    if ParsedNumbers not in set(map(type, values.values())):
        return values
    ragged = layout == "ragged" or any(values.get(name) is not None for name in RAGGED_KEYS)
    kinds = {name: field.kind for name, field in fields.items()}
    return {
        name: _opened(value, kinds.get(name), ragged=ragged)
        if isinstance(value, ParsedNumbers)
        else value
        for name, value in values.items()
    }


def _opened(value: ParsedNumbers, kind: Kind | None, *, ragged: bool) -> object:
    """Return a value as a field of `kind` reads it; offsets, which are no field, are dense."""
    if kind is None or kind in DENSE or (kind == "series" and not ragged):
        return value.array
    return value.rows() if kind in ("lists", "series") else value.lists()
