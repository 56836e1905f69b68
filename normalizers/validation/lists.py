"""Ragged lists: one flat list, nested lists, a matrix, or flat values with offsets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeAlias, cast

import numpy as np

from normalizers.data.arrays import LARGEST_INTEGER, Array
from normalizers.data.batch import InputForm, Style, form_of
from normalizers.data.ragged import Ragged, offsets_of
from normalizers.errors import DtypeError, InvalidInput, ShapeError, position_text
from normalizers.validation.labels import label_list, text_list
from normalizers.validation.numbers import number_array

FLOAT64 = np.dtype(np.float64)
FLAT = InputForm("flat")
LISTS = (list, tuple, np.ndarray)
PLAIN = frozenset({int, float, str, bool, type(None)})
FlatReader: TypeAlias = Callable[[object, str], Array]


def number_lists(value: object, offsets: Array | None, path: str) -> tuple[Ragged, InputForm]:
    """Return ragged float64 numbers and the form they were written in."""
    return _ragged(value, offsets, path, _flat_numbers)


def integer_lists(value: object, offsets: Array | None, path: str) -> tuple[Ragged, InputForm]:
    """Return ragged whole numbers and the form they were written in."""
    found, form = _ragged(value, offsets, path, _flat_numbers)
    wrong = ~np.isfinite(found.values) | (found.values != np.floor(found.values))
    if wrong.any():
        part, place = found.position(int(np.argmax(wrong)))
        shown = form.as_written((part, place))
        raise DtypeError("whole numbers are expected here", path=path + position_text(shown))
    return found.with_values(found.values.astype(np.int64)), replace(form, dtype="float64")


def id_lists(value: object, offsets: Array | None, path: str) -> tuple[Ragged, InputForm]:
    """Return ragged ids and the form they were written in."""
    written: set[type] = set()

    def read(part: object, place: str) -> Array:
        found, kinds = label_list(part, place, allow_empty=False)
        written.update(kinds)
        return found

    ragged, form = _ragged(value, offsets, path, read)
    return ragged, replace(form, ids=frozenset(written))


def text_lists(value: object, offsets: Array | None, path: str) -> tuple[Ragged, InputForm]:
    """Return ragged texts, which may be empty, and the form they were written in."""
    return _ragged(value, offsets, path, text_list)


def read_offsets(value: object, path: str) -> Array:
    """Return posted offsets: whole numbers that start at 0 and never fall."""
    numbers = number_array(value, path).astype(np.float64)
    if numbers.ndim != 1 or not len(numbers):
        raise ShapeError(
            "offsets are a flat list with one entry more than there are lists",
            path=path,
        )
    if not np.isfinite(numbers).all() or (numbers != np.floor(numbers)).any():
        raise InvalidInput("offsets are whole numbers", path=path)
    if numbers[-1] > LARGEST_INTEGER:
        raise InvalidInput("no list is that long", path=path)
    if numbers[0] != 0 or (np.diff(numbers) < 0).any():
        raise InvalidInput("offsets start at 0 and never fall", path=path)
    return numbers.astype(np.int64)


def read_lengths(value: object, path: str) -> Array:
    """Return posted lengths as offsets."""
    numbers = number_array(value, path).astype(np.float64)
    if numbers.ndim != 1 or not np.isfinite(numbers).all() or (numbers < 0).any():
        raise InvalidInput("lengths are a flat list of whole numbers, at least 0", path=path)
    if (numbers != np.floor(numbers)).any():
        raise InvalidInput("lengths are whole numbers", path=path)
    if numbers.sum() > LARGEST_INTEGER:
        raise InvalidInput("no list is that long", path=path)
    return offsets_of(numbers.astype(np.int64))


def _ragged(
    value: object, offsets: Array | None, path: str, read: FlatReader
) -> tuple[Ragged, InputForm]:
    if isinstance(value, Ragged):
        return _joined(value, offsets, path, read), _form(value.values, "offsets")
    if not isinstance(value, list):
        value = _as_lists(value)
    if offsets is not None:
        flat = _flat(value, path, read)
        return _with_offsets(flat, offsets, path), _form(value, "offsets")
    if isinstance(value, np.ndarray) and value.ndim == 2:
        flat = read(value.reshape(-1), path)
        lengths = np.full(len(value), value.shape[1], dtype=np.int64)
        form = replace(_form(value, "matrix"), width=value.shape[1])
        return Ragged(flat, offsets_of(lengths)), form
    return _flat_or_nested(value, path, read)


def _flat_or_nested(value: object, path: str, read: FlatReader) -> tuple[Ragged, InputForm]:
    """Return one list, or lists, by the first of the elements; a list further on tells too."""
    if not _is_nested(value[:1] if isinstance(value, (list, tuple)) else value):
        try:
            flat = read(value, path)
            form = FLAT if isinstance(value, list) else _form(value, "flat")
            return Ragged(flat, np.array([0, len(flat)], dtype=np.int64)), form
        except InvalidInput:
            if not _is_nested(value):
                raise
    return _nested(value, path, read), _form(_first(value), "nested")  # type: ignore[arg-type]


def _as_lists(value: object) -> object:
    """Return a data frame as a matrix, and an array of objects as the list it holds."""
    if hasattr(value, "__array__") and not isinstance(value, np.ndarray):
        value = np.asarray(value)
    if isinstance(value, np.ndarray) and value.dtype == object and value.ndim == 1:
        return list(value)
    return value


def _joined(value: Ragged, offsets: Array | None, path: str, read: FlatReader) -> Ragged:
    own = read_offsets(value.offsets, f"{path}.offsets")
    if offsets is not None and not np.array_equal(own, offsets):
        raise ShapeError("these lists have other offsets than those sent beside them", path=path)
    return _with_offsets(read(value.values, path), own, path)


def _nested(value: Sequence[object], path: str, read: FlatReader) -> Ragged:
    joined = _read_at_once(value, path, read)
    if joined is not None:
        return joined
    for index, part in enumerate(value):
        if not isinstance(part, (list, tuple, np.ndarray)):
            raise ShapeError(
                "a list is expected here, like its neighbours", path=f"{path}[{index}]"
            )
    parts = [read(part, f"{path}[{index}]") for index, part in enumerate(value)]
    return Ragged(np.concatenate(parts), offsets_of([len(part) for part in parts]))


def _read_at_once(value: Sequence[object], path: str, read: FlatReader) -> Ragged | None:
    """Return lists read as one; None where one of them must be looked at by itself."""
    flat = _together(value)
    if flat is None:
        return None
    lengths = [len(part) for part in value]  # type: ignore[arg-type]
    try:
        return Ragged(read(flat, path), offsets_of(lengths))
    except InvalidInput:
        return None


def _together(parts: Sequence[object]) -> list[object] | Array | None:
    """Return what lists, or arrays of one dtype, hold one after the other."""
    kinds = set(map(type, parts))
    if kinds == {list}:
        return list(chain.from_iterable(cast(Sequence[list[object]], parts)))
    if kinds != {np.ndarray}:
        return None
    arrays = cast(Sequence[Array], parts)
    alike = len({array.dtype for array in arrays}) == 1 and all(one.ndim == 1 for one in arrays)
    return np.concatenate(arrays) if alike else None


def _first(parts: Sequence[object]) -> object:
    """Return a part that stands for all, when they are arrays of one dtype."""
    dtypes = {getattr(part, "dtype", FLOAT64) for part in parts}
    return parts[0] if len(dtypes) == 1 else None


def _with_offsets(flat: Array, offsets: Array, path: str) -> Ragged:
    if offsets[-1] != len(flat):
        raise ShapeError(
            f"the lists hold {int(offsets[-1])} values together, but {len(flat)} are here",
            path=path,
        )
    return Ragged(flat, offsets)


def _is_nested(value: object) -> bool:
    if not isinstance(value, (list, tuple)):
        return False
    if len(value) == 1 and type(value[0]) in PLAIN:
        return False
    kinds = set(map(type, value))
    if kinds.isdisjoint(LISTS):
        # Mostly plain numbers or strings: only other classes may be kinds of lists.
        kinds -= PLAIN
    return bool([kind for kind in kinds if issubclass(kind, LISTS)]) if kinds else False


def _flat(value: object, path: str, read: FlatReader) -> Array:
    """Return one list of values that stand beside offsets."""
    try:
        return read(value, path)
    except InvalidInput:
        if _is_nested(value) or (isinstance(value, np.ndarray) and value.ndim > 1):
            message = "with offsets the values are one flat list"
            raise ShapeError(message, path=path) from None
        raise


def _flat_numbers(value: object, path: str) -> Array:
    numbers = number_array(value, path)
    if numbers.ndim != 1:
        raise ShapeError("a flat list of numbers is expected here", path=path)
    return numbers if numbers.dtype is FLOAT64 else numbers.astype(np.float64, copy=False)


def _form(value: object, style: Style) -> InputForm:
    dtype = getattr(value, "dtype", None)
    if dtype is None or dtype is FLOAT64:
        return form_of(style)
    kept = str(dtype.newbyteorder("=")) if dtype.kind == "f" else "float64"
    return InputForm(style, dtype=kept)
