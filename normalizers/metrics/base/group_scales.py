"""From the moments of a group to what is subtracted and what divides, or a fixed answer."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.bases.group_labels import shown_groups
from normalizers.bases.group_moments import GroupSpreads
from normalizers.contract.constants import OnConstant, OnFew
from normalizers.data.arrays import Array
from normalizers.errors import FitError, NotEnoughData
from normalizers.kernels.epsilon import EpsMode, effective_scale
from normalizers.kernels.loc_scale import LocScale, degenerate


class ScaleRules(NamedTuple):
    """How location and scale follow from what the statistics know of a group.

    Parameters
    ----------
    on_few, on_constant : str
        What a group with too few values, and one without spread, gives.
    constant_value : float, optional
        The number for ``value``.
    centred, scaled : bool
        Whether the location is subtracted, and whether the spread divides.
    ddof : int
        Of the spread.
    eps, eps_mode
        A peer's epsilon and where it goes.
    least : int, optional
        Values that a group needs, where it is not what location and spread do.
    """

    on_few: OnFew
    on_constant: OnConstant
    constant_value: float | None = None
    centred: bool = True
    scaled: bool = True
    ddof: int = 0
    eps: float = 0.0
    eps_mode: EpsMode = "none"
    least: int | None = None

    @property
    def needed(self) -> int:
        """Values that a group needs."""
        if self.least is not None:
            return self.least
        # A spread takes two values, and n - ddof above 0; a mean takes one.
        return max(2, self.ddof + 1) if self.scaled else int(self.centred)

    def lenient(self) -> ScaleRules:
        """Return the rules for all groups together, which never refuse."""
        return self._replace(on_few="scale_one", on_constant="scale_one")


def group_scales(table: GroupSpreads, rules: ScaleRules) -> tuple[LocScale, Array]:
    """Return location and scale of every group, and which have too few values, shape (g, c).

    Raises
    ------
    NotEnoughData
        A group has too few values, and `on_few` is ``error`` or there is none to centre on.
    FitError
        A group has no spread, and `on_constant` is ``error``.
    """
    few = _few(table, rules)
    _refuse_few(table, few, rules)
    # What rounding left of equal values would divide by next to nothing.
    std = np.where(table.constant, 0.0, table.spread)
    scale = effective_scale(std, rules.eps, rules.eps_mode) if rules.scaled else np.ones_like(std)
    # Asked of the scale, not of the spread: an epsilon may give constant groups one.
    _refuse_constant(table, ~few & (scale == 0), rules)
    located = rules.centred & ~np.isnan(table.loc)
    scales = degenerate(
        np.where(located, table.loc, 0.0),
        scale,
        few,
        on_few=rules.on_few,
        on_constant=rules.on_constant,
        value=rules.constant_value,
    )
    return scales, few


def _few(table: GroupSpreads, rules: ScaleRules) -> Array:
    if table.n is None:
        return np.zeros(table.loc.shape, dtype=bool)
    return np.asarray(table.n < rules.needed)


def _refuse_few(table: GroupSpreads, few: Array, rules: ScaleRules) -> None:
    refused = few
    if rules.on_few in ("zero", "identity"):
        return
    if rules.on_few == "scale_one":
        refused = few & np.isnan(table.loc) & rules.centred
    if refused.any():
        groups = shown_groups(table.keys[refused.any(axis=1)])
        remedy = "" if rules.on_few == "scale_one" else "; on_few 'scale_one' accepts one value"
        raise NotEnoughData(
            f"fewer scored anchors than the {rules.needed} that are needed: {groups}{remedy}",
            path="fit.groups",
        )


def _refuse_constant(table: GroupSpreads, flat: Array, rules: ScaleRules) -> None:
    if rules.on_constant == "error" and flat.any():
        raise FitError(
            f"no spread, and on_constant is 'error': {shown_groups(table.keys[flat.any(axis=1)])}",
            path="params.on_constant",
        )
