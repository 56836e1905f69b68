"""Ids and group labels: strings, with integers in decimal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from normalizers.admission.numbers import position_text
from normalizers.arrays import Array, strings
from normalizers.errors import DtypeError, InvalidInput, ShapeError


def label_list(value: object, path: str, *, allow_empty: bool = True) -> tuple[Array, bool]:
    """Return a flat list of labels as an object array of ``str``, and whether kinds were mixed.

    Raises
    ------
    DtypeError
        A boolean, float or null among the labels; integers become decimal strings.
    InvalidInput
        An empty string where `allow_empty` is False, or text that is no valid Unicode.
    """
    items = _items(value, path)
    kinds = set(map(type, items))
    if kinds <= {str}:
        found = items
    else:
        found = [_label(item, f"{path}[{index}]") for index, item in enumerate(items)]
    _check_text(found, path, allow_empty)
    return strings(found), str in kinds and len(kinds) > 1


def label_table(value: object, path: str) -> Array:
    """Return labels of shape (n, j): one key a row, or several keys a row."""
    items = _items(value, path)
    if items and isinstance(items[0], (list, tuple, np.ndarray)):
        rows = [label_list(item, f"{path}[{index}]")[0] for index, item in enumerate(items)]
        if len({len(row) for row in rows}) > 1:
            raise ShapeError("every row needs the same number of keys", path=path)
        return np.stack(rows)
    return label_list(items, path)[0].reshape(-1, 1)


def _items(value: object, path: str) -> list[object]:
    if isinstance(value, np.ndarray):
        return list(value.tolist())
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return list(value)
    if hasattr(value, "__array__"):
        return list(np.asarray(value).tolist())
    raise DtypeError("a list of strings is expected here", path=path)


def _label(item: object, path: str) -> str:
    if isinstance(item, str):
        return str(item)
    if isinstance(item, (int, np.integer)) and not isinstance(item, bool):
        return str(int(item))
    raise DtypeError("a string or an integer is expected here", path=path)


def _check_text(items: list[object], path: str, allow_empty: bool) -> None:
    if not allow_empty and "" in items:
        raise InvalidInput("an id cannot be empty", path=path + position_text([items.index("")]))
    try:
        "".join(items).encode()  # type: ignore[arg-type]
    except UnicodeEncodeError as error:
        raise InvalidInput(
            "a text here is not valid Unicode (a lone surrogate)", path=path
        ) from error
