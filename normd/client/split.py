"""Cut the fields of a large request into blocks whose answers do not depend on each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import prod

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.validation.windows import LAYOUTS
from normd.client.fields import OFFSETS, is_nested
from normd.wire.field_specs import FieldSpec, FieldSpecs

LISTS = frozenset({"lists", "id_lists", "integer_lists", "text_lists"})
OF_LISTS = ("q",)
WINDOWS = frozenset({"series", "mask"})
RAGGED_KEYS = (OFFSETS, "lengths")
PER_VALUE = ("max_body_bytes", "max_values", "max_ids")
WINDOW_AXIS, TIME_AXIS = 0, 1
TIME = "t"
NO_AXIS = -1
# What series are without a layout, by their number of axes.
UNNAMED = {1: "T", 3: "NTC"}
# A number in JSON has at most 24 characters, a sign and a comma.
NUMBER_BYTES = 26
# Quotes and a comma around a string.
QUOTES_BYTES = 3
# What a body holds beside the values: names, shapes, parameters.
SHARE_OF_LIMIT = 0.9


@dataclass(frozen=True)
class Cut:
    """Where every field is cut.

    Parameters
    ----------
    fields : mapping
        All fields.
    axes : mapping
        By field that is cut: the axis of its units; None for lists.
    units : int
        How many units there are.
    counted : str
        The limit that counts them.
    in_order : bool
        Whether each block goes on from the state that the one before it left.
    rows : int
        Rows that a unit holds: as many as its own leading axes have.
    """

    fields: Mapping[str, object]
    axes: Mapping[str, int | None]
    units: int
    counted: str = "max_rows"
    in_order: bool = False
    rows: int = 1

    def block(self, start: int, stop: int) -> dict[str, object]:
        """Return the fields with units `start` to `stop`."""
        return {
            name: _part(value, self.axes[name], start, stop) if name in self.axes else value
            for name, value in self.fields.items()
        }

    def spans(self, limits: Mapping[str, float]) -> list[tuple[int, int]]:
        """Return the blocks that keep to the limits, in order; a block has at least one unit."""
        edges = [0]
        while edges[-1] < self.units:
            edges.append(max(edges[-1] + 1, self._stop(edges[-1], limits)))
        return list(pairwise(edges))

    @cached_property
    def bytes(self) -> int:
        """About how many bytes all units take."""
        return int(self._totals["max_body_bytes"][-1])

    @cached_property
    def _totals(self) -> Mapping[str, Array]:
        """By limit: what the units before each edge add up to, shape (units + 1,)."""
        costs = {name: np.zeros(self.units) for name in PER_VALUE}
        for name, axis in self.axes.items():
            for limit, cost in _costs(self.fields[name], axis, self.units).items():
                costs[limit] += cost
        costs[self.counted] = np.full(self.units, float(self.rows))
        return {name: np.concatenate([[0.0], np.cumsum(cost)]) for name, cost in costs.items()}

    def _stop(self, start: int, limits: Mapping[str, float]) -> int:
        stops = [self.units]
        for name, total in self._totals.items():
            share = SHARE_OF_LIMIT if name == "max_body_bytes" else 1.0
            room = total[start] + share * limits.get(name, np.inf)
            stops.append(int(np.searchsorted(total, room, side="right")) - 1)
        return min(stops)


def cut_by_unit(
    fields: Mapping[str, object],
    declared: Mapping[str, FieldSpec],
    layout: str | None,
    *,
    pooled: bool = False,
) -> Cut | None:
    """Return how fields are cut into rows, lists or windows; None where there is one unit only.

    `pooled` lists, those of a fit, are cut anywhere: a flat one has as many units as numbers.
    """
    known = {name: value for name, value in fields.items() if name in declared}
    main = next((name for name in declared if name in known), None)
    if main is None or any(name in fields for name in RAGGED_KEYS):
        return None
    first = declared[main].axes[:1]
    # One number a list stands beside lists.
    of_units = (first, OF_LISTS) if declared[main].kind in LISTS else (first,)
    axes: dict[str, int | None] = {}
    for name, value in known.items():
        if tuple(declared[name].axes[:1]) in of_units:
            axis = _axis(value, declared[name], layout, WINDOW_AXIS)
            if axis == NO_AXIS and pooled and declared[name].kind in LISTS:
                axis = 0
            if axis == NO_AXIS:
                return None
            axes[name] = axis
    lists = any(declared[name].kind in LISTS or layout == "ragged" for name in axes)
    cut = _agreed(fields, axes, lists=lists)
    rows = max((_rows_of_units(fields[name], declared[name]) for name in axes), default=1)
    return cut if cut is None or rows == 1 else replace(cut, rows=rows)


def cuts_of_fit(
    fields: Mapping[str, object], declared: FieldSpecs, layout: str | None = None
) -> list[Cut]:
    """Return how data of a fit are cut, each part of the rows on its own; none where none can be.

    A part that is too small to be cut stays whole beside one that is; fields of no part go along.
    """
    parts = declared.parts(fields)
    rows = {name for names in parts.values() for name in names}
    shared = {name: value for name, value in fields.items() if name not in rows}
    cuts: list[Cut | None] = []
    wholes: list[Cut] = []
    for names in parts.values():
        alone = {**shared, **{name: fields[name] for name in names}}
        own = {name: declared[name] for name in names}
        cuts.append(cut_by_unit(alone, own, layout, pooled=True))
        wholes.append(Cut(alone, {}, 1))
    if not any(cuts):
        return []
    return [cut or whole for cut, whole in zip(cuts, wholes, strict=True)]


def cut_by_time(
    fields: Mapping[str, object], declared: Mapping[str, FieldSpec], layout: str | None
) -> Cut | None:
    """Return how series are cut into pieces of time, which are sent in order."""
    axes: dict[str, int | None] = {}
    for name, value in fields.items():
        if name in declared and declared[name].kind in WINDOWS:
            axis = _axis(value, declared[name], layout, TIME_AXIS)
            if axis is None or axis == NO_AXIS:
                return None
            axes[name] = axis
        elif name in declared and declared[name].axes[:1] == (TIME,):
            # A label for each step stands along time as the rows do.
            axes[name] = 0
    cut = _agreed(fields, axes)
    return None if cut is None else replace(cut, in_order=True)


def _agreed(
    fields: Mapping[str, object], axes: Mapping[str, int | None], *, lists: bool = False
) -> Cut | None:
    lengths = {_units(fields[name], axis) for name, axis in axes.items()}
    if len(lengths) != 1 or max(lengths) < 2:
        return None
    return Cut(fields, axes, lengths.pop(), "max_lists" if lists else "max_rows")


def _axis(value: object, field: FieldSpec, layout: str | None, wanted: int) -> int | None:
    """Return the axis that is cut, None for lists, `NO_AXIS` where there is none."""
    if isinstance(value, Ragged) or field.kind in LISTS or layout == "ragged":
        return _list_axis(value)
    if field.kind in WINDOWS:
        return _window_axis(value, layout, wanted)
    axes = _axes(value)
    flat = axes == 1 and len(field.axes) > 1 and field.flat != "column"
    return NO_AXIS if flat or not axes else 0


def _rows_of_units(value: object, field: FieldSpec) -> int:
    """Return how many rows one unit of a field is, whose leading axes are folded into one."""
    if not field.leading or not isinstance(value, np.ndarray):
        return 1
    return prod(value.shape[1 : value.ndim - len(field.axes) + 1])


def _axes(value: object) -> int:
    if isinstance(value, np.ndarray):
        return value.ndim
    return 2 if is_nested(value) else int(isinstance(value, list | tuple))


def _list_axis(value: object) -> int | None:
    if isinstance(value, Ragged) or is_nested(value):
        return None
    return 0 if isinstance(value, np.ndarray) and value.ndim > 1 else NO_AXIS


def _window_axis(value: object, layout: str | None, wanted: int) -> int:
    """Return the axis of windows or of time; sizes of windows may lack the axis of time."""
    if not isinstance(value, np.ndarray):
        return NO_AXIS
    order = LAYOUTS.get(layout or UNNAMED.get(value.ndim, ""), ())
    if value.ndim == len(order) - 1:
        order = tuple(axis for axis in order if axis != TIME_AXIS)
    return order.index(wanted) if wanted in order and value.ndim >= len(order) else NO_AXIS


def _units(value: object, axis: int | None) -> int:
    if axis is not None and isinstance(value, np.ndarray):
        return int(value.shape[axis])
    return len(value) if isinstance(value, Ragged | list | tuple | np.ndarray) else 0


def _part(value: object, axis: int | None, start: int, stop: int) -> object:
    if isinstance(value, Ragged):
        edges = value.offsets[start : stop + 1]
        return Ragged(value.values[edges[0] : edges[-1]], edges - edges[0])
    if isinstance(value, np.ndarray):
        index = [slice(None)] * value.ndim
        index[axis or 0] = slice(start, stop)
        return value[tuple(index)]
    return value[start:stop]  # type: ignore[index]


def _costs(value: object, axis: int | None, units: int) -> dict[str, Array]:
    """Return what each unit of a field adds to a body."""
    if isinstance(value, Ragged):
        return _cost_of(value.lengths, value.values.dtype.itemsize)
    if isinstance(value, np.ndarray) and value.dtype != object:
        return _cost_of(value.size / units, value.dtype.itemsize)
    return _cost_of_lists(list(value)) if axis is None else _cost_of_items(list(value))  # type: ignore[call-overload]


def _cost_of_items(items: list[object]) -> dict[str, Array]:
    """Return the costs of rows, labels or ids."""
    if is_nested(items):
        return _cost_of_lists(items)
    return _cost_of_texts(np.array([len(str(item)) for item in items]), 1)


def _cost_of_lists(parts: Sequence[Sequence[object]]) -> dict[str, Array]:
    lengths = np.array([len(part) for part in parts])
    if any(isinstance(item, str) for part in parts for item in part[:1]):
        return _cost_of_texts(np.array([sum(map(len, map(str, part))) for part in parts]), lengths)
    return _cost_of(lengths, NUMBER_BYTES)


def _cost_of(values: Array | float, size: int) -> dict[str, Array]:
    return {"max_values": np.asarray(values), "max_body_bytes": np.asarray(values) * size}


def _cost_of_texts(letters: Array, values: Array | float) -> dict[str, Array]:
    count = np.asarray(values)
    bytes = letters + count * QUOTES_BYTES
    return {"max_values": count, "max_ids": count, "max_body_bytes": bytes}
