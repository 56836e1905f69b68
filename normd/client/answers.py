"""What a transform, inverse or fusion answered, as the library answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

import numpy as np

from normalizers.contract.answer import Answer, Rendered
from normalizers.data.arrays import Array, string_array
from normalizers.data.batch import Batch, Notice, Value
from normalizers.data.ragged import Ragged, offsets_of
from normd.client.fields import OFFSETS, is_nested
from normd.wire.field_specs import FieldSpec

Style: TypeAlias = Literal["plain", "nested", "offsets"]

TEXTS = frozenset({"ids", "id_lists", "labels", "texts", "text_lists"})
RAGGED = frozenset({"lists", "id_lists", "integer_lists", "text_lists"})
# The axis of a series whose length differs from one to the next.
TIME = "t"
# An output that a later release added.
UNKNOWN = FieldSpec("", "")
NOTED = ("code", "message")
PASSED_ON = frozenset({"state", "text", "boolean"})
# Members of every answer, and those of some.
NEEDED = ("method", "effective_params", "output", "flags", "warnings")
ENVELOPE = frozenset({*NEEDED, "name", "version", "hash", "report", "explain"})


@dataclass(frozen=True)
class ServedAnswer(Answer):
    """The library's answer, and which version gave it.

    Parameters
    ----------
    method : str
        The method.
    name : str or None
        The stored name, None for work in one request.
    version : int or None
        The number of the version.
    hash : str or None
        The SHA-256 of its file.
    """

    method: str = ""
    name: str | None = None
    version: int | None = None
    hash: str | None = None

    @property
    def reference(self) -> str | None:
        """What names the version that answered, None for work in one request."""
        return None if self.version is None else f"{self.name}@{self.version}"


def style_of(node: object) -> Style:
    """Return how lists are written in fields, or in the records among them."""
    if isinstance(node, Ragged):
        return "offsets"
    if isinstance(node, Mapping):
        return "offsets" if OFFSETS in node else _first(map(style_of, node.values()))
    # By their types: labels of a million rows are of one.
    if isinstance(node, list | tuple) and any(
        issubclass(kind, Mapping) for kind in set(map(type, node))
    ):
        return _first(map(style_of, node))
    return "nested" if is_nested(node) else "plain"


def _first(styles: Iterable[Style]) -> Style:
    return next((style for style in styles if style != "plain"), "plain")


def read_answer(
    tree: Mapping[str, object], fields: Mapping[str, FieldSpec], style: Style
) -> ServedAnswer:
    """Return an envelope as an answer.

    Parameters
    ----------
    tree : mapping
        The decoded envelope.
    fields : mapping
        The declared outputs.
    style : str
        How the request wrote its lists: ``nested``, with ``offsets``, or otherwise (``plain``).
    """
    output = cast("Mapping[str, object]", tree["output"])
    return ServedAnswer(
        output=_outputs(output, fields, style),
        flags={
            name: np.array(places, dtype=np.int64)
            for name, places in cast("Mapping[str, list[object]]", tree["flags"]).items()
        },
        warnings=tuple(map(notice_of, cast("list[Mapping[str, object]]", tree["warnings"]))),
        report=cast("Mapping[str, object] | None", tree.get("report")),
        explain=tree.get("explain"),
        extra={name: value for name, value in tree.items() if name not in ENVELOPE},
        effective_params=cast("Mapping[str, object]", tree["effective_params"]),
        method=str(tree["method"]),
        name=cast("str | None", tree.get("name")),
        version=cast("int | None", tree.get("version")),
        hash=cast("str | None", tree.get("hash")),
    )


def _outputs(
    output: Mapping[str, object], fields: Mapping[str, FieldSpec], style: Style
) -> dict[str, Rendered]:
    offsets = output.get(OFFSETS)
    starts = None if offsets is None else np.asarray(offsets, dtype=np.int64)
    order = [name for name in fields if name in output]
    rest = [name for name in output if name not in fields and name != OFFSETS]
    found: dict[str, Rendered] = {}
    for name in (*order, *rest):
        field = fields.get(name, UNKNOWN)
        cut = starts if name == (*order, *rest)[0] or _is_ragged(field) else None
        if field.kind == "records":
            found[name] = _records(output[name], field)
            continue
        found[name] = _output(output[name], field.kind, cut, style)
    return found


def _records(value: object, field: FieldSpec) -> tuple[Batch, ...]:
    """Return records as the library answers them, their lists joined with their offsets."""
    records = (
        _outputs(record, field.members, "offsets")
        for record in cast("list[Mapping[str, object]]", value)
    )
    return tuple(
        Batch({name: _joined(part) for name, part in record.items()}) for record in records
    )


def _joined(part: Rendered) -> Value:
    if isinstance(part, list):
        return Ragged(np.concatenate(part), offsets_of(list(map(len, part))))
    if isinstance(part, np.ndarray) and part.ndim > 1:
        return Ragged(part.reshape(-1), offsets_of([part.shape[1]] * len(part)))
    return part


def _is_ragged(field: FieldSpec) -> bool:
    return field.kind in RAGGED or (field.kind == "series" and TIME in field.axes[1:-1])


def _output(value: object, kind: str, starts: Array | None, style: Style) -> Rendered:
    if kind in PASSED_ON or isinstance(value, Mapping | str | bool) or value is None:
        return cast(Rendered, value)
    if isinstance(value, list) and value and all(isinstance(part, list) for part in value):
        return _nested(value, kind)
    if isinstance(value, Ragged):
        own = value.with_values(_own(value.values))
        return list(own) if style == "nested" else own
    array = (
        _own(value) if isinstance(value, np.ndarray) else _flat(cast("list[object]", value), kind)
    )
    if starts is not None and array.ndim and len(array) == starts[-1]:
        whole = Ragged(array, starts)
        return list(whole) if style == "nested" else whole
    return _rows(array, style) if kind in RAGGED and array.ndim > 1 else array


def _own(array: Array) -> Array:
    """Return an array that its owner may write to: those of some forms are the bytes received."""
    return array if array.flags.writeable else array.copy()


def _rows(array: Array, style: Style) -> Rendered:
    """Return lists of one length, which some forms carry as an array, as they were written."""
    if style == "nested":
        return list(array)
    if style == "offsets":
        return Ragged(array.reshape(-1), offsets_of([array.shape[1]] * len(array)))
    return array


def _nested(parts: list[list[object]], kind: str) -> Rendered:
    if kind in TEXTS:
        return [string_array(part) for part in parts]
    if kind == "lists":
        return [np.array(part, dtype=np.float64) for part in parts]
    try:
        return np.array(parts, dtype=np.float64)
    except ValueError:
        return [np.array(part, dtype=np.float64) for part in parts]


def _flat(items: list[object], kind: str) -> Array:
    return string_array(items) if kind in TEXTS else np.array(items, dtype=np.float64)


def notice_of(warning: Mapping[str, object]) -> Notice:
    """Return a warning of an answer as the library's."""
    rest = tuple((name, value) for name, value in warning.items() if name not in NOTED)
    return Notice(str(warning["code"]), str(warning["message"]), rest)
