"""Strings in safetensors, which has no dtype for them: UTF-8 bytes and where each one starts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

import numpy as np

from normalizers.arrays import Array, strings
from normalizers.errors import CorruptVersion


def split_text(path: str, labels: Array) -> Iterator[tuple[str, Array]]:
    """Yield the arrays that hold an object array of ``str`` under `path`."""
    encoded = [label.encode() for label in labels.reshape(-1)]
    yield f"{path}.utf8", np.frombuffer(b"".join(encoded), dtype=np.uint8)
    yield f"{path}.utf8_offsets", np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    if labels.ndim > 1:
        yield f"{path}.utf8_shape", np.array(labels.shape, dtype=np.int64)


def join_text(tensors: Mapping[str, Array]) -> dict[str, Array]:
    """Return the arrays with every group of text arrays joined to one array of ``str``.

    Raises
    ------
    CorruptVersion
        Offsets, shapes or bytes that do not fit each other.
    """
    joined = dict(tensors)
    for name in tensors:
        if name.endswith(".utf8"):
            path = name.removesuffix(".utf8")
            ends = joined.pop(f"{path}.utf8_offsets", None)
            if ends is None:
                raise CorruptVersion(f"the text array '{path}' lacks its offsets")
            shape = joined.pop(f"{path}.utf8_shape", None)
            joined[path] = _labels(joined.pop(name), ends, shape, path)
    return joined


def _labels(raw: Array, ends: Array, shape: Array | None, path: str) -> Array:
    if ends.ndim != 1 or not len(ends) or ends[0] != 0 or ends[-1] != len(raw):
        raise CorruptVersion(f"the text array '{path}' has offsets that do not fit it")
    if (np.diff(ends) < 0).any():
        raise CorruptVersion(f"the text array '{path}' has offsets that fall")
    whole = raw.tobytes()
    try:
        texts = [whole[start:stop].decode() for start, stop in pairwise(ends)]
    except UnicodeDecodeError as error:
        raise CorruptVersion(f"the text array '{path}' is not UTF-8") from error
    labels = strings(texts)
    if shape is None:
        return labels
    if int(np.prod(shape)) != len(labels):
        raise CorruptVersion(f"the text array '{path}' has a shape that does not fit it")
    return labels.reshape([int(size) for size in shape])
