"""Steps of series laid out for a walk: one list a window and channel, all of one length."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from normalizers.bases.carried_state import Carried
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged

# Values of windows that are walked along at once.
BLOCK = 1 << 17


@dataclass(frozen=True)
class Steps:
    """Steps in order, and what those before them left.

    Parameters
    ----------
    values : array of shape (s, t)
        NaN where missing.
    observed : bool array of shape (s, t)
        What the statistics may see: not missing, and not under mask 0.
    before : mapping
        Carried arrays by name, of shape (s,), or (s, rows) with the latest row last.
    start : int
        Steps before these.
    labels : array of shape (s, t) or None
        What each step belongs to, where the method asks.
    """

    values: Array
    observed: Array
    before: Mapping[str, Array]
    start: int
    labels: Array | None = None

    @cached_property
    def lists(self) -> Array:
        """The observed values, NaN in all other places."""
        return np.where(self.observed, self.values, np.nan)


@dataclass(frozen=True)
class Walk:
    """What a walk along steps gives.

    Parameters
    ----------
    outputs : mapping
        By name, of shape (s, t).
    after : mapping
        The carried arrays, in the shapes of ``Steps.before``.
    flags : mapping
        By name, the steps that are marked, bool of shape (s, t).
    explained : mapping
        By name, the parts behind each step, of shape (s, t).
    """

    outputs: Mapping[str, Array]
    after: Mapping[str, Array]
    flags: Mapping[str, Array] = field(default_factory=dict)
    explained: Mapping[str, Array] = field(default_factory=dict)


class Layout(Protocol):
    """How series are cut into lists of one length, and put together again."""

    def steps(self, before: Carried) -> Iterator[Steps]:
        """Yield the lists, a group of one length and one step at a time."""

    def joined(self, parts: list[Array]) -> Array | Ragged:
        """Return what was given for every step, by group, in the form of the series."""

    def marked(self, parts: list[Array]) -> Array:
        """Return [window, channel] where some step is marked, shape (k, 2)."""

    def after(self, before: Carried, parts: list[Mapping[str, Array]]) -> Carried:
        """Return what is carried on."""


@dataclass(frozen=True)
class DenseLayout:
    """Windows ``(n, t, c)``, all at one step.

    Parameters
    ----------
    values, observed : array of shape (n, t, c)
    labels : array of shape (n, t) or None
    """

    values: Array
    observed: Array
    labels: Array | None = None

    def steps(self, before: Carried) -> Iterator[Steps]:
        """Yield the lists of some windows at a time, so that temporaries stay small."""
        start = int(before.steps.max(initial=0))
        windows, steps, channels = self.values.shape
        size = max(1, BLOCK // max(1, steps * channels))
        for first in range(0, max(windows, 1), size):
            part = slice(first, first + size)
            arrays = {name: _by_list(array[part]) for name, array in before.arrays.items()}
            labels = None if self.labels is None else np.repeat(self.labels[part], channels, axis=0)
            values, observed = _by_list(self.values[part]), _by_list(self.observed[part])
            yield Steps(values, observed, arrays, start, labels)

    def joined(self, parts: list[Array]) -> Array:
        """Return windows of the lists."""
        return self._windows(_whole(parts))

    def marked(self, parts: list[Array]) -> Array:
        """Return [window, channel] where some step is marked."""
        windows, _, channels = self.values.shape
        return np.argwhere(_whole(parts).any(axis=1).reshape(windows, channels))

    def after(self, before: Carried, parts: list[Mapping[str, Array]]) -> Carried:
        """Return what is carried on."""
        windows, steps, channels = self.values.shape
        whole = {name: _whole([part[name] for part in parts]) for name in parts[0]}
        arrays = {
            name: self._windows(array) if array.ndim > 1 else array.reshape(windows, channels)
            for name, array in whole.items()
        }
        return Carried(before.steps + steps, arrays)

    def _windows(self, lists: Array) -> Array:
        windows, _, channels = self.values.shape
        return lists.reshape(windows, channels, lists.shape[1]).transpose(0, 2, 1)


@dataclass(frozen=True)
class RaggedLayout:
    """Series of unequal length: a group for each length, and step that the series stand at.

    Parameters
    ----------
    values : Ragged
    observed : bool array
        Beside the values.
    starts : int64 array of shape (series,)
        Steps before those of each series.
    labels : array or None
        Beside the values.
    """

    values: Ragged
    observed: Array
    starts: Array
    labels: Array | None = None

    @cached_property
    def groups(self) -> list[Array]:
        """The series of each group, by position; one empty group where there is no series."""
        if not len(self.values):
            return [np.empty(0, dtype=np.int64)]
        kinds = np.stack([self.values.lengths, self.starts], axis=1)
        of_each = np.unique(kinds, axis=0, return_inverse=True)[1].reshape(-1)
        order = np.argsort(of_each, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(of_each[order])) + 1)

    def _places(self, group: Array) -> Array:
        length = int(self.values.lengths[group[:1]].sum())
        return self.values.offsets[group][:, None] + np.arange(length)

    def steps(self, before: Carried) -> Iterator[Steps]:
        """Yield the lists of each group."""
        for group in self.groups:
            places, start = self._places(group), int(self.starts[group[:1]].sum())
            labels = None if self.labels is None else self.labels[places]
            arrays = {
                # Series that stand at other steps may hold more rows: missing ones stand before.
                name: array[group, ..., 0]
                for name, array in before.arrays.items()
            }
            yield Steps(self.values.values[places], self.observed[places], arrays, start, labels)

    def joined(self, parts: list[Array]) -> Ragged:
        """Return series of the lists."""
        values = np.empty(len(self.values.values), dtype=parts[0].dtype)
        for group, part in zip(self.groups, parts, strict=True):
            values[self._places(group)] = part
        return self.values.with_values(values)

    def marked(self, parts: list[Array]) -> Array:
        """Return [series, 0] where some step is marked."""
        where = np.zeros((len(self.values), 1), dtype=bool)
        for group, part in zip(self.groups, parts, strict=True):
            where[group, 0] = part.any(axis=1)
        return np.argwhere(where)

    def after(self, before: Carried, parts: list[Mapping[str, Array]]) -> Carried:
        """Return what is carried on; series that hold fewer rows have missing ones before."""
        arrays = {}
        for name in parts[0]:
            rows = max(part[name].shape[1:] for part in parts)
            joined = np.full((len(self.values), *rows, 1), np.nan)
            for group, part in zip(self.groups, parts, strict=True):
                held = part[name]
                place = (group, slice(rows[0] - held.shape[1], None), 0) if rows else (group, 0)
                joined[place] = held
            arrays[name] = joined
        return Carried(before.steps + self.values.lengths, arrays)


def _whole(parts: list[Array]) -> Array:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _by_list(windows: Array) -> Array:
    """Return ``(n, t, c)`` as ``(n c, t)``, and ``(n, c)`` as ``(n c,)``."""
    if windows.ndim < 3:
        return windows.reshape(-1)
    count, steps, channels = windows.shape
    return np.ascontiguousarray(windows.transpose(0, 2, 1)).reshape(count * channels, steps)
