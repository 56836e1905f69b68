"""The rows that are sent, and the arithmetic that no service can do without."""

from __future__ import annotations

import io
from typing import NamedTuple, Self

import numpy as np

from normalizers.data.arrays import Array

DIMS = 768
COMPONENTS = 256
SEED = 20240229


class Affine(NamedTuple):
    """The bare map ``X W + b`` of :data:`DIMS` to :data:`COMPONENTS` dims."""

    matrix: Array
    offset: Array

    @classmethod
    def drawn(cls, dtype: str = "float64") -> Self:
        """Return a random map."""
        generator = np.random.default_rng(SEED)
        matrix = generator.standard_normal((DIMS, COMPONENTS)).astype(dtype)
        return cls(matrix, generator.standard_normal(COMPONENTS).astype(dtype))

    def __call__(self, rows: Array) -> Array:
        """Return the mapped rows."""
        return rows @ self.matrix + self.offset


def rows(count: int) -> Array:
    """Return random rows of float32 whose dims have different spread and a common mean."""
    generator = np.random.default_rng(SEED)
    spread = np.geomspace(1, 0.1, DIMS, dtype=np.float32)
    drawn: Array = generator.standard_normal((count, DIMS), dtype=np.float32)
    return drawn * spread + np.float32(0.5)


def npy(array: Array) -> bytes:
    """Return an array as the bytes of an npy file."""
    written = io.BytesIO()
    np.save(written, array, allow_pickle=False)
    return written.getvalue()
