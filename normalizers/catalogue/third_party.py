"""Methods that installed packages contribute, each checked when it is loaded."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import get_args

from normalizers.catalogue.discovery import FAMILIES
from normalizers.contract.method import Kind
from normalizers.messages import did_you_mean, quoted
from normalizers.normalizer import Normalizer

# A third-party package lists its method classes under this entry-point group.
ENTRY_POINTS = "normd.methods"
KINDS: tuple[str, ...] = get_args(Kind)
KNOWN_FAMILIES = (*FAMILIES, "pipeline")


def third_party() -> Iterator[tuple[EntryPoint, type[Normalizer]]]:
    """Yield the method classes that installed packages contribute, and where each is named.

    One that cannot be used is left out with a warning: the other methods still work.
    """
    for entry in entry_points(group=ENTRY_POINTS):
        # The code is another's: whatever it raises must not end a command of ours.
        try:
            cls = _checked(entry.load())
        except Exception as error:
            warn_of(entry, error)
        else:
            yield entry, cls


def warn_of(entry: EntryPoint, error: Exception) -> None:
    """Warn that the method of an entry point is left out, and why."""
    package = entry.dist.name if entry.dist is not None else "unknown"
    warnings.warn(
        f"a method is left out: package '{package}', entry point '{entry.name} = {entry.value}' "
        f"of '{ENTRY_POINTS}': {type(error).__name__}: {error}",
        RuntimeWarning,
        stacklevel=2,
    )


def _checked(cls: object) -> type[Normalizer]:
    """Return the class; refuse one whose declarations are not of the contract."""
    if not isinstance(cls, type) or not issubclass(cls, Normalizer):
        raise TypeError("a class derived from normalizers.Normalizer is expected")
    name: object = cls.name
    if not isinstance(name, str) or not name:
        raise ValueError(f"{cls.__name__}.name is the method's name, a string that is not empty")
    kinds: object = cls.kinds
    if not isinstance(kinds, tuple):
        raise TypeError(f'{cls.__name__}.kinds is a tuple, such as ("fitted",)')
    for kind in kinds:
        _require_known(f"{cls.__name__}.kinds", kind, KINDS)
    _require_known(f"{cls.__name__}.family", cls.family, KNOWN_FAMILIES)
    return cls


def _require_known(place: str, word: object, known: tuple[str, ...]) -> None:
    if word not in known:
        hint = did_you_mean(str(word), known)
        raise ValueError(f"{place}: unknown {quoted(str(word))}{hint}; known: {', '.join(known)}")
