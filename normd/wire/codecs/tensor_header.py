"""The header of a safetensors body, checked by hand before anything is allocated for it."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from normalizers.data.narrow_floats import NARROW_FLOATS
from normalizers.errors import DtypeError
from normalizers.messages import printable_name
from normd.wire.codecs.arrays import NUMPY_DTYPES, checked_shape, slots
from normd.wire.codecs.document import DecodeLimits
from normd.wire.codecs.errors import Unparseable
from normd.wire.codecs.json_nesting import check_containers
from normd.wire.codecs.paths import named_keys, place
from normd.wire.codecs.strict_json import parse

METADATA = "__metadata__"
METADATA_KEY = "json"
MEMBERS = {"dtype", "shape", "data_offsets"}

# The length of the header stands before it as a little-endian integer of eight bytes.
LENGTH_BYTES = 8
# Bytes of a number, by safetensors' name of its type.
ITEM_BYTES = {
    **{code: np.dtype(name).itemsize for code, name in NUMPY_DTYPES.items()},
    **NARROW_FLOATS,
}


@dataclass(frozen=True)
class Header:
    """What the header announces: the shape of every tensor, and the JSON beside them."""

    shapes: dict[str, tuple[int, ...]]
    json: bytes

    @property
    def values(self) -> int:
        """Number of values in all tensors together, an empty axis counted as one."""
        return sum(slots(shape) for shape in self.shapes.values())


def read_header(body: bytes, bounds: DecodeLimits) -> Header:
    """Return the header of `body`, whose tensors must fill the rest of it without gap or overlap.

    Raises
    ------
    Unparseable
        When the header is no strict JSON, or contradicts itself or the length of the body.
    DtypeError
        For a type that is not read.
    ShapeError
        For a shape that is none.
    TooLarge
        For more lists and objects in it than allowed.
    """
    start = _end_of_header(body)
    check_containers(body[LENGTH_BYTES:start], bounds)
    entries = parse(body[LENGTH_BYTES:start], bounds.depth)
    if not isinstance(entries, dict):
        raise Unparseable("the safetensors header is no JSON object")
    text = _metadata(entries.pop(METADATA, {}))
    spans = {name: _Span.read(name, entry) for name, entry in entries.items()}
    _check_cover(spans, len(body) - start)
    return Header({name: span.shape for name, span in spans.items()}, text)


@dataclass(frozen=True)
class _Span:
    shape: tuple[int, ...]
    begin: int
    end: int

    @classmethod
    def read(cls, name: str, entry: object) -> _Span:
        if not isinstance(entry, dict) or entry.keys() != MEMBERS:
            raise Unparseable(
                f"tensor '{printable_name(name)}' needs exactly {', '.join(sorted(MEMBERS))}"
            )
        size = prod(checked_shape(entry["shape"], named_keys(name))) * _item_size(
            name, entry["dtype"]
        )
        begin, end = _offsets(name, entry["data_offsets"])
        if end - begin != size:
            raise Unparseable(
                f"tensor '{printable_name(name)}' takes {size} bytes, "
                f"but its offsets span {end - begin}"
            )
        return cls(tuple(entry["shape"]), begin, end)


def _end_of_header(body: bytes) -> int:
    if len(body) < LENGTH_BYTES:
        raise Unparseable("not a safetensors file: shorter than the length of its header")
    end = LENGTH_BYTES + int.from_bytes(body[:LENGTH_BYTES], "little")
    if end > len(body):
        raise Unparseable("not a safetensors file: the header is longer than the body")
    return end


def _metadata(metadata: object) -> bytes:
    if not isinstance(metadata, dict) or not metadata.keys() <= {METADATA_KEY}:
        raise Unparseable(f"the only metadata key is '{METADATA_KEY}'")
    text = metadata.get(METADATA_KEY, "{}")
    if not isinstance(text, str):
        raise Unparseable(f"the metadata '{METADATA_KEY}' must be JSON text")
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise Unparseable(f"the metadata '{METADATA_KEY}' holds half a surrogate pair") from None


def _item_size(name: str, dtype: object) -> int:
    if not isinstance(dtype, str) or dtype not in ITEM_BYTES:
        raise DtypeError(
            f"dtype must be one of {', '.join(ITEM_BYTES)}", path=place(named_keys(name))
        )
    return ITEM_BYTES[dtype]


def _offsets(name: str, offsets: object) -> tuple[int, int]:
    if (
        not isinstance(offsets, list)
        or len(offsets) != len(("begin", "end"))
        or not all(type(offset) is int and offset >= 0 for offset in offsets)
    ):
        raise Unparseable(f"tensor '{printable_name(name)}' needs two data_offsets, none negative")
    return offsets[0], offsets[1]


def _check_cover(spans: dict[str, _Span], size: int) -> None:
    expected = 0
    for name, span in sorted(spans.items(), key=lambda item: (item[1].begin, item[1].end)):
        if span.begin != expected:
            raise Unparseable(
                f"tensor '{printable_name(name)}' begins at byte {span.begin}, "
                f"but {expected} is next"
            )
        expected = span.end
    if expected != size:
        raise Unparseable(f"the tensors take {expected} bytes, but {size} were sent")
