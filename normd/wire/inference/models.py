"""The tensors of a model, as the fields of a method declare them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from normalizers.contract.fields import RAGGED_KINDS, Field, Fields
from normd.wire.codecs.lists import OFFSETS
from normd.wire.inference.datatypes import BYTES

TEXT_KINDS = frozenset({"labels", "ids", "id_lists", "texts", "text_lists", "text"})
WHOLE_KINDS = frozenset({"integers", "integer_lists"})
# Fields of several tensors, which their members name: no client can be told one shape of them.
COMPOSED_KINDS = frozenset({"records", "record", "state", "method"})
ANY_SIZE = -1


def input_tensors(fields: Fields, sizes: Mapping[str, int]) -> list[dict[str, object]]:
    """Return what a request must send, in the first of several alternatives.

    Parameters
    ----------
    fields : Fields
        What the method takes.
    sizes : mapping
        Sizes that the fit knows; others are -1, as the protocol writes any size.
    """
    first = fields.one_of[0] if fields.one_of else ()
    others = {name for names in fields.one_of for name in names} - set(first)
    needed = {
        name: field
        for name, field in fields.items()
        if (field.required or name in first) and name not in others
    }
    return list(_tensors(needed, sizes))


def output_tensors(fields: Fields, sizes: Mapping[str, int]) -> list[dict[str, object]]:
    """Return what an answer may hold."""
    return list(_tensors(fields, sizes))


def _tensors(fields: Mapping[str, Field], sizes: Mapping[str, int]) -> Iterator[dict[str, object]]:
    for name, field in fields.items():
        if field.kind not in COMPOSED_KINDS:
            shape = [_size(symbol, sizes) for symbol in field.shape]
            ragged = field.kind in RAGGED_KINDS
            yield {
                "name": name,
                "datatype": _datatype(field),
                "shape": [ANY_SIZE] if ragged else shape,
            }
    if any(field.kind in RAGGED_KINDS for field in fields.values()):
        yield {"name": OFFSETS, "datatype": "INT64", "shape": [ANY_SIZE]}


def _size(symbol: str, sizes: Mapping[str, int]) -> int:
    return int(symbol) if symbol.isdecimal() else sizes.get(symbol, ANY_SIZE)


def _datatype(field: Field) -> str:
    if field.kind in TEXT_KINDS:
        return BYTES
    if field.kind in WHOLE_KINDS:
        return "INT64"
    if field.kind in ("mask", "boolean"):
        return "BOOL"
    # Native: computed in the type that is sent, and float32 is what embeddings are.
    return "FP32" if field.native else "FP64"
