"""A fit written for another engine, which loads it without this library."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from normalizers.data.arrays import Array, as_stored

NPZ, NPY, ONNX, FAISS = "npz", "npy", "onnx", "faiss"


@dataclass(frozen=True)
class Export:
    """The file of a fit in one form.

    Parameters
    ----------
    content : bytes
        The same fit gives the same bytes.
    suffix : str
        Of its file name.
    media_type : str
        What it is sent as.
    """

    content: bytes
    suffix: str
    media_type: str = "application/octet-stream"


def npz(arrays: Mapping[str, Array]) -> Export:
    """Return arrays as an archive that ``numpy.load`` opens; texts have one width.

    Examples
    --------
    >>> import io, zipfile
    >>> import numpy as np
    >>> from normalizers.contract.exports import npz
    >>> zipfile.ZipFile(io.BytesIO(npz({"mean": np.array([2.0])}).content)).namelist()
    ['mean.npy']
    """
    plain = {
        name: array.astype(str) if array.dtype == object else as_stored(array)
        for name, array in arrays.items()
    }
    archive = io.BytesIO()
    np.savez(archive, **dict(sorted(plain.items())))  # type: ignore[arg-type]
    return Export(archive.getvalue(), NPZ, "application/zip")


def npy(array: Array) -> Export:
    """Return one array as a file that ``numpy.load`` opens."""
    content = io.BytesIO()
    np.save(content, as_stored(array))
    return Export(content.getvalue(), NPY, "application/x-npy")
