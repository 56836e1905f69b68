"""Strings in safetensors, which has no dtype for them: UTF-8 bytes and where each one starts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

import numpy as np

from normalizers.data.arrays import Array, string_array
from normalizers.errors import CorruptVersion


def split_text(path: str, labels: Array) -> Iterator[tuple[str, Array]]:
    """Yield the two arrays that hold an object array of ``str`` under `path`.

    Offsets are ``(N + 1,)`` for N strings; for a table ``(g, j)`` they are ``(g, j + 1)``, the
    last one of a row being its end.
    """
    encoded = [label.encode() for label in labels.reshape(-1)]
    starts = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    yield f"{path}.utf8", np.frombuffer(b"".join(encoded), dtype=np.uint8)
    yield f"{path}.utf8_offsets", starts if labels.ndim == 1 else _by_row(starts, labels.shape)


def join_text(tensors: Mapping[str, Array]) -> dict[str, Array]:
    """Return the arrays with every pair of text arrays joined to one array of ``str``.

    Raises
    ------
    CorruptVersion
        Offsets and bytes that do not fit each other.
    """
    joined = dict(tensors)
    for name in tensors:
        if name.endswith(".utf8"):
            path = name.removesuffix(".utf8")
            offsets = joined.pop(f"{path}.utf8_offsets", None)
            if offsets is None:
                raise CorruptVersion(f"the text array '{path}' lacks its offsets")
            joined[path] = _labels(joined.pop(name), offsets, path)
        elif name.endswith(".utf8_offsets") and name.removesuffix("_offsets") not in tensors:
            raise CorruptVersion(
                f"the text array '{name.removesuffix('.utf8_offsets')}' lacks text"
            )
    return joined


def _by_row(starts: Array, shape: tuple[int, ...]) -> Array:
    rows, columns = shape
    firsts = np.arange(rows, dtype=np.int64)[:, None] * columns
    return np.asarray(starts[firsts + np.arange(columns + 1)])


def _labels(raw: Array, offsets: Array, path: str) -> Array:
    if raw.ndim != 1 or raw.dtype != np.uint8 or offsets.dtype != np.int64:
        raise CorruptVersion(f"the text array '{path}' is not bytes and where each text starts")
    if offsets.ndim == 1:
        return _texts(raw, offsets, path)
    if offsets.ndim != 2 or not offsets.shape[1]:
        raise CorruptVersion(f"the text array '{path}' has offsets that do not fit it")
    ends = np.append(offsets[:, :-1].reshape(-1), len(raw))
    table = _texts(raw, ends, path).reshape(offsets.shape[0], offsets.shape[1] - 1)
    if not np.array_equal(_by_row(ends, table.shape), offsets):
        raise CorruptVersion(f"the text array '{path}' has offsets that do not fit it")
    return table


def _texts(raw: Array, offsets: Array, path: str) -> Array:
    if not len(offsets) or offsets[0] != 0 or offsets[-1] != len(raw):
        raise CorruptVersion(f"the text array '{path}' has offsets that do not fit it")
    if (np.diff(offsets) < 0).any():
        raise CorruptVersion(f"the text array '{path}' has offsets that fall")
    whole = raw.tobytes()
    try:
        return string_array(
            whole[start:stop].decode() for start, stop in pairwise(offsets.tolist())
        )
    except UnicodeDecodeError as error:
        raise CorruptVersion(f"the text array '{path}' is not UTF-8") from error
