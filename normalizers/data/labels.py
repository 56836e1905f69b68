"""Labels of rows as codes: every distinct key once, and which of them each row has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from normalizers.data.arrays import Array, string_array

# NumPy sorts integers of 16 bits by their digits, in one pass; wider ones by comparison.
FEW_KEYS = 2**16
# Counting a code costs a place; above so many places a row, sorting costs less.
PLACES_A_ROW = 4


@dataclass(frozen=True, eq=False)
class Labels:
    """The labels of ``n`` rows, one label or several each.

    Parameters
    ----------
    keys : object array of str, shape (g, j)
        Distinct keys in code point order; some row has each.
    codes : int64 array of shape (n,)
        The key of each row.

    Examples
    --------
    >>> from normalizers.data.labels import Labels
    >>> languages = Labels.of(["de", "cs", "de"])
    >>> languages.keys.tolist(), languages.codes.tolist(), languages.shape
    ([['cs'], ['de']], [1, 0, 1], (3, 1))
    """

    keys: Array
    codes: Array

    @classmethod
    def of(cls, rows: Sequence[object] | Array) -> Labels:
        """Return the labels of rows of texts: one a row, or as many in each."""
        table = rows if isinstance(rows, np.ndarray) else string_array(rows)
        if table.ndim == 1:
            return cls.of_distinct(*first_met(table.tolist()))
        columns = [cls.of_distinct(*first_met(column)) for column in table.T.tolist()]
        if not columns:
            return cls(np.empty((min(len(table), 1), 0), dtype=object), np.zeros(len(table), int))
        whole = columns[0]
        for column in columns[1:]:
            whole = whole.beside(column)
        return whole

    @classmethod
    def of_distinct(cls, names: Sequence[str], places: Array) -> Labels:
        """Return labels that are written as texts, in any order, and the place of each row's."""
        used = np.unique(places) if len(names) > len(places) else _present(places, len(names))
        distinct = sorted({names[place] for place in used.tolist()})
        rank = {name: code for code, name in enumerate(distinct)}
        code = np.array([rank.get(name, -1) for name in names], dtype=np.int64)
        keys = string_array(distinct).reshape(-1, 1)
        return cls(keys, code[places] if len(names) else np.zeros(len(places), dtype=np.int64))

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows, and labels a row."""
        return len(self.codes), int(self.keys.shape[1])

    @cached_property
    def rows(self) -> Array:
        """The labels themselves, an object array of shape (n, j)."""
        return np.asarray(self.keys[self.codes])

    @cached_property
    def order(self) -> Array:
        """The rows key by key, those of one key in the order they came; shape (n,)."""
        few = len(self.keys) < FEW_KEYS
        return np.argsort(self.codes.astype(np.uint16) if few else self.codes, kind="stable")

    @cached_property
    def bounds(self) -> Array:
        """Where each key's rows begin in `order`, and where the last ones end; shape (g + 1,)."""
        bounds = np.zeros(len(self.keys) + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.codes, minlength=len(self.keys)), out=bounds[1:])
        return bounds

    def take(self, rows: Array) -> Labels:
        """Return the labels of some rows, by place or by mask."""
        codes = self.codes[rows]
        used = _present(codes, len(self.keys))
        rank = np.zeros(len(self.keys), dtype=np.int64)
        rank[used] = np.arange(len(used))
        return Labels(self.keys[used], rank[codes])

    def beside(self, other: Labels) -> Labels:
        """Return keys of both: the labels of a row, then those that the `other` has there."""
        width = max(len(other.keys), 1)
        # Codes are in the order of their keys, so that pairs of them are too.
        pairs = self.codes * width + other.codes
        used = _present(pairs, len(self.keys) * width)
        keys = np.concatenate([self.keys[used // width], other.keys[used % width]], axis=1)
        return Labels(keys, np.searchsorted(used, pairs))


def first_met(names: Iterable[str]) -> tuple[list[str], Array]:
    """Return distinct names in the order they are met, and the place of each among them."""
    rows = names if isinstance(names, list) else list(names)
    distinct = list(dict.fromkeys(rows))
    place = {name: index for index, name in enumerate(distinct)}
    return distinct, np.fromiter(map(place.__getitem__, rows), dtype=np.int64, count=len(rows))


def _present(codes: Array, size: int) -> Array:
    """Return which of the codes below `size` occur, in their order."""
    if size > PLACES_A_ROW * max(len(codes), FEW_KEYS):
        return np.unique(codes)
    return np.flatnonzero(np.bincount(codes, minlength=size))
