"""The arrays a fit produced."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar, cast

import numpy as np

from normalizers.data.arrays import Array, readonly
from normalizers.data.batch import Notice
from normalizers.errors import CorruptVersion

T = TypeVar("T")
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

    Notes
    -----
    What is worked out from the arrays alone is kept beside them by `once`, and no part of a file.
    """

    arrays: Mapping[str, Array] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    report: Mapping[str, object] = field(default_factory=dict)
    warnings: tuple[Notice, ...] = ()
    _kept: dict[Hashable, object] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        for name, array in self.arrays.items():
            if not isinstance(array, np.ndarray):
                raise TypeError(
                    f"the fitted '{name}' is a {type(array).__name__}, not an array: np.asarray "
                    "makes one of no axes"
                )
            if array.dtype not in STORED_TYPES:
                raise TypeError(f"the fitted array '{name}' is {array.dtype}: no file holds that")
        held = {name: readonly(array) for name, array in self.arrays.items()}
        object.__setattr__(self, "arrays", held)

    def __getstate__(self) -> dict[str, object]:
        """Return the fields without what `once` made: it is made anew where it is needed."""
        return {**self.__dict__, "_kept": {}}

    def __getitem__(self, name: str) -> Array:
        if name not in self.arrays:
            raise CorruptVersion(f"the version lacks the fitted array '{name}'")
        return self.arrays[name]

    def get(self, name: str) -> Array | None:
        """Return the array `name`, or None."""
        return self.arrays.get(name)

    def once(self, key: Hashable, made: Callable[[], T]) -> T:
        """Return what is `made` of the arrays, made at the first call with this key only."""
        if key not in self._kept:
            self._kept[key] = made()
        return cast(T, self._kept[key])


NOT_FITTED = Fitted()
