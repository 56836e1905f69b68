"""An array, or a table of columns, in place of fields: the main field of what is read there."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from app.service.requests.bodies import Sent
from normalizers.contract.fields import Fields
from normalizers.data.arrays import Array
from normalizers.errors import DtypeError
from normalizers.messages import printable_name
from normalizers.validation.columns import COLUMNS
from normalizers.validation.json_values import RAGGED_KEYS
from normd.wire.codecs import WHOLE, UnsupportedMediaType
from normd.wire.codecs.document import NamedColumns

# The axes of a field that a table is.
ROWS = ("rows", "columns")
NUMBERS = frozenset({"floats", "lists", "series", "integers", "mask"})


def named(sent: Sent, fields: Fields, path: str) -> Mapping[str, object]:
    """Return what a request sent by the names of `fields`; a bare array is the main one.

    So are the columns of a table that no field is named like, where the main one holds rows.

    Raises
    ------
    UnsupportedMediaType
        When the main field holds no numbers, or cannot stand alone.
    DtypeError
        For a column among the rows that holds no numbers.
    """
    if isinstance(sent, NamedColumns):
        return _with_rows(sent, fields, path)
    if not isinstance(sent, np.ndarray):
        return sent
    if not fields:
        return {}
    main = fields.main
    if fields[main].kind not in NUMBERS:
        raise UnsupportedMediaType(
            f"no array of numbers belongs here; send {' or '.join(WHOLE)}", path=path
        )
    beside = [name for name, field in fields.items() if field.required and name != main]
    alternatives = fields.any_of or fields.one_of
    if beside or (alternatives and (main,) not in alternatives):
        needed = ", ".join(f"'{name}'" for name in beside) or _choices(fields)
        raise UnsupportedMediaType(
            f"one array is not enough: beside '{main}', {needed} is needed; "
            f"send {' or '.join(WHOLE)}",
            path=path,
        )
    return {main: sent}


def column_names(sent: Sent, fields: Fields) -> tuple[str, ...] | None:
    """Return the names of the columns that are the rows of the main field, None without any."""
    if not isinstance(sent, NamedColumns) or not fields or fields.main in sent:
        return None
    main = fields[fields.main]
    if main.kind != "floats" or len(main.shape) != len(ROWS):
        return None
    known = (*fields, *RAGGED_KEYS)
    return tuple(name for name in sent if name not in known and name not in sent.index) or None


def _with_rows(sent: NamedColumns, fields: Fields, path: str) -> Mapping[str, object]:
    names = column_names(sent, fields)
    kept = {name: value for name, value in sent.items() if name in fields or name not in sent.index}
    if names is None:
        return kept
    columns = [_numbers(sent[name], fields, f"{path}.{printable_name(name)}") for name in names]
    side = {name: value for name, value in kept.items() if name not in names}
    return {fields.main: np.stack(columns, axis=1), **side, COLUMNS: names}


def _numbers(column: object, fields: Fields, path: str) -> Array:
    if isinstance(column, np.ndarray) and column.ndim == 1 and column.dtype.kind in "fiu":
        return column
    raise DtypeError(
        f"a column that no field is named like ({', '.join(fields)}) is one of "
        f"'{fields.main}' and holds numbers",
        path=path,
    )


def _choices(fields: Fields) -> str:
    return " | ".join(" + ".join(names) for names in fields.any_of or fields.one_of)
