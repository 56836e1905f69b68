"""A map of rows for other engines, which compute in float32."""

from __future__ import annotations

import numpy as np

from normalizers.bases.affine_maps import AffineMaps
from normalizers.bases.faiss_transform import faiss_transform
from normalizers.bases.onnx_model import onnx_model
from normalizers.bases.vectors import Step
from normalizers.contract.exports import ONNX, Export
from normalizers.data.devices import CPU_DEVICE
from normalizers.errors import UnsupportedOperation


def exported_map(
    maps: AffineMaps, name: str, k: int | None = None, *, pre: Step = "none", unit: bool = False
) -> Export:
    """Return a map as an ONNX model, or as a transform of faiss, which has no steps beside it.

    Parameters
    ----------
    maps : AffineMaps
        The map of a fit.
    name : {'onnx', 'faiss'}
        The form.
    k : int, optional
        How many of the first columns are given; by default all.
    pre : {'none', 'l2', 'layer_norm'}
        What is done to the rows first.
    unit : bool
        Whether the images are brought to length 1.

    Raises
    ------
    UnsupportedOperation
        The matrix is beyond the range of float32.
    MissingDependency
        ``onnx`` is not installed.
    """
    there = maps.forward(np.dtype(np.float32), CPU_DEVICE, k)
    if there.matrix.dtype != np.float32:
        raise UnsupportedOperation("the matrix is beyond the range of float32", path="format")
    if name == ONNX:
        return onnx_model(there, pre, unit_after=unit)
    matrix = maps.matrix[:, :k]
    return faiss_transform(matrix, -maps.mean @ matrix)
