"""Location and scale: y = (x - loc) / scale, and back; a rule for sets without spread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from normalizers.data.arrays import Array, all_finite

NAMED_CONSTANTS = {"zero": 0.0, "half": 0.5}
UNCHANGED = frozenset({"keep", "identity"})


@dataclass(frozen=True)
class LocScale:
    """What is subtracted and what divides: y = (x - loc) / scale, or one fixed answer.

    Parameters
    ----------
    loc, scale : array of one shape
        The scale is not 0; negative where lower values are better.
    fixed : array of that shape
        The one answer of a set of values that gives one; NaN where it is (x - loc) / scale.
    """

    loc: Array
    scale: Array
    fixed: Array

    def each(self, place: Callable[[Array], Array]) -> LocScale:
        """Return the three arrays put in other places: of the set of every value, say."""
        return LocScale(place(self.loc), place(self.scale), place(self.fixed))

    def apply(self, x: Array, observed: Array | None = None) -> Array:
        """Return the answer of each value; one that was not observed gets no fixed answer.

        Examples
        --------
        >>> import numpy as np
        >>> from normalizers.kernels.loc_scale import LocScale
        >>> LocScale(np.array([1.0, 1.0]), np.array([2.0, 1.0]), np.array([np.nan, 0.5])).apply(
        ...     np.array([[5.0, 5.0], [1.0, np.nan]])
        ... ).tolist()
        [[2.0, 0.5], [0.0, nan]]
        """
        y = standardize(x, self.loc, self.scale)
        if np.isnan(self.fixed).all():
            return y
        seen = ~np.isnan(x) if observed is None else observed
        return np.where(seen & ~np.isnan(self.fixed), self.fixed, y)

    def undo(self, y: Array) -> Array:
        """Return the value behind each answer; a fixed one tells no more than the location."""
        x = restore(y, self.loc, self.scale)
        # One number stands for all values of the set: their location is the nearest to them.
        return np.where(np.isnan(self.fixed) | np.isnan(y), x, self.loc)

    def plain(self) -> LocScale:
        """Return it for callers that know loc and scale alone: these lead a fixed answer back.

        The scale of such a set is 1, so ``loc - fixed`` is the location under which its fixed
        answer restores the old one.
        """
        none = np.isnan(self.fixed)
        if none.all():
            return self
        shift = np.where(none, 0.0, self.fixed)
        return LocScale(self.loc - shift, self.scale, self.fixed)


def degenerate(
    loc: Array,
    scale: Array,
    few: Array | None = None,
    *,
    on_few: str | None = None,
    on_constant: str,
    value: float | None = None,
) -> LocScale:
    """Return location and scale of sets of values, with the rules for those without spread.

    Parameters
    ----------
    loc, scale : array of one shape
        Of each set; a scale of 0 cannot divide.
    few : bool array of that shape, optional
        Sets with too few values for a scale; by default none.
    on_few, on_constant : str
        What they give, and what those of scale 0 give: ``scale_one`` the difference to the
        location, ``keep`` or ``identity`` the values unchanged, ``zero``, ``half`` or ``value``
        one number. ``error`` is refused by the caller, who knows what the sets are called.
    value : float, optional
        The number of ``value``, 0 unless given.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.loc_scale import degenerate
    >>> scales = degenerate(np.array([3.0, 7.0]), np.array([2.0, 0.0]), on_constant="half")
    >>> scales.scale.tolist(), scales.fixed.tolist()
    ([2.0, 1.0], [nan, 0.5])
    """
    loc, divisor = np.array(loc), np.array(scale)
    fixed = np.full(divisor.shape, np.nan)
    if few is None and not (divisor == 0).any():
        return LocScale(loc, divisor, fixed)
    few = np.zeros(divisor.shape, dtype=bool) if few is None else few
    for where, rule in ((few, on_few), (~few & (divisor == 0), on_constant)):
        # 1 divides, so that y = x - loc and the way back need no case of their own.
        divisor[where] = 1.0
        fixed[where] = constant_number(rule, value)
        if rule in UNCHANGED:
            # (x - 0) / 1 is x, and inverts.
            loc[where] = 0.0
    return LocScale(loc, divisor, fixed)


def without_spread(x: Array, centred: Array, rule: str, value: float | None = None) -> Array:
    """Return what values give whose location and scale are one number: `centred` without a rule.

    Parameters
    ----------
    x, centred : array of shape (N,)
        The values, and what they give with a scale of 1.
    rule, value
        As `on_constant` and `value` of :func:`degenerate`.
    """
    if rule in UNCHANGED:
        return x
    number = constant_number(rule, value)
    return centred if np.isnan(number) else np.full(len(x), number)


def constant_number(rule: str | None, value: float | None = None) -> float:
    """Return the one number that a rule gives, NaN where it gives none."""
    if rule == "value":
        return value or 0.0
    return NAMED_CONSTANTS.get(rule or "", np.nan)


def standardize(x: Array, loc: Array | float, scale: Array | float) -> Array:
    """Return ``(x - loc) / scale``; a difference beyond the largest float does not overflow.

    Parameters
    ----------
    x : array of any shape
        NaN stays NaN.
    loc, scale : array, broadcast to `x`
        The scale is not 0.

    Returns
    -------
    array of the shape of `x`
        Infinite only where the quotient itself is beyond the largest float.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.loc_scale import standardize
    >>> standardize(np.array([1.5e308, -1.5e308]), -1.5e308, 1.5e308).tolist()
    [2.0, 0.0]
    """
    with np.errstate(over="ignore"):
        shifted = np.asarray(x - loc)
        if all_finite(shifted):
            return np.asarray(shifted / scale)
        overflown = np.isinf(shifted)
        if not overflown.any():
            return np.asarray(shifted / scale)
        # |x - loc| <= 2 max, so halves stay in range; only here, for half of a subnormal loses a
        # bit.
        halved = (x / 2 - np.asarray(loc) / 2) / (np.asarray(scale) / 2)
        return np.where(overflown, halved, shifted / scale)


def restore(y: Array, loc: Array | float, scale: Array | float) -> Array:
    """Return ``y scale + loc``, the way back; a product beyond the largest float may cancel.

    The result is infinite only where it is itself beyond the largest float.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.loc_scale import restore
    >>> restore(np.array([2.0]), -1.5e308, 1.5e308).tolist()
    [1.5e+308]
    """
    with np.errstate(over="ignore"):
        restored = np.asarray(y * scale + loc)
        if all_finite(restored):
            return restored
        overflown = np.isinf(restored)
        if not overflown.any():
            return np.asarray(restored)
        # |y scale| = |x - loc| is up to 2 max, and y's rounding may carry half of that beyond max:
        # a quarter leaves room for it.
        quarters = y * (np.asarray(scale) / 4) + np.asarray(loc) / 4
        return np.where(overflown, quarters * 4, restored)
