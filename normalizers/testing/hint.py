"""What a check cannot read off a class: constraints between parameters and data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Hint:
    """What the declaration of a method cannot say, in fits and in transforms alike.

    It stands under the name of a method, or under ``method.example`` for a further example.

    Parameters
    ----------
    params : mapping, optional
        Parameters in place of those of the example.
    sizes : mapping
        Sizes of symbols.
    rotation_free : set of str
        Spellings whose output is defined up to a rotation where eigenvalues are close.
    opened : mapping
        Parameters that open a name for observations where those of the case need no fit.
    also : set of str
        Optional fields that are sent too.
    kinds : mapping
        By field of whole numbers, how many different ones are sent: 0, 1, and so on.
    symmetric : set of str
        Fields of matrices that equal their transposes.
    fit : mapping
        Fields of a fit that are sent as they are.
    shares : set of str
        Fields of numbers that are strictly between 0 and 1.
    positive : set of str
        Fields of numbers that are above 0, as distances are.
    log_shares : set of str
        Fields of lists of log-probabilities: the exponentials of a list add up to 1.
    whole : set of str
        Fields of whole numbers.
    portions : set of str
        Fields of lists of numbers above 0 that add up to 1.
    """

    params: Mapping[str, object] | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)
    rotation_free: frozenset[str] = frozenset()
    opened: Mapping[str, object] = field(default_factory=dict)
    also: frozenset[str] = frozenset()
    kinds: Mapping[str, int] = field(default_factory=dict)
    shares: frozenset[str] = frozenset()
    positive: frozenset[str] = frozenset()
    log_shares: frozenset[str] = frozenset()
    portions: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()
    symmetric: frozenset[str] = frozenset()
    fit: Mapping[str, object] = field(default_factory=dict)
