"""Ids and group labels: strings, with integers in decimal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import reduce
from typing import Any, TypeAlias

import numpy as np

from normalizers.data.arrays import Array, string_array
from normalizers.data.labels import Labels, first_met
from normalizers.errors import DtypeError, InvalidInput, ShapeError, position_text

# How labels were written: ``str``, ``int``, or both.
Kinds: TypeAlias = frozenset[type]
TEXT: Kinds = frozenset({str})
NOT_UNICODE = "the text here is not valid Unicode (a lone surrogate)"
# What pandas calls columns whose distinct values are texts, or are kept apart already.
CODED_TYPES = frozenset({"str", "string", "category"})
MISSING = -1  # the place of a missing value among the distinct ones
TABLE_AXES = 2


def label_list(value: object, path: str, *, allow_empty: bool = True) -> tuple[Array, Kinds]:
    """Return a flat list of labels as an object array of ``str``, and how they were written.

    Raises
    ------
    DtypeError
        A boolean, float or null among the labels; integers become decimal strings.
    InvalidInput
        An empty string where `allow_empty` is False, or text that is no valid Unicode.
    """
    items = value if isinstance(value, list) else _items(value, path)
    types = set(map(type, items))
    if types <= {str}:
        found = items
    else:
        found = [_label(item, f"{path}[{index}]") for index, item in enumerate(items)]
    _check_text(found, path, allow_empty)
    kinds = TEXT if types == TEXT else {str if issubclass(kind, str) else int for kind in types}
    return string_array(found), frozenset(kinds)


def text_list(value: object, path: str) -> Array:
    """Return one text a row as an object array of ``str``; each may be empty.

    Raises
    ------
    DtypeError
        Anything but a string: a number has no text of its own.
    InvalidInput
        Text that is no valid Unicode.
    """
    items = value if isinstance(value, list) else _items(value, path)
    for index, item in enumerate(items):
        if not isinstance(item, str):
            raise DtypeError("a string is expected here; it may be empty", path=f"{path}[{index}]")
    _check_text(items, path, allow_empty=True)
    return string_array([str(item) for item in items])


def first_repeated(names: Sequence[str]) -> int | None:
    """Return the position of the first name that stands before it too, None if there is none."""
    if len(set(names)) == len(names):
        return None
    seen: set[str] = set()
    for position, name in enumerate(names):
        if name in seen:
            return position
        seen.add(name)
    return None


def label_codes(value: object, path: str) -> Labels:
    """Return the labels of rows, one or several each, as codes.

    What comes coded (categories and texts of a data frame or of Arrow) is read by its codes: only
    distinct labels are looked at.
    """
    coded = _coded(value, path)
    if coded is not None:
        return coded
    items = _items(value, path)
    if items and isinstance(items[0], (list, tuple, np.ndarray)):
        rows = [label_list(item, f"{path}[{index}]")[0] for index, item in enumerate(items)]
        if len({len(row) for row in rows}) > 1:
            raise ShapeError("every row needs the same number of keys", path=path)
        return Labels.of(np.stack(rows))
    if set(map(type, items)) <= {str}:
        names, places = first_met(items)  # type: ignore[arg-type]
        return _of_distinct(names, places, path)
    return Labels.of(label_list(items, path)[0])


def _coded(value: object, path: str) -> Labels | None:
    """Return the labels of a column that knows its distinct values; None for anything else."""
    if hasattr(value, "columns") and hasattr(value, "iloc") and len(value.shape) == TABLE_AXES:  # type: ignore[attr-defined]
        parts = [_coded(value.iloc[:, place], path) for place in range(value.shape[1])]  # type: ignore[attr-defined]
        if not parts or any(part is None for part in parts):
            return None
        return reduce(Labels.beside, [part for part in parts if part is not None])
    column: Any = value
    if hasattr(column, "factorize") and str(getattr(column, "dtype", "")) in CODED_TYPES:
        arrow = sys.modules.get("pyarrow")
        if arrow is None or not hasattr(column.array, "__arrow_array__"):
            places, distinct = column.factorize()
            return _of_distinct(distinct.tolist(), np.asarray(places), path)
        # Its column lies in Arrow already, which codes it in half the time.
        column = arrow.array(column)
    elif hasattr(column, "to_arrow"):  # polars
        column = column.to_arrow()
    if hasattr(column, "dictionary_encode"):
        encoded = column.dictionary_encode()
        if hasattr(encoded, "unify_dictionaries"):
            encoded = encoded.unify_dictionaries().combine_chunks()
        indices = encoded.indices.fill_null(MISSING) if encoded.null_count else encoded.indices
        places = indices.to_numpy(zero_copy_only=False).astype(np.int64)
        return _of_distinct(encoded.dictionary.to_pylist(), places, path)
    return None


def _of_distinct(names: Sequence[object], places: Array, path: str) -> Labels:
    if len(places) and int(places.min()) == MISSING:
        place = path + position_text([int(np.argmin(places))])
        raise DtypeError("a string or an integer is expected here, not null", path=place)
    if len(names) <= len(places) and set(map(type, names)) == {str}:
        whole = "".join(names)  # type: ignore[arg-type]
        if whole.isascii() or is_unicode(whole):
            return Labels.of_distinct(names, places)  # type: ignore[arg-type]
    written: list[str] = []
    used = set(np.unique(places).tolist()) if len(names) > len(places) else None
    for index, name in enumerate(names):
        if used is not None and index not in used:
            written.append("")  # a category of no row may be anything
            continue
        if type(name) is str and (name.isascii() or is_unicode(name)):
            written.append(name)
            continue
        row = path + position_text([int(np.argmax(places == index))])
        if isinstance(name, str):
            raise InvalidInput(NOT_UNICODE, path=row)
        written.append(_label(name, row))
    return Labels.of_distinct(written, places)


def _items(value: object, path: str) -> list[object]:
    if hasattr(value, "__array__") and not isinstance(value, np.ndarray):
        value = np.asarray(value)
    if isinstance(value, np.ndarray) and value.ndim:
        _refuse_missing(value, path)
        return list(value.tolist())
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return list(value)
    raise DtypeError("a list of strings is expected here", path=path)


def _refuse_missing(array: Array, path: str) -> None:
    """Name the label that is missing in integers, which came as floats because of it."""
    if array.dtype.kind != "f" or array.ndim != 1:
        return
    missing = np.isnan(array)
    if missing.any() and (missing | (array == np.floor(array))).all():
        place = path + position_text([int(np.argmax(missing))])
        raise DtypeError("a string or an integer is expected here, not null", path=place)


def _label(item: object, path: str) -> str:
    if isinstance(item, str):
        return str(item)
    if isinstance(item, (int, np.integer)) and not isinstance(item, bool):
        return _decimal(int(item), path)
    raise DtypeError("a string or an integer is expected here", path=path)


def _decimal(number: int, path: str) -> str:
    try:
        return str(number)
    except ValueError as error:  # Python writes no integers of more than 4,300 digits
        raise InvalidInput("this integer has too many digits for a label", path=path) from error


def _check_text(items: list[object], path: str, allow_empty: bool) -> None:
    if not allow_empty and "" in items:
        raise InvalidInput("an id cannot be empty", path=path + position_text([items.index("")]))
    text = "".join(items)  # type: ignore[arg-type]
    if not text.isascii() and not is_unicode(text):
        index = next(i for i, item in enumerate(items) if not is_unicode(str(item)))
        raise InvalidInput(NOT_UNICODE, path=path + position_text([index]))


def is_unicode(text: str) -> bool:
    """Return whether `text` can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
