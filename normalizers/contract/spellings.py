"""Two spellings of one number, as papers and peers have them: declared once, resolved once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

Groups = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Spelling:
    """That a parameter is another spelling of a number.

    Parameters
    ----------
    of : str
        The parameter whose number it is; what is used, stored and echoed.
    value : callable
        That number, from the one that was given.
    """

    of: str
    value: Callable[[float], float]


def reciprocal(value: float) -> float:
    """Return 1 / value, infinite where that is too large."""
    with np.errstate(over="ignore", divide="ignore"):
        return float(np.divide(1.0, value))


def complement(value: float) -> float:
    """Return 1 - value."""
    return 1 - value


def alpha_of_span(value: float) -> float:
    """Return the weight of the newest value, 2 / (span + 1)."""
    return 2 / (value + 1)


def in_one_spelling(values: Mapping[str, object], declared: Mapping[str, Any]) -> dict[str, object]:
    """Return what changes when every number stands in its own spelling; nothing where it does.

    Examples
    --------
    >>> from normalizers import InvertedSoftmax
    >>> from normalizers.contract.spellings import in_one_spelling
    >>> in_one_spelling({"temperature": 0.05}, InvertedSoftmax.parameters)
    {'beta': 20.0, 'temperature': None}
    """
    changed: dict[str, object] = {}
    for name, parameter in declared.items():
        value = values.get(name) if parameter.spells is not None else None
        if isinstance(value, (int, float)):
            changed |= {parameter.spells.of: parameter.spells.value(value), name: None}
    return changed


def spelled_groups(exclusive: Groups, declared: Mapping[str, Any]) -> Groups:
    """Return groups of parameters of which one may be given, with those of one number."""
    spelled: dict[str, list[str]] = {}
    for name, parameter in declared.items():
        if parameter.spells is not None:
            spelled.setdefault(parameter.spells.of, [parameter.spells.of]).append(name)
    known = {frozenset(group) for group in exclusive}
    groups = (tuple(group) for group in spelled.values() if frozenset(group) not in known)
    return (*exclusive, *groups)
