"""Fields as users hand them over, as values that bodies carry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeGuard, cast

import numpy as np

from normalizers.contract.method import Method
from normalizers.data.arrays import Array
from normalizers.data.devices import device_of, to_numpy
from normalizers.data.frames import column_names
from normalizers.data.ragged import Ragged, offsets_of
from normalizers.errors import DtypeError, InvalidInput
from normalizers.validation.columns import COLUMNS
from normalizers.validation.labels import is_unicode
from normalizers.validation.numbers import number_array
from normalizers.validation.whole_numbers import require_held_columns
from normalizers.versions.manifest import params_json
from normd.wire.codecs.arrays import is_numeric
from normd.wire.field_specs import FieldSpecs

OFFSETS = "offsets"
SCALARS = {float, int, str, bool, type(None)}


def written(fields: Mapping[str, object], path: str) -> dict[str, object]:
    """Return fields as a body carries them: numbers as arrays, ragged ones with ``offsets``.

    Lists stay lists, which the service checks element by element.

    Raises
    ------
    DtypeError
        For an array of a type that no body carries, such as complex numbers.
    """
    found: dict[str, object] = {}
    for name, value in _joined(fields, path).items():
        if isinstance(value, Ragged):
            found[name], found[OFFSETS] = plain(value.values, f"{path}.{name}"), value.offsets
        else:
            found[name] = plain(value, f"{path}.{name}")
    return found


def plain(value: object, path: str) -> object:
    """Return one value as a body carries it.

    Raises
    ------
    DtypeError
        For what no body carries, such as a set, or an array of complex numbers.
    InvalidInput
        For text that is not Unicode.
    """
    if device_of(value) is not None:
        return _array(to_numpy(cast(Array, value), path), path)
    if isinstance(value, np.ma.MaskedArray):
        return number_array(value, path)
    if isinstance(value, np.ndarray):
        return _array(value, path)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Ragged):
        return [plain(part, path) for part in value]
    if isinstance(value, Method):
        return {
            "method": value.name,
            "params": plain(params_json(value, value.explicit_params), path),
        }
    if isinstance(value, Mapping):
        return written(value, path)
    if isinstance(value, list | tuple | range):
        return _list(value, path)
    if hasattr(value, "__array__"):
        require_held_columns(value, path)
        return _array(np.asarray(value), path)
    return _scalar(value, path)


def names_of(value: object, fields: FieldSpecs) -> dict[str, object]:
    """Return the names of the columns of a data frame, which stand beside the main field."""
    names = column_names(value)
    main = fields.main
    if names is None or len(main.axes) <= 1 or main.is_grouped or COLUMNS in fields:
        return {}
    return {COLUMNS: list(names)}


def is_nested(value: object) -> TypeGuard[Sequence[Sequence[object]]]:
    """Return whether a value is a list of lists or of one-dimensional arrays."""
    return (
        isinstance(value, list | tuple)
        and bool(value)
        and all(isinstance(part, list | tuple) or _is_row(part) for part in value)
    )


def _scalar(value: object, path: str) -> object:
    if isinstance(value, str) and not is_unicode(value):
        raise InvalidInput("the text here is not valid Unicode (a lone surrogate)", path=path)
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise DtypeError(
        f"a {type(value).__name__} cannot be sent; send numbers, text, lists or arrays", path=path
    )


def _joined(fields: Mapping[str, object], path: str) -> Mapping[str, object]:
    """Return fields whose lists of arrays are joined, when all ragged ones have one length a list.

    Numbers of arrays in a list count as float64, as they do in the library.
    """
    ragged = {name: list(parts) for name, parts in fields.items() if is_nested(parts)}
    lengths = {tuple(map(len, parts)) for parts in ragged.values()}
    if not any(map(_is_rows, ragged.values())) or len(lengths) != 1 or OFFSETS in fields:
        return fields
    offsets = offsets_of(lengths.pop())
    joined = {name: _join(parts, f"{path}.{name}") for name, parts in ragged.items()}
    return {**fields, **joined, OFFSETS: offsets}


def _join(parts: Sequence[Sequence[object]], path: str) -> object:
    if _is_rows(parts):
        rows = [number_array(part, f"{path}[{index}]") for index, part in enumerate(parts)]
        return np.concatenate(rows, dtype=np.float64)
    return [item for part in parts for item in part]


def _is_rows(value: object) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(map(_is_numeric_row, value))


def _is_numeric_row(part: object) -> bool:
    return isinstance(part, np.ndarray) and part.ndim == 1 and part.dtype.kind in "fiu"


def _is_row(part: object) -> bool:
    return isinstance(part, np.ndarray) and part.ndim == 1


def _array(array: Array, path: str) -> object:
    if array.dtype.kind in "OUT":
        return plain(array.tolist(), path)
    if not is_numeric(array):
        raise DtypeError(f"an array of {array.dtype} cannot be sent; make it float64", path=path)
    return array if array.ndim else array.item()


def _list(items: Sequence[object], path: str) -> object:
    kinds = set(map(type, items))
    if kinds <= SCALARS and (str not in kinds or _are_unicode(items)):
        return list(items)
    return [plain(item, f"{path}[{index}]") for index, item in enumerate(items)]


def _are_unicode(items: Sequence[object]) -> bool:
    return is_unicode("".join(item for item in items if isinstance(item, str)))
