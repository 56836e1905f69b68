"""Named arrays as they pass between the parts, and the form each was written in."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, NoReturn, TypeAlias, TypeVar, cast

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.devices import CPU_DEVICE, Device
from normalizers.data.labels import Labels
from normalizers.data.ragged import Ragged

T = TypeVar("T")
State: TypeAlias = Mapping[str, object]
Value: TypeAlias = (
    "Array | Labels | Ragged | State | tuple[Batch, ...] | str | bool | MethodReference"
)
Style: TypeAlias = Literal["plain", "flat", "nested", "matrix", "offsets"]


@dataclass(frozen=True)
class MethodReference:
    """A method or version that a request names, as it was written.

    Parameters
    ----------
    written : object
        A name, ``{"method", "params"}``, a normalizer or a version.
    """

    written: object


@dataclass(frozen=True)
class InputForm:
    """How a request wrote a field, so that the answer can be written the same way.

    Parameters
    ----------
    style : str
        Of ragged values: one ``flat`` list, ``nested`` lists, a ``matrix`` with one list a row,
        or flat with ``offsets``. ``plain`` for dense arrays.
    order : tuple of int
        The request's axes as positions of the canonical ones; () when they are in order.
    squeezed : tuple of int
        Canonical axes that the request left out.
    dtype : str
        The dtype of the answer's main output.
    width : int
        Length of the rows of a ``matrix``; a matrix without rows still has it.
    device : Device, optional
        Of a tensor: where it was, and where the answer goes.
    ids : frozenset of types
        Of ids: whether they were written as ``str``, as ``int``, or some as either.
    leading : tuple of int
        The sizes of the request's axes that are the first canonical one; () where it is one.
    """

    style: Style = "plain"
    order: tuple[int, ...] = ()
    squeezed: tuple[int, ...] = ()
    dtype: str = "float64"
    width: int = 0
    device: Device | None = None
    ids: frozenset[type] = frozenset()
    leading: tuple[int, ...] = ()

    def as_written(self, position: Sequence[int]) -> list[int]:
        """Return a canonical position in the axes of the request."""
        if self.style == "flat":
            return list(position[1:])
        if self.leading:
            first = np.unravel_index(position[0], self.leading)
            return [*map(int, first), *position[1:]]
        order = self.order or range(len(position))
        return [position[axis] for axis in order if axis not in self.squeezed]

    def places_as_written(self, places: Array) -> Array:
        """Return positions along the first canonical axis, (k,) or (k, axes), as the request's."""
        if not self.leading:
            return places
        rows = places[:, None] if places.ndim == 1 else places
        first = np.stack(np.unravel_index(rows[:, 0], self.leading), axis=1)
        return np.concatenate([first, rows[:, 1:]], axis=1)


PLAIN = InputForm()


@cache
def form_of(style: Style, squeezed: tuple[int, ...] = (), dtype: str = "float64") -> InputForm:
    """Return the form of most that is sent: in the canonical order, on no device."""
    return InputForm(style, squeezed=squeezed, dtype=dtype)


@dataclass(frozen=True)
class Notice:
    """A warning of the answer: a stable code, a sentence, and what it counts."""

    code: str
    message: str
    detail: tuple[tuple[str, object], ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Return the notice as it stands in an answer."""
        return {"code": self.code, "message": self.message, **dict(self.detail)}


def notice(code: str, message: str, **detail: object) -> Notice:
    """Return a warning with its counts."""
    return Notice(code, message, tuple(detail.items()))


class Batch(dict[str, Value]):
    """A read-only mapping of validated arrays, ids and records.

    Every method asks it many times, so that it is a dict rather than a mapping around one.

    Parameters
    ----------
    values : mapping
        By field name: arrays, `Ragged`, carried state, or a tuple of records.
    forms : mapping
        By field name: how the request wrote it.
    notices : tuple of Notice
        What was noticed while reading it.
    device : Device, optional
        Where it is computed, if the method can; by default where its tensors are, or NumPy.
    columns : tuple of str, optional
        Names of the columns of the main field, where it came with names or the fit had some.
    asked : mapping, optional
        Of a fit: the options that it was asked for.
    """

    def __init__(
        self,
        values: Mapping[str, Value],
        forms: Mapping[str, InputForm] | None = None,
        notices: tuple[Notice, ...] = (),
        device: Device | None = None,
        columns: tuple[str, ...] | None = None,
        asked: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(values)
        self.columns = columns
        self.asked = dict(asked or {})
        self.forms = dict(forms or {})
        self.notices = notices
        self._device = device
        self._kept: dict[Hashable, object] = {}
        for form in self.forms.values():
            self._device = self._device or form.device

    def __setitem__(self, name: str, value: Value) -> NoReturn:
        raise TypeError("a batch is read-only; replace returns another")

    def once(self, key: Hashable, made: Callable[[], T]) -> T:
        """Return what is `made` of this batch, made at the first call with this key only.

        What adds up a batch and what reports on it may need the same pass over it.
        """
        if key not in self._kept:
            self._kept[key] = made()
        return cast(T, self._kept[key])

    def __reduce__(self) -> tuple[object, ...]:
        return Batch, (dict(self), self.forms, self.notices, self._device, self.columns, self.asked)

    def __repr__(self) -> str:
        return f"Batch({', '.join(self)})"

    def array(self, name: str) -> Array:
        """Return the dense array `name`."""
        value = self[name]
        if isinstance(value, Labels):
            return value.rows
        if not isinstance(value, np.ndarray):
            raise TypeError(f"field '{name}' is not a dense array")
        return value

    def labels(self, name: str) -> Labels:
        """Return the labels `name` as codes."""
        value = self[name]
        if not isinstance(value, Labels):
            raise TypeError(f"field '{name}' holds no labels")
        return value

    def ragged(self, name: str) -> Ragged:
        """Return the ragged lists `name`."""
        value = self[name]
        if not isinstance(value, Ragged):
            raise TypeError(f"field '{name}' is not ragged")
        return value

    def records(self, name: str) -> tuple[Batch, ...]:
        """Return the records `name`."""
        value = self[name]
        if not isinstance(value, tuple):
            raise TypeError(f"field '{name}' holds no records")
        return value

    def record(self, name: str) -> Batch:
        """Return the one record `name`."""
        value = self[name]
        if not isinstance(value, Batch):
            raise TypeError(f"field '{name}' is no record")
        return value

    def state(self, name: str = "state") -> State | None:
        """Return the carried state, or None when the request sent none."""
        value = self.get(name)
        return value if isinstance(value, Mapping) else None

    def replace(self, **values: Value) -> Batch:
        """Return a copy with some values replaced."""
        held = {**self, **values}
        return Batch(held, self.forms, self.notices, self._device, self.columns, self.asked)

    def without(self, *names: str) -> Batch:
        """Return a copy that lacks some values."""
        held = {name: value for name, value in self.items() if name not in names}
        return Batch(held, self.forms, self.notices, self._device, self.columns, self.asked)

    def asking(self, asked: Mapping[str, object]) -> Batch:
        """Return a copy of a fit that is asked for more than its data say."""
        if not asked:
            return self
        return Batch(self, self.forms, self.notices, self._device, self.columns, asked)

    @property
    def device(self) -> Device:
        """Where it is computed."""
        return self._device or CPU_DEVICE

    def on(self, device: Device | None) -> Batch:
        """Return a copy that is computed there; None changes nothing."""
        if device is None:
            return self
        return Batch(self, self.forms, self.notices, device, self.columns, self.asked)

    def named(self, columns: Sequence[str] | None) -> Batch:
        """Return a copy whose columns have these names; None changes nothing."""
        if columns is None:
            return self
        return Batch(self, self.forms, self.notices, self._device, tuple(columns), self.asked)

    def preferring(self, device: Device) -> Batch:
        """Return a copy that is computed there unless another place was decided."""
        decided = self._device is not None or device == CPU_DEVICE
        return self if decided else self.on(device)

    def form(self, name: str) -> InputForm:
        """Return how the request wrote `name`."""
        return self.forms.get(name, PLAIN)
