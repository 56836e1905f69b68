"""Dense numbers: of the axes that a field declares, in the type that is computed in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod

import numpy as np

from normalizers.contract.fields import Field, Flat
from normalizers.data.arrays import Array, dtype_name
from normalizers.data.batch import InputForm, form_of
from normalizers.errors import DtypeError, ShapeError
from normalizers.validation.numbers import number_array

# float16 has too few digits to compute in; embeddings sent in it are computed in float32.
COMPUTED_IN = {"float16": "float32"}


def dense(field: Field, value: object, path: str) -> tuple[Array, InputForm]:
    """Return the numbers of a field on the axes that it declares, and how they were written."""
    array = number_array(value, path)
    if field.kind == "integers" and not (np.isfinite(array) & (array == np.floor(array))).all():
        raise DtypeError("whole numbers are expected here", path=path)
    sent = dtype_name(array.dtype)
    form, axes = form_of("plain", (), sent), len(field.shape)
    if field.flat == "number" and array.ndim == 0:
        array, form = array.reshape(1, 1), form_of("plain", (0, 1), sent)
    if field.flat == "item" and array.ndim == axes - 1:
        array, form = array[np.newaxis], form_of("plain", (0,), sent)
    elif field.flat and array.ndim == 1 and axes == 2:
        array, form = _widened(field, array, sent)
    elif field.leading and array.ndim > axes:
        array, form = _folded(array, axes, form)
    if array.ndim != axes:
        raise ShapeError(
            f"{array.ndim} axes, but {axes} are expected: {field.shape_text}"
            f"{', or more in place of the first' if field.leading else ''}",
            path=path,
        )
    dtype = COMPUTED_IN.get(sent, sent) if field.native else "float64"
    return array if dtype == sent else array.astype(dtype, copy=False), form


def meaning(field: Field, sizes: Mapping[str, int]) -> Flat:
    """Return what a flat value is: no column of it could be one of several that a fit has."""
    return "row" if sizes.get(field.shape[-1], 1) > 1 else "column"


def _widened(field: Field, array: Array, sent: str) -> tuple[Array, InputForm]:
    if field.flat != "row":
        return array[:, np.newaxis], form_of("plain", (1,), sent)
    if not len(array):
        return array.reshape(0, 0), form_of("plain", (1,), sent)
    return array[np.newaxis], form_of("plain", (0,), sent)


def _folded(array: Array, axes: int, form: InputForm) -> tuple[Array, InputForm]:
    """Return an array whose leading axes are one."""
    rest = array.shape[array.ndim - axes + 1 :]
    leading = array.shape[: array.ndim - axes + 1]
    # Not -1: an array without values does not tell how many rows it has.
    return array.reshape(prod(leading), *rest), replace(form, leading=leading)
