"""The numbers that each row's group has, and those of a group that no fit knows."""

from __future__ import annotations

import numpy as np

from normalizers.bases.columns.scales import ColumnScales
from normalizers.contract.fitted import Fitted
from normalizers.data.arrays import Array
from normalizers.kernels.loc_scale import LocScale


def unknown_arrays(scales: ColumnScales, unknown_group: str | None, pooled: LocScale | None) -> (
    dict[str, Array]
):  # fmt: skip
    """Return location and scale of a group that the fit does not know, shape (c,).

    Parameters
    ----------
    scales : ColumnScales
        Of the known groups, shape (g, c).
    unknown_group : str
        ``global`` those of all rows, ``median`` medians over the groups, else unchanged values.
    pooled : LocScale
        Those of all rows, for ``global``.
    """
    columns = scales.map.loc.shape[1]
    loc, scale = np.zeros(columns), np.ones(columns)
    if unknown_group == "median":
        # By parameter, not one group's pair: half of the groups lie on either side of each.
        loc, scale = np.median(scales.map.loc, axis=0), np.median(scales.map.scale, axis=0)
    elif pooled is not None:
        loc, scale = pooled.loc, pooled.scale
    return {"unknown_loc": loc, "unknown_scale": scale}


def scales_of_rows(fitted: Fitted, index: Array) -> ColumnScales:
    """Return the scales of each row's group, shape (m, c)."""
    known = ColumnScales.of(fitted)
    unknown = np.zeros(known.map.loc.shape[1])
    loc = np.vstack([known.map.loc, fitted["unknown_loc"]])[index]
    scale = np.vstack([known.map.scale, fitted["unknown_scale"]])[index]
    fixed = np.vstack([known.map.fixed, np.full_like(unknown, np.nan)])[index]
    constant = np.vstack([known.constant, unknown > 0])[index]
    few = np.vstack([known.few, unknown > 0])[index]
    return ColumnScales(LocScale(loc, scale, fixed), constant, few)
