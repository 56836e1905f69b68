"""What a transform, inverse or fusion answered, as the library answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np

from app.client.fields import OFFSETS
from app.client.methods import Description
from normalizers.answer import Answer
from normalizers.arrays import Array, strings
from normalizers.batch import Notice
from normalizers.ragged import Ragged
from normalizers.rendering import Rendered

TEXTS = frozenset({"ids", "id_lists", "labels"})
RAGGED = frozenset({"lists", "id_lists"})
# The axis of a series whose length differs from one to the next.
TIME = ", t,"
NOTED = ("code", "message")
PASSED_ON = frozenset({"state", "text", "boolean", "records"})
ENVELOPE = frozenset(
    {"method", "name", "version", "hash", "effective_params", "output", "flags", "warnings"}
    | {"report", "explain"}
)


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


def read_answer(
    tree: Mapping[str, object], fields: Mapping[str, Description], *, joined: bool
) -> ServedAnswer:
    """Return an envelope as an answer.

    Parameters
    ----------
    tree : mapping
        The decoded envelope.
    fields : mapping
        The declared outputs.
    joined : bool
        Whether the request wrote its lists with ``offsets``, so that the answer is one `Ragged`
        rather than a list of arrays.
    """
    output = cast("Mapping[str, object]", tree["output"])
    return ServedAnswer(
        output=_outputs(output, fields, joined=joined),
        flags={
            name: np.array(places, dtype=np.int64)
            for name, places in cast("Mapping[str, list[object]]", tree["flags"]).items()
        },
        warnings=tuple(map(_notice, cast("list[Mapping[str, object]]", tree["warnings"]))),
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
    output: Mapping[str, object], fields: Mapping[str, Description], *, joined: bool
) -> dict[str, Rendered]:
    offsets = output.get(OFFSETS)
    starts = None if offsets is None else np.asarray(offsets, dtype=np.int64)
    order = [name for name in fields if name in output]
    rest = [name for name in output if name not in fields and name != OFFSETS]
    found: dict[str, Rendered] = {}
    for name in (*order, *rest):
        field = fields.get(name, {})
        cut = starts if name == (*order, *rest)[0] or _is_ragged(field) else None
        found[name] = _output(output[name], str(field.get("kind", "")), cut, joined=joined)
    return found


def _is_ragged(field: Description) -> bool:
    kind = field.get("kind")
    return kind in RAGGED or (kind == "series" and TIME in str(field.get("shape")))


def _output(value: object, kind: str, starts: Array | None, *, joined: bool) -> Rendered:
    if kind in PASSED_ON or isinstance(value, Mapping | str | bool) or value is None:
        return cast(Rendered, value)
    if isinstance(value, list) and value and all(isinstance(part, list) for part in value):
        return _nested(value, kind)
    array = value if isinstance(value, np.ndarray) else _flat(cast("list[object]", value), kind)
    if starts is None or not array.ndim or len(array) != starts[-1]:
        return array
    whole = Ragged(array, starts)
    return whole if joined else list(whole)


def _nested(parts: list[list[object]], kind: str) -> Rendered:
    if kind in TEXTS:
        return [strings(part) for part in parts]
    if kind == "lists":
        return [np.array(part, dtype=np.float64) for part in parts]
    try:
        return np.array(parts, dtype=np.float64)
    except ValueError:
        return [np.array(part, dtype=np.float64) for part in parts]


def _flat(items: list[object], kind: str) -> Array:
    return strings(items) if kind in TEXTS else np.array(items, dtype=np.float64)


def _notice(warning: Mapping[str, object]) -> Notice:
    rest = tuple((name, value) for name, value in warning.items() if name not in NOTED)
    return Notice(str(warning["code"]), str(warning["message"]), rest)
