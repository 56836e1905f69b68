"""Names of the columns of the main field, as a request may send them beside it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from normalizers.contract.fields import Fields
from normalizers.data.batch import Value
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, ShapeError, position_text
from normalizers.messages import quoted
from normalizers.validation.labels import first_repeated, label_list

COLUMNS = "columns"
TABULAR = frozenset({"floats", "series"})
TABLE_AXES = 2


def has_columns(fields: Fields) -> bool:
    """Return whether the main field is a table, or windows, of columns."""
    if not fields or COLUMNS in fields:
        return False
    main = fields[fields.main]
    return main.kind in TABULAR and len(main.shape) >= TABLE_AXES


def read_columns(
    fields: Fields, sent: Mapping[str, object], read: Mapping[str, Value], path: str
) -> tuple[str, ...] | None:
    """Return the names of the columns of the main field, None where none were sent.

    Raises
    ------
    InvalidInput
        For no list of distinct names.
    ShapeError
        For another number of names than of columns.
    """
    if COLUMNS in fields or sent[COLUMNS] is None:
        return None
    place = f"{path}.{COLUMNS}"
    names = read_names(sent[COLUMNS], place)
    main = read.get(fields.main)
    values = main.values if isinstance(main, Ragged) else main
    width = values.shape[-1] if isinstance(values, np.ndarray) and values.ndim else len(names)
    if len(names) != width and _name_steps(names, fields, sent):
        return None
    if len(names) != width:
        raise ShapeError(
            f"{len(names)} names for the {width} columns of '{fields.main}'", path=place
        )
    return tuple(names)


def read_names(sent: object, path: str) -> list[str]:
    """Return a list of distinct names.

    Raises
    ------
    InvalidInput
        An empty name, or one that stands there twice.
    """
    names: list[str] = label_list(sent, path, allow_empty=False)[0].tolist()
    repeated = first_repeated(names)
    if repeated is not None:
        raise InvalidInput(
            f"the name {quoted(names[repeated])} stands here twice",
            path=path + position_text([repeated]),
        )
    return names


def _name_steps(names: list[str], fields: Fields, sent: Mapping[str, object]) -> bool:
    """Return whether names are those of the steps of windows, one window a row of a table."""
    shape: object = getattr(sent.get(fields.main), "shape", None)
    table = isinstance(shape, tuple) and len(shape) == TABLE_AXES and shape[1] == len(names)
    return table and fields[fields.main].kind == "series"
