"""From what was measured of columns to what is subtracted and what divides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from normalizers.contract.constants import OnConstant, OnFew
from normalizers.contract.fitted import Fitted
from normalizers.data.arrays import Array
from normalizers.errors import FitError, NotEnoughData
from normalizers.kernels.epsilon import EpsMode, effective_scale
from normalizers.kernels.loc_scale import LocScale, degenerate

Told = Callable[[Array], str]
SHOWN = 5


class Measured(NamedTuple):
    """Location and scale of the columns of one set of rows.

    Parameters
    ----------
    loc : array of shape (c,)
        What is subtracted.
    scale : array of shape (c,), optional
        What divides; None where nothing does.
    constant : boolean array of shape (c,), optional
        Columns that count as without spread; by default those the statistic calls so.
    is_spread : bool
        Whether the scale of such a column is 0; a root mean square, say, is not.
    """

    loc: Array
    scale: Array | None = None
    constant: Array | None = None
    is_spread: bool = True


class ColumnScales(NamedTuple):
    """What is subtracted and what divides, and why: shape (c,), or (g, c) of ``g`` groups.

    Parameters
    ----------
    map : LocScale
        The map of each column.
    constant : boolean array
        Where there is no spread.
    few : boolean array
        Where there are too few values for one.
    """

    map: LocScale
    constant: Array
    few: Array

    def arrays(self) -> dict[str, Array]:
        """Return the arrays of a fit; without NaN, so that ``is_fixed`` tells a fixed answer."""
        return {
            "loc": self.map.loc,
            "scale": self.map.scale,
            "fixed": np.nan_to_num(self.map.fixed),
            "is_fixed": (~np.isnan(self.map.fixed)).astype(np.int64),
            "constant": self.constant.astype(np.int64),
            "insufficient": self.few.astype(np.int64),
        }

    @classmethod
    def of(cls, fitted: Fitted) -> Self:
        """Return them from the arrays of a fit."""
        fixed = np.where(fitted["is_fixed"], fitted["fixed"], np.nan)
        return cls(
            LocScale(fitted["loc"], fitted["scale"], fixed),
            fitted["constant"].astype(bool),
            fitted["insufficient"].astype(bool),
        )

    def each(self, place: Callable[[Array], Array]) -> ColumnScales:
        """Return all arrays put in other places: of the group of every row, say."""
        return ColumnScales(self.map.each(place), place(self.constant), place(self.few))


@dataclass(frozen=True)
class ScaleRules:
    """How a scale follows from a spread, and what there is where none is.

    Parameters
    ----------
    needed : int
        Values that a column needs.
    eps, eps_mode
        A peer's epsilon and where it goes.
    on_few, on_constant : str
        What a column with too few values, and one without spread, gives.
    constant_value : float, optional
        The number for ``value``.
    """

    needed: int = 1
    eps: float = 0.0
    eps_mode: EpsMode = "none"
    on_few: OnFew = "error"
    on_constant: OnConstant = "scale_one"
    constant_value: float | None = None

    def lenient(self) -> ScaleRules:
        """Return the rules that refuse nothing."""
        return ScaleRules(self.needed, self.eps, self.eps_mode, "scale_one", "scale_one")

    def scales(
        self, measured: Sequence[Measured], observed: Sequence[Array | None], told: Told
    ) -> ColumnScales:
        """Return the scales of several sets of rows, shape (g, c).

        Parameters
        ----------
        measured : sequence of Measured
            Of each set; their ``constant`` is known.
        observed : sequence of arrays of shape (c,)
            Observed values; None where they are not known.
        told : callable
            Names the columns, or groups, where a boolean array of shape (g, c) is true.

        Raises
        ------
        NotEnoughData
            A column has too few values, and `on_few` is ``error``, or none.
        FitError
            A column has no spread, and `on_constant` is ``error``.
        """
        loc = np.stack([one.loc for one in measured])
        constant = np.stack([np.asarray(one.constant) for one in measured])
        few = np.stack([_few(seen, len(one.loc), self.needed)
                        for seen, one in zip(observed, measured, strict=True)])  # fmt: skip
        none = np.stack([_few(seen, len(one.loc), 1)
                         for seen, one in zip(observed, measured, strict=True)])  # fmt: skip
        self._refuse_few(few, none, told)
        if any(one.scale is None for one in measured):
            # Nothing divides, so that no column lacks a spread.
            plain = LocScale(loc, np.ones_like(loc), np.full_like(loc, np.nan))
            return ColumnScales(plain, np.zeros_like(constant), few)
        # What rounding left of equal values would divide by next to nothing.
        spread = [
            np.where(flat & one.is_spread, 0.0, np.asarray(one.scale))
            for one, flat in zip(measured, constant, strict=True)
        ]
        scale = effective_scale(np.where(few, 0.0, np.stack(spread)), self.eps, self.eps_mode)
        # Asked of the scale, not of the spread: an epsilon may give constant columns one.
        flat = ~few & (scale == 0)
        if self.on_constant == "error" and flat.any():
            raise FitError(f"no spread, and on_constant is 'error': {told(flat)}")
        made = degenerate(
            loc,
            scale,
            few,
            on_few=self.on_few,
            on_constant=self.on_constant,
            value=self.constant_value,
        )
        return ColumnScales(made, constant, few)

    def _refuse_few(self, few: Array, none: Array, told: Told) -> None:
        if none.any():
            raise NotEnoughData(f"every value is missing: {told(none)}; leave the column out")
        if self.on_few == "error" and few.any():
            raise NotEnoughData(
                f"fewer values than the {self.needed} that are needed: {told(few)}; "
                "on_few 'scale_one' accepts them"
            )


def shown_columns(where: Array) -> str:
    """Return the columns where an array of shape (g, c) is true, as a message names them."""
    columns = np.flatnonzero(where.any(axis=0)).tolist()
    named = ", ".join(map(str, columns[:SHOWN]))
    rest = len(columns) - SHOWN
    noun = "column" if len(columns) == 1 else "columns"
    return f"{noun} {named} and {rest} more" if rest > 0 else f"{noun} {named}"


def _few(observed: Array | None, columns: int, needed: int) -> Array:
    if observed is None:
        return np.zeros(columns, dtype=bool)
    return np.asarray(observed < needed)
