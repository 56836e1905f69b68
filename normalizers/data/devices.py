"""Devices: where arrays are computed."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import DtypeError, InvalidParams, MissingDependency
from normalizers.messages import quoted

CPU, CUDA, AUTO = "cpu", "cuda", "auto"
DEVICE_NAME = re.compile(r"cpu|auto|cuda(?::(\d{1,4}))?")
DEVICE_NAMES = "cpu, cuda, cuda:N, auto"
# By how much two devices may differ: shares of the length of a row times that of what it meets.
DEVICE_BOUNDS = {"float32": 1e-6, "float64": 1e-12}
BLOCK_VALUES = 2**24  # numbers that are on a device at once, in and out


@dataclass(frozen=True)
class Device:
    """Where arrays are computed.

    Parameters
    ----------
    name : str
        ``cpu``, ``cuda:0`` and so on.
    tensors : bool
        Whether its arrays are torch's; otherwise they are NumPy's.
    """

    name: str = CPU
    tensors: bool = False

    def put(self, array: Array) -> Array:
        """Return a copy of an array of NumPy there, or the array itself where that is NumPy."""
        if not self.tensors:
            return array
        import torch

        # Unlike `as_tensor`, it takes arrays that cannot be written to, and copies once.
        return cast(Array, torch.tensor(np.ascontiguousarray(array), device=self.name))

    def map_blocks(
        self, function: Callable[[Array], tuple[Array, ...]], rows: Array
    ) -> tuple[Array, ...]:
        """Return what `function` gives for ``rows (m, d)`` there, each array with m rows.

        Blocks of rows are moved over and back, so that memory is bounded on the device; NumPy
        takes the rows as they are. `function` may depend on nothing but each row.
        """
        if not self.tensors:
            return function(rows)
        whole: list[Array] = []
        size = max(1, BLOCK_VALUES // max(1, rows.shape[1]))
        for start in range(0, len(rows), size):
            parts = [to_numpy(part) for part in function(self.put(rows[start : start + size]))]
            if not whole:
                whole = [np.empty((len(rows), *part.shape[1:]), part.dtype) for part in parts]
            for array, part in zip(whole, parts, strict=True):
                array[start : start + len(part)] = part
        return tuple(whole)


CPU_DEVICE = Device()


def device_of(value: object) -> Device | None:
    """Return where a tensor is; None for everything else. It loads no library."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(value, torch.Tensor):
        return None
    return Device(str(value.device), tensors=True)


def to_numpy(array: Array, path: str = "") -> Array:
    """Return a tensor as an array of NumPy, and every other value as it is.

    Raises
    ------
    DtypeError
        A tensor of a type that NumPy does not know, or of a device other than cpu and cuda.
    """
    device = device_of(array)
    if device is None:
        return array
    if device.name.partition(":")[0] not in (CPU, CUDA):
        raise DtypeError(f"a tensor on '{device.name}' is not read; move it to cpu", path=path)
    try:
        return cast(Array, cast(Any, array).numpy(force=True))
    except TypeError as error:
        raise DtypeError(
            f"a tensor of {array.dtype} is not read; send a dense float32 or float64", path=path
        ) from error


def accelerators() -> tuple[str, ...]:
    """Return the names of the devices beside the CPU that torch finds; none without torch."""
    if importlib.util.find_spec("torch") is None:
        return ()
    import torch

    return tuple(f"{CUDA}:{index}" for index in range(torch.cuda.device_count()))


def find_device(name: str, path: str = "device") -> Device:
    """Return the device of a name: ``cpu`` is NumPy, ``auto`` the first GPU or else NumPy.

    Raises
    ------
    InvalidParams
        Another name, or a device that is not here.
    MissingDependency
        A GPU without torch.

    Examples
    --------
    >>> from normalizers.data.devices import find_device
    >>> find_device("cpu")
    Device(name='cpu', tensors=False)
    """
    known = DEVICE_NAME.fullmatch(name)
    if known is None:
        raise InvalidParams(f"unknown device {quoted(name)}; known: {DEVICE_NAMES}", path=path)
    if name == CPU:
        return CPU_DEVICE
    present = accelerators()
    if name == AUTO:
        return Device(present[0], tensors=True) if present else CPU_DEVICE
    return Device(present[_number(name, known[1], present, path)], tensors=True)


def _number(name: str, number: str | None, present: tuple[str, ...], path: str) -> int:
    """Return which of the devices is meant."""
    if importlib.util.find_spec("torch") is None:
        message = f"computing on '{name}' needs torch: pip install 'normd[torch]'"
        raise MissingDependency(message, path=path)
    index = int(number or 0)
    if index >= len(present):
        here = ", ".join((CPU, *present))
        raise InvalidParams(f"there is no device '{name}' here; there is: {here}", path=path)
    return index
