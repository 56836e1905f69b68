"""Symbolic sizes: one symbol is one size in all fields of a batch, and in the fit before it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from normalizers.contract.fields import Fields
from normalizers.data.batch import Value
from normalizers.data.labels import Labels
from normalizers.data.ragged import Ragged
from normalizers.errors import ShapeError

# An empty list says nothing of how long its rows would be.
NO_ROWS = (0, 0)
# Ragged series have one channel.
CHANNELS = 2


def check_sizes(
    fields: Fields, values: Mapping[str, Value], sizes: dict[str, int], path: str
) -> None:
    """Refuse arrays whose symbolic sizes disagree with each other or with `sizes`."""
    origin = dict.fromkeys(sizes, "the fit")
    ragged: tuple[str, Ragged] | None = None
    for name, value in values.items():
        if isinstance(value, np.ndarray | Labels):
            if fields[name].flat == "row" and value.shape == NO_ROWS:
                _check_size(fields[name].shape[0], 0, name, sizes, origin, path)
                continue
            for symbol, size in zip(fields[name].shape, value.shape, strict=True):
                _check_size(symbol, size, name, sizes, origin, path)
        elif isinstance(value, Ragged):
            if ragged is not None and not np.array_equal(ragged[1].offsets, value.offsets):
                raise ShapeError(
                    f"'{name}' and '{ragged[0]}' need lists of the same lengths",
                    path=f"{path}.{name}",
                )
            ragged = (name, value)
            if fields[name].kind in ("series", "mask"):
                _check_size(fields[name].shape[0], len(value), name, sizes, origin, path)
            elif len(value.values):
                # One number a list is of shape (q,); [] may be no lists, or one that is empty.
                _check_size("q", len(value), name, sizes, origin, path)
            if fields[name].kind == "series" and fields[name].shape[CHANNELS] in sizes:
                _check_size(fields[name].shape[CHANNELS], 1, name, sizes, origin, path)


def _check_size(
    symbol: str,
    size: int,
    name: str,
    sizes: dict[str, int],
    origin: dict[str, str],
    path: str,
) -> None:
    expected = 1 if symbol == "1" else sizes.setdefault(symbol, size)
    if expected != size:
        if symbol == "1":
            raise ShapeError(
                f"'{name}' has {size} along an axis of length 1", path=f"{path}.{name}"
            )
        source = origin.get(symbol, "one")
        raise ShapeError(
            f"'{name}' has {size} for {symbol}, but {source} has {expected}",
            path=f"{path}.{name}",
        )
    origin.setdefault(symbol, f"'{name}'")
