"""What a request sent, looked at before it is read: too many lists, or axes that hold nothing."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from app.settings import Settings
from normalizers.contract.fields import RAGGED_KINDS, Field, Fields
from normalizers.data.arrays import Array
from normalizers.data.json_numbers import ParsedNumbers
from normalizers.data.ragged import Ragged
from normd.wire.codecs.errors import TooLarge

RAGGED_KEYS = ("offsets", "lengths")


def check_raw(sent: Mapping[str, object], fields: Fields, settings: Settings, path: str) -> None:
    """Refuse more lists or records than the settings allow, and as many steps without values.

    Parameters
    ----------
    sent : mapping
        What a request sent by the names of `fields`, not yet validated.
    fields : Fields
        What may be sent.
    settings : Settings
        The limits.
    path : str
        Where it stands in the body.
    """
    for name, value in sent.items():
        place = f"{path}.{name}"
        if name in RAGGED_KEYS:
            _require(_length(value) - (name == "offsets"), settings.max_lists, "lists", place)
        elif name in fields:
            _check_field(value, fields[name], settings, place)


def _check_field(value: object, field: Field, settings: Settings, path: str) -> None:
    if field.kind in RAGGED_KINDS:
        _require(_lists(value), settings.max_lists, "lists", path)
    _require(_steps_of_nothing(value), settings.max_rows, "rows", path)
    if field.kind == "records" and isinstance(value, list):
        _require(len(value), settings.max_lists, "lists", path)
        for index, record in enumerate(value):
            if isinstance(record, Mapping):
                check_raw(record, field.members or Fields(), settings, f"{path}[{index}]")


def _require(count: int, limit: int, noun: str, path: str) -> None:
    if count > limit:
        raise TooLarge(
            f"{count} {noun} are too many",
            limit=limit,
            setting=f"NORMD_MAX_{noun.upper()}",
            path=path,
        )


def _lists(value: object) -> int:
    """Return of how many lists a field seems to be."""
    array = _array(value)
    if array is not None:
        return len(array) if array.ndim > 1 else 0
    if isinstance(value, list):
        nested = any(issubclass(kind, (list, np.ndarray)) for kind in set(map(type, value)))
        return len(value) if nested else 0
    return len(value) if isinstance(value, Ragged) else 0


def _steps_of_nothing(value: object) -> int:
    """Return the longest axis of an array without values; of lists, that of the first ones."""
    array = _array(value)
    if array is not None:
        return 0 if array.size else max(array.shape)
    while isinstance(value, list) and value:
        first = value[0]
        if isinstance(first, np.ndarray):
            return 0 if first.size else max(len(value), *first.shape)
        if first == []:
            return len(value)
        value = first
    return 0


def _length(value: object) -> int:
    array = _array(value)
    if array is not None:
        return array.size
    return len(value) if isinstance(value, list) else 0


def _array(value: object) -> Array | None:
    found = value.array if isinstance(value, ParsedNumbers) else value
    return found if isinstance(found, np.ndarray) else None
