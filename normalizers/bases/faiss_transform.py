"""A linear map as a file of ``faiss.LinearTransform``: y = A x + b in float32."""

from __future__ import annotations

import struct

import numpy as np

from normalizers.contract.exports import FAISS, Export
from normalizers.data.arrays import Array

FOURCC = b"LTra"


def faiss_transform(matrix: Array, bias: Array) -> Export:
    """Return what ``faiss.read_VectorTransform`` reads.

    Parameters
    ----------
    matrix : array of shape (d, k)
        W of y = x W + bias.
    bias : array of shape (k,)
        Added to the product.

    Notes
    -----
    As ``write_VectorTransform`` of faiss/impl/index_write.cpp: fourcc, whether there is a bias,
    A (k, d) and b each after their length, then d, k and whether it is trained.
    """
    rows = np.ascontiguousarray(matrix.T, dtype="<f4")
    added = np.ascontiguousarray(bias, dtype="<f4")
    k, d = rows.shape
    parts = (FOURCC, struct.pack("<?", True), _vector(rows), _vector(added))
    return Export(b"".join(parts) + struct.pack("<ii?", d, k, True), FAISS)


def _vector(values: Array) -> bytes:
    return struct.pack("<Q", values.size) + values.tobytes()
