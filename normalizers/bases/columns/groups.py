"""Which group's numbers each row takes, and those of a group that no fit knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import numpy as np

from normalizers.bases.columns.scales import ColumnScales
from normalizers.contract.fitted import Fitted
from normalizers.contract.method import Method
from normalizers.contract.parameter_models import other_words
from normalizers.data.arrays import Array
from normalizers.data.labels import Labels
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.kernels.loc_scale import LocScale
from normalizers.messages import quoted_key

UnknownGroup: TypeAlias = Literal["error", "global", "median", "pass"]
UNKNOWN = -1
SHOWN = 5


def require_names(groups: Labels, group_by: list[str] | None) -> None:
    """Refuse rows with another number of labels than `group_by` names."""
    given, named = groups.shape[1], len(group_by or ["group"])
    if given != named:
        raise InvalidParams(
            f"a row has {given} labels, and group_by names {named}; name each label",
            path="params.group_by",
        )


def group_of_rows(method: Method, fitted: Fitted, groups: Labels, path: str) -> Array:
    """Return the row of each label row's group in the fitted arrays, -1 if unknown.

    Raises
    ------
    InvalidInput
        An unknown group, where `unknown_group` is ``error``.
    """
    known = fitted.once("groups", lambda: _positions(fitted["keys"]))
    found = [known.get(tuple(key), UNKNOWN) for key in groups.keys.tolist()]
    index: Array = np.array(found, dtype=np.int64)[groups.codes]
    if getattr(method, "unknown_group", None) == "error" and UNKNOWN in found:
        row = int(np.argmax(index == UNKNOWN))
        raise InvalidInput(
            f"the fit does not know the group {quoted_key(groups.rows[row].tolist())}; "
            f"unknown_group {other_words(method, 'unknown_group', 'error')} accepts it",
            path=f"{path}[{row}]",
        )
    return index


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


def shown_groups(keys: Array) -> str:
    """Return the first few keys as a message shows them, and how many more there are."""
    named = ", ".join(quoted_key(key) for key in keys[:SHOWN].tolist())
    rest = len(keys) - SHOWN
    return f"groups {named} and {rest} more" if rest > 0 else f"groups {named}"


def _positions(keys: Array) -> Mapping[tuple[str, ...], int]:
    return {tuple(key): row for row, key in enumerate(keys.tolist())}
