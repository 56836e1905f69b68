"""The arrays a fit produced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from normalizers.arrays import Array, frozen
from normalizers.batch import Notice
from normalizers.errors import CorruptVersion


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
