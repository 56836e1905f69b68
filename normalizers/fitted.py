"""The arrays a fit produced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from normalizers.arrays import Array, frozen
from normalizers.batch import Notice
from normalizers.errors import CorruptVersion

STORED_TYPES = (np.dtype(np.float64), np.dtype(np.int64), np.dtype(object))


@dataclass(frozen=True)
class Fitted:
    """Fitted arrays with the sizes they bind and what the fit report says about them.

    Parameters
    ----------
    arrays : mapping
        By name: float64, int64, or object arrays of ``str``; read-only.
    sizes : mapping
        Sizes of the symbols that a later request must match (``d``, ``g``, ``c``).
    report : mapping
        Plain values for the fit report.
    warnings : tuple of Notice
        What a reader of the fit should know.
    """

    arrays: Mapping[str, Array] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    report: Mapping[str, object] = field(default_factory=dict)
    warnings: tuple[Notice, ...] = ()

    def __post_init__(self) -> None:
        for name, array in self.arrays.items():
            if array.dtype not in STORED_TYPES:
                raise TypeError(f"the fitted array '{name}' is {array.dtype}: no file holds that")
        held = {name: frozen(array) for name, array in self.arrays.items()}
        object.__setattr__(self, "arrays", held)

    def __getitem__(self, name: str) -> Array:
        if name not in self.arrays:
            raise CorruptVersion(f"the version lacks the fitted array '{name}'")
        return self.arrays[name]

    def get(self, name: str) -> Array | None:
        """Return the array `name`, or None."""
        return self.arrays.get(name)


NOT_FITTED = Fitted()
