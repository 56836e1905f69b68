"""How much one call may hold: counted at the door, before a field is read and once it is."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from normalizers.contract.fields import RAGGED_KINDS, Fields, Kind
from normalizers.data.arrays import Array
from normalizers.data.batch import Batch, Value
from normalizers.data.json_numbers import ParsedNumbers
from normalizers.data.labels import Labels
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput
from normalizers.validation.json_values import RAGGED_KEYS

UNLIMITED = sys.maxsize
DIMS = "d"
NESTED = frozenset({list, np.ndarray})


class TooMany(InvalidInput):
    """More than a limit allows.

    Parameters
    ----------
    message : str
        What there is too much of.
    limit : int
        The limit.
    name : str
        Which of `Limits` it is.
    path : str
        Where.
    """

    def __init__(self, message: str, *, limit: int, name: str, path: str) -> None:
        super().__init__(message, path=path)
        self.limit, self.name = limit, name


@dataclass(frozen=True)
class Limits:
    """Most of each that one call may hold.

    Parameters
    ----------
    lists : int
        Lists, or records, of one field.
    rows : int
        Rows of one field, and steps along an axis that holds nothing.
    ids : int
        Ids or labels of one field.
    values : int
        Values that rows may become by a fit of many components.
    dims : int
        Columns that a fit takes.
    """

    lists: int = UNLIMITED
    rows: int = UNLIMITED
    ids: int = UNLIMITED
    values: int = UNLIMITED
    dims: int = UNLIMITED

    def check_sent(self, fields: Fields, sent: Mapping[str, object], path: str) -> None:
        """Refuse more lists or records than there may be, and as many steps without values.

        Nothing is read yet: reading lists takes a step of Python each, whatever they hold.
        """
        for name, value in sent.items():
            if name in fields:
                lists, steps = _extent(value, fields[name].kind)
            elif name in RAGGED_KEYS:
                lists, steps = _length(value) - (name == "offsets"), 0
            else:
                continue
            if lists > self.lists:
                raise self._too_many(lists, "lists", f"{path}.{name}", noun="lists")
            if steps > self.rows:
                raise self._too_many(steps, "rows", f"{path}.{name}", noun="rows")

    def check_value(self, value: Value, path: str, shape: tuple[str, ...] = ()) -> None:
        """Refuse a field with more rows, lists, ids or dims than there may be."""
        if isinstance(value, Ragged):
            if len(value.offsets) - 1 > self.lists:
                raise self._too_many(len(value), "lists", path)
            if value.values.dtype == object and len(value.values) > self.ids:
                raise self._too_many(len(value.values), "ids", path)
        elif isinstance(value, Labels):
            if len(value) > self.ids:
                raise self._too_many(len(value), "ids", path)
        elif isinstance(value, np.ndarray) and value.ndim:
            name, limit = ("ids", self.ids) if value.dtype == object else ("rows", self.rows)
            if len(value) > limit:
                raise self._too_many(len(value), name, path)
            dims = value.shape[shape.index(DIMS)] if DIMS in shape else 0
            if dims > self.dims:
                raise TooMany(
                    f"{dims} dims are too many for a fit", limit=self.dims, name="dims", path=path
                )

    def check_batch(self, batch: Batch, path: str) -> None:
        """Refuse a batch that was read without limits and holds more than there may be."""
        for name, value in batch.items():
            place = f"{path}.{name}"
            if isinstance(value, Batch):
                self.check_batch(value, place)
            elif isinstance(value, tuple):
                for index, record in enumerate(value):
                    self.check_batch(record, f"{place}[{index}]")
            else:
                self.check_value(value, place)

    def check_answer(
        self, values: Mapping[str, Value], sizes: Mapping[str, int], path: str
    ) -> None:
        """Refuse rows whose answer would hold more values than there may be.

        `sizes` are those of the fit; rows of few components may come back as rows of many dims.
        """
        widest = max([size for symbol, size in sizes.items() if "." not in symbol], default=1)
        for name, value in values.items():
            if isinstance(value, np.ndarray) and value.ndim and len(value) * widest > self.values:
                raise TooMany(
                    f"the answer would hold {len(value)} x {widest} values",
                    limit=self.values,
                    name="values",
                    path=f"{path}.{name}",
                )

    def _too_many(self, count: int, name: str, path: str, noun: str = "entries") -> TooMany:
        limit: int = getattr(self, name)
        return TooMany(f"{count} {noun} are too many", limit=limit, name=name, path=path)


def _extent(value: object, kind: Kind) -> tuple[int, int]:
    """Return of how many lists a field seems to be, and its longest axis that holds nothing."""
    array = _array(value) if not isinstance(value, list) else None
    if array is not None:
        lists = len(array) if array.ndim > 1 else 0
        return lists if kind in RAGGED_KINDS else 0, 0 if array.size else max(array.shape)
    if isinstance(value, Ragged):
        return len(value) if kind in RAGGED_KINDS else 0, 0
    if not isinstance(value, list) or not value:
        return 0, 0
    steps = _steps_of_nothing(value) if type(value[0]) in NESTED else 0
    if kind == "records" or (kind in RAGGED_KINDS and not NESTED.isdisjoint(map(type, value))):
        return len(value), steps
    return 0, steps


def _steps_of_nothing(value: object) -> int:
    """Return the longest axis of the first of nested lists that holds nothing."""
    while isinstance(value, list) and value:
        first = value[0]
        if isinstance(first, np.ndarray):
            return 0 if first.size else max(len(value), *first.shape)
        if first == []:
            return len(value)
        value = first
    return 0


def _length(value: object) -> int:
    array = _array(value)
    if array is not None:
        return array.size
    return len(value) if isinstance(value, list) else 0


def _array(value: object) -> Array | None:
    found = value.array if isinstance(value, ParsedNumbers) else value
    return found if isinstance(found, np.ndarray) else None
