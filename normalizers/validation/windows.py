"""Windows and their masks: any layout of axes becomes ``(n, t, c)``."""

from __future__ import annotations

from functools import cache

import numpy as np

from normalizers.contract.fields import Field
from normalizers.data.arrays import Array, dtype_name
from normalizers.data.batch import InputForm
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, InvalidParams, ShapeError, position_text
from normalizers.messages import quoted
from normalizers.validation.lists import number_lists
from normalizers.validation.numbers import MAX_AXES, number_array

# For every layout: the canonical axis (n=0, t=1, c=2) that each axis of the request is.
LAYOUTS = {"NTC": (0, 1, 2), "NT": (0, 1), "T": (1,), "TC": (1, 2), "NCT": (0, 2, 1)}
AXES = (0, 1, 2)
TIME = 1
DENSE_ONLY = "windows of one length are taken here, no ragged series: cut or pad them"


def check_layout(layout: str | None) -> None:
    """Refuse an unknown layout."""
    if layout is not None and layout not in (*LAYOUTS, "ragged"):
        raise InvalidParams(
            f"unknown layout {quoted(layout)}; one of {', '.join([*LAYOUTS, 'ragged'])}",
            path="options.layout",
        )


def windows(
    field: Field, value: object, offsets: Array | None, layout: str | None, path: str
) -> tuple[Array | Ragged, InputForm]:
    """Return windows ``(n, t, c)``, or ragged series, and the form they were written in."""
    if layout == "ragged" or offsets is not None or isinstance(value, Ragged):
        if not field.ragged:
            raise ShapeError(DENSE_ONLY, path=path)
        return _ragged(field, value, offsets, layout, path)
    if layout is None:
        _refuse_unnamed_ragged(field, value, path)
    array = number_array(value, path)
    order = _order(array, layout, field, path)
    if field.has_paths:
        return _paths(array, order)
    return _canonical(array, order), _form(array, order, len(field.shape))


def mask_windows(
    value: object, offsets: Array | None, layout: str | None, field: Field, path: str
) -> Array | Ragged:
    """Return a mask of the same layout as its windows, as booleans."""
    found, _ = windows(field, observed(value, path), offsets, layout, path)
    if isinstance(found, Ragged):
        return found.with_values(found.values.astype(bool))
    return found.astype(bool)


def observed(value: object, path: str, depth: int = MAX_AXES) -> Array | Ragged | list[object]:
    """Return a mask value as numbers after checking that every entry is 0, 1 or a boolean."""
    if isinstance(value, Ragged):
        return value.with_values(_zero_one(value.values, path))
    if hasattr(value, "__array__"):
        array = np.ma.asarray(value) if isinstance(value, np.ma.MaskedArray) else np.asarray(value)
        value = array.tolist() if array.dtype == object or np.ma.is_masked(array) else array
    if not isinstance(value, (list, tuple)):
        return _zero_one(value, path)
    if any(isinstance(part, (list, tuple, np.ndarray)) for part in value):
        if not depth:
            raise ShapeError("a mask has the axes of its series; this one has more", path=path)
        parts = [observed(part, f"{path}[{i}]", depth - 1) for i, part in enumerate(value)]
        return [part.tolist() if isinstance(part, np.ndarray) else part for part in parts]
    return _zero_one([float(x) if isinstance(x, (bool, np.bool_)) else x for x in value], path)


def _zero_one(value: object, path: str) -> Array:
    if isinstance(value, np.ndarray) and value.dtype.kind == "b":
        return value.astype(np.float64)
    numbers = number_array(value, path)
    wrong = ~np.isin(numbers, (0.0, 1.0))
    if wrong.any():
        place = path + position_text(np.argwhere(wrong)[0])
        raise InvalidInput("a mask holds 0 and 1 (or booleans), nothing else", path=place)
    return numbers


def _refuse_unnamed_ragged(field: Field, value: object, path: str) -> None:
    if not isinstance(value, list) or not all(isinstance(part, list) for part in value):
        return
    if len(set(map(len, value))) > 1:
        named = "series of unequal length need options.layout 'ragged'"
        raise ShapeError(named if field.ragged else DENSE_ONLY, path=path)


def _ragged(
    field: Field, value: object, offsets: Array | None, layout: str | None, path: str
) -> tuple[Array | Ragged, InputForm]:
    if layout not in (None, "ragged"):
        raise ShapeError(f"ragged series have layout 'ragged', not '{layout}'", path=path)
    if len(field.shape) > len(AXES):
        raise ShapeError("ragged series cannot carry a further axis here", path=path)
    if field.shape[TIME] == "1":
        return _per_series(number_array(value, path), path), InputForm("flat")
    return number_lists(value, offsets, path)


def _order(array: Array, layout: str | None, field: Field, path: str) -> tuple[int, ...]:
    extra = len(field.shape) - len(AXES)
    timeless = field.shape[TIME] == "1"
    order = LAYOUTS[layout] if layout else _guessed(array.ndim - extra, timeless, path)
    expected = len(order) + extra
    if array.ndim == expected:
        return order
    if timeless and array.ndim == expected - 1:
        return tuple(axis for axis in order if axis != TIME)
    raise ShapeError(f"{array.ndim} axes, but layout {layout or 'NTC'} has {expected}", path=path)


def _guessed(axes: int, timeless: bool, path: str) -> tuple[int, ...]:
    if axes == len(AXES):
        return AXES
    if axes == 1 or (timeless and axes == 0):
        return (TIME,)[:axes]
    if timeless and axes == len(AXES) - 1:
        return tuple(axis for axis in AXES if axis != TIME)
    raise ShapeError(
        "two axes may be windows x time or time x channels: say options.layout NT or TC"
        if axes == len(AXES) - 1
        else "series have one to three axes: windows, time, channels",
        path=path,
    )


def _canonical(array: Array, order: tuple[int, ...]) -> Array:
    inverse, places = _moves(order)
    extra = range(len(order), array.ndim)
    return np.ascontiguousarray(array.transpose(*inverse, *extra)[places], dtype=np.float64)


def _paths(array: Array, order: tuple[int, ...]) -> tuple[Array, InputForm]:
    """Return sample paths ``(n, p, t, c)``: they stand behind the windows, or first without."""
    place = order.index(0) + 1 if 0 in order else 0
    canonical = np.moveaxis(_canonical(np.moveaxis(array, place, -1), order), -1, 1)
    four = {0: 0, 1: 2, 2: 3}
    missing = tuple(four[axis] for axis in AXES if axis not in order)
    asked = [four[axis] for axis in order]
    asked.insert(place, 1)
    form = InputForm(order=(*asked, *missing), squeezed=missing, dtype=dtype_name(array.dtype))
    return np.ascontiguousarray(canonical), form


@cache
def _moves(order: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[slice | None, ...]]:
    """Return where each axis of a request goes, and which canonical ones are new."""
    inverse = tuple(sorted(range(len(order)), key=order.__getitem__))
    return inverse, tuple(slice(None) if axis in order else None for axis in AXES)


def _form(array: Array, order: tuple[int, ...], axes: int) -> InputForm:
    return _form_of(order, axes, dtype_name(array.dtype))


@cache
def _form_of(order: tuple[int, ...], axes: int, dtype: str) -> InputForm:
    missing = tuple(axis for axis in AXES if axis not in order)
    full = (*order, *missing)
    trailing = tuple(range(len(AXES), axes))
    return InputForm(order=(*full, *trailing), squeezed=missing, dtype=dtype)


def _per_series(array: Array, path: str) -> Array:
    if array.ndim > 1:
        raise ShapeError("ragged series have one number each here: a flat list", path=path)
    return array.reshape(-1, 1, 1).astype(np.float64)
