"""Consecutive groups of dims, each treated by itself: blocks on the diagonal of a matrix."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from normalizers.data.arrays import Array


def blocks(matrix: Array, size: int) -> list[Array]:
    """Return the blocks of `size` dims on the diagonal; the last may be smaller.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.embeddings.base.blocks import blocks
    >>> [len(block) for block in blocks(np.eye(5), 2)]
    [2, 2, 1]
    """
    starts = range(0, len(matrix), size)
    return [matrix[start : start + size, start : start + size] for start in starts]


def block_diagonal(parts: Sequence[Array]) -> Array:
    """Return the matrix of these blocks, zero beside them."""
    if len(parts) == 1:
        return np.asarray(parts[0], order="C")
    rows, columns = (sum(part.shape[axis] for part in parts) for axis in (0, 1))
    matrix = np.zeros((rows, columns))
    row = column = 0
    for part in parts:
        matrix[row : row + part.shape[0], column : column + part.shape[1]] = part
        row, column = row + part.shape[0], column + part.shape[1]
    return matrix
