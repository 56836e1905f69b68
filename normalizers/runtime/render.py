"""From canonical arrays back to the form a request was written in."""

from __future__ import annotations

from functools import cache
from math import prod

import numpy as np

from normalizers.contract.answer import Rendered
from normalizers.data.arrays import Array
from normalizers.data.batch import InputForm, Value
from normalizers.data.devices import Device
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput


def render(value: Value, form: InputForm, *, main: bool) -> Rendered:
    """Return an output value as the request would have written it.

    Parameters
    ----------
    value : array, Ragged or other
        Canonical output; what is no array passes as it is.
    form : Form
        How the input that it answers was written.
    main : bool
        The main output takes the input's dtype, side outputs stay float64; both are tensors
        where the input is one.
    """
    if isinstance(value, Ragged):
        if main and value.values.dtype != form.dtype:
            value = value.with_values(_typed(value.values, form))
        written = _ragged(value, form)
    elif isinstance(value, np.ndarray):
        written = _dense(_typed(value, form) if main else value, form)
    else:
        return value
    return written if form.device is None else _returned(written, form.device)


def _returned(value: Rendered, device: Device) -> Rendered:
    """Return the numbers where those of the request were."""
    if not isinstance(value, np.ndarray) or value.dtype == object:
        return value
    return device.put(value)


def _ragged(value: Ragged, form: InputForm) -> Rendered:
    if form.style == "flat":
        return value.values
    if form.style == "nested":
        return list(value)
    widths = set(value.lengths.tolist()) or {form.width}
    if form.style == "matrix" and len(widths) == 1:
        return value.values.reshape(len(value), widths.pop())
    return value


def _dense(array: Array, form: InputForm) -> Array:
    if form.style in ("nested", "offsets") or array.dtype == object:
        return array.reshape(len(array)) if form.style != "plain" and array.ndim > 1 else array
    if form.order and array.ndim >= len(form.order):
        moves, kept = _moves(form.order, form.squeezed, array.ndim)
        shape = array.shape
        return array.transpose(moves).reshape([shape[axis] for axis in kept])
    if form.leading and array.ndim and len(array) == prod(form.leading):
        return array.reshape(*form.leading, *array.shape[1:])
    if not form.squeezed:
        return array
    squeezed = tuple(axis for axis in form.squeezed if axis < array.ndim and array.shape[axis] == 1)
    if form.squeezed == (1,) and array.shape[:1] == (0,):
        return array.reshape(-1)
    return array.squeeze(squeezed) if squeezed else array


@cache
def _moves(
    order: tuple[int, ...], squeezed: tuple[int, ...], axes: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the axes in the order of a request, those that it left out last, and its own."""
    asked = tuple(axis for axis in order if axis not in squeezed)
    rest = tuple(range(len(order), axes))
    return (*asked, *squeezed, *rest), (*asked, *rest)


def _typed(array: Array, form: InputForm) -> Array:
    if array.dtype.kind != "f" or form.dtype == array.dtype:
        return array
    with np.errstate(over="ignore"):
        typed = array.astype(form.dtype)
    lost = np.isfinite(array) & ~np.isfinite(typed)
    if lost.any():
        where = [int(index) for index in np.argwhere(lost)[0]]
        raise InvalidInput(
            f"a result at {where} is too large for {form.dtype}; send the input in a wider dtype"
        )
    return typed
