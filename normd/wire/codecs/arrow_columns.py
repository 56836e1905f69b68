"""Columns of Arrow as arrays and lists, without a step of Python a number; and back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from normalizers.data.arrays import Array, as_stored
from normalizers.data.ragged import Ragged
from normalizers.errors import DtypeError, InvalidInput, ShapeError
from normalizers.messages import printable_name
from normalizers.validation.whole_numbers import held
from normd.wire.codecs.document import DecodeLimits
from normd.wire.codecs.errors import Unparseable
from normd.wire.codecs.paths import named_place
from normd.wire.codecs.tensors import check_values

if TYPE_CHECKING:
    import pyarrow

Values: TypeAlias = "Array | Ragged | list[Values]"

READ = "floats, ints, booleans, utf8, dictionaries of these, and lists of any of them"
# Texts behind dictionary ids are repeated when they are read, as often as the ids are.
BYTES_A_VALUE = 8


def check_columns(
    table: pyarrow.Table, paths: Sequence[str], bounds: DecodeLimits, before: int = 0
) -> int:
    """Check lengths first, then every offset, id and text of a table.

    Parameters
    ----------
    table : pyarrow.Table
        What a stream holds.
    paths : sequence of str
        Where its columns belong.
    bounds : Bounds
        Most values.
    before : int
        Values of the streams before.

    Returns
    -------
    int
        Values up to here.

    Raises
    ------
    TooLarge
        For more values than allowed.
    Unparseable
        When a column does not hold together.
    InvalidInput
        For a text that is not UTF-8; names the row.
    """
    check_values(before + table.num_rows * max(table.num_columns, 1), bounds)
    for path, column in zip(paths, table.columns, strict=True):
        for chunk in column.chunks:
            _validate(chunk, path)
            before += _count(chunk)
            check_values(before, bounds)
    return before


def values_of(array: pyarrow.Array, path: str, bounds: DecodeLimits) -> Values:
    """Return a column as an array or, for lists of unequal length, as ragged lists.

    Null is NaN in numbers and None in texts.

    Raises
    ------
    InvalidInput
        For null in place of a list; names the row.
    DtypeError
        For a type that is not read.
    """
    import pyarrow
    from pyarrow import types

    kind = array.type
    if isinstance(kind, pyarrow.FixedShapeTensorType):
        return _tensors(array, path, bounds)
    if types.is_dictionary(kind):
        return _behind_ids(array, path, bounds)
    if types.is_fixed_size_list(kind):
        return _rows(array, path, bounds)
    if types.is_list(kind) or types.is_large_list(kind):
        return _lists(array, path, bounds)
    if types.is_null(kind):
        return np.full(len(array), np.nan)
    if types.is_boolean(kind) or types.is_integer(kind) or types.is_floating(kind):
        return _numbers(array, path)
    if types.is_string(kind) or types.is_large_string(kind):
        return np.asarray(array.to_numpy(zero_copy_only=False))
    if types.is_string_view(kind):
        return values_of(array.cast(pyarrow.large_utf8()), path, bounds)
    raise DtypeError(
        f"a column of type {printable_name(str(kind))} is not read; send {READ}", path=path
    )


def column_of(values: Array | Ragged) -> pyarrow.Array:
    """Return an array, or ragged lists, as a column: an axis is a list of fixed size."""
    import pyarrow

    if isinstance(values, Ragged):
        offsets = pyarrow.array(values.offsets.astype(np.int32))
        return pyarrow.ListArray.from_arrays(offsets, column_of(values.values))
    if values.dtype == object:
        return pyarrow.array(values.tolist(), _nested(pyarrow.utf8(), values.shape))
    kind = pyarrow.from_numpy_dtype(values.dtype.newbyteorder("="))
    if not values.size:
        return pyarrow.array(values.tolist(), _nested(kind, values.shape))
    column = pyarrow.array(as_stored(values).reshape(-1))
    for size in reversed(values.shape[1:]):
        column = pyarrow.FixedSizeListArray.from_arrays(column, size)
    return column


def _nested(kind: pyarrow.DataType, shape: tuple[int, ...]) -> pyarrow.DataType:
    import pyarrow

    for size in reversed(shape[1:]):
        kind = pyarrow.list_(kind, size)
    return kind


def _validate(chunk: pyarrow.Array, path: str) -> None:
    import pyarrow

    try:
        chunk.validate(full=True)
    except (pyarrow.ArrowException, ValueError, OverflowError):
        _refuse_wrong_text(chunk, named_place(path))
        raise Unparseable(f"the column '{printable_name(path)}' does not hold together") from None


def _refuse_wrong_text(chunk: pyarrow.Array, path: str) -> None:
    """Refuse a text that is not UTF-8 by its row, if that is what is wrong."""
    import pyarrow

    binary = {pyarrow.utf8(): pyarrow.binary(), pyarrow.large_utf8(): pyarrow.large_binary()}
    if chunk.type not in binary:
        return
    as_bytes = chunk.view(binary[chunk.type])
    try:
        as_bytes.validate(full=True)
    except (pyarrow.ArrowException, ValueError, OverflowError):
        return
    for row, content in enumerate(as_bytes.to_pylist()):
        try:
            (content or b"").decode()
        except UnicodeDecodeError:
            raise InvalidInput("the text here is not UTF-8", path=f"{path}[{row}]") from None


def _count(array: pyarrow.Array) -> int:
    """Return the number of values of an array, those inside its lists included."""
    import pyarrow
    from pyarrow import types

    storage = array.storage if isinstance(array, pyarrow.ExtensionArray) else array
    kind = storage.type
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return len(storage) + _count(storage.values)
    return len(storage)


def _numbers(array: pyarrow.Array, path: str) -> Array:
    import pyarrow

    whole = not array.null_count
    if array.type == pyarrow.bool_():
        array = array if whole else array.cast(pyarrow.float64())
        return np.asarray(array.to_numpy(zero_copy_only=False))
    if not whole and pyarrow.types.is_integer(array.type):
        numbers = held(array.fill_null(0).to_numpy(zero_copy_only=False), path)
        numbers[np.asarray(array.is_null().to_numpy(zero_copy_only=False))] = np.nan
        return numbers
    return np.asarray(array.to_numpy(zero_copy_only=whole))


def _behind_ids(array: pyarrow.DictionaryArray, path: str, bounds: DecodeLimits) -> Values:
    """Return what dictionary ids stand for."""
    entries = values_of(array.dictionary, path, bounds)
    if not isinstance(entries, np.ndarray) or entries.ndim != 1:
        raise DtypeError(f"a dictionary of lists is not read; send {READ}", path=path)
    ids = array.indices.fill_null(0).to_numpy()
    _check_repetition(entries, ids, bounds)
    missing = np.asarray(array.indices.is_null().to_numpy(zero_copy_only=False))
    if entries.dtype != object and missing.any():
        entries = _room_for_nan(entries, path)
    found = entries[ids] if len(entries) else np.full(len(ids), None)
    if missing.any():
        found[missing] = None if found.dtype == object else np.nan
    return found


def _room_for_nan(entries: Array, path: str) -> Array:
    """Return floats as a copy, integers and booleans as float64."""
    if entries.dtype.kind in "iu":
        return held(entries, path)
    return entries.astype(entries.dtype if entries.dtype.kind == "f" else np.float64)


def _check_repetition(entries: Array, ids: Array, bounds: DecodeLimits) -> None:
    """Refuse texts that are small in the dictionary and large behind the ids."""
    if entries.dtype == object and len(entries):
        lengths = np.array([len(entry or "") for entry in entries], dtype=np.int64)
        check_values(int(lengths[ids].sum()) // BYTES_A_VALUE, bounds)


def _rows(array: pyarrow.FixedSizeListArray, path: str, bounds: DecodeLimits) -> Values:
    _refuse_null_lists(array, path)
    width = array.type.list_size
    inner = values_of(array.values.slice(array.offset * width, len(array) * width), path, bounds)
    if isinstance(inner, np.ndarray):
        return inner.reshape(len(array), width, *inner.shape[1:])
    return _parts(inner, np.arange(len(array) + 1) * width)


def _lists(array: pyarrow.ListArray, path: str, bounds: DecodeLimits) -> Values:
    _refuse_null_lists(array, path)
    offsets = array.offsets.to_numpy().astype(np.int64)
    start, end = int(offsets[0]), int(offsets[-1])
    inner = values_of(array.values.slice(start, end - start), path, bounds)
    offsets = offsets - start
    if not len(array):
        return inner
    widths = np.diff(offsets)
    if isinstance(inner, np.ndarray) and (widths == widths[0]).all():
        return inner.reshape(len(array), int(widths[0]), *inner.shape[1:])
    if isinstance(inner, np.ndarray) and inner.ndim == 1:
        return Ragged(inner, offsets)
    return _parts(inner, offsets)


def _parts(inner: Values, offsets: Array) -> list[Values]:
    items: Sequence[Values] | Array = list(inner) if isinstance(inner, Ragged) else inner
    return [items[start:end] for start, end in pairwise(offsets.tolist())]  # type: ignore[misc]


def _tensors(array: pyarrow.FixedShapeTensorArray, path: str, bounds: DecodeLimits) -> Values:
    rows = values_of(array.storage, path, bounds)
    if not isinstance(rows, np.ndarray):
        raise DtypeError("a tensor holds plain numbers", path=path)
    shape = tuple(array.type.shape)
    order = array.type.permutation or range(len(shape))
    try:
        tensors = rows.reshape(len(array), *shape)
        return tensors.transpose(0, *(axis + 1 for axis in np.argsort(order)))
    except ValueError:
        raise ShapeError("the shape of the tensors does not fit their values", path=path) from None


def _refuse_null_lists(array: pyarrow.Array, path: str) -> None:
    if array.null_count:
        row = int(np.argmax(array.is_null().to_numpy(zero_copy_only=False)))
        raise InvalidInput(
            "a list stands here, null does not; a missing number is null inside it",
            path=f"{path}[{row}]",
        )
