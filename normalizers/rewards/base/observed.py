"""Rewards that are not there: left out, taken as 0, or refused."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import NonFiniteError

Missing: TypeAlias = Literal["skip", "zero", "error"]
SHOWN = 20


def observed(x: Array, missing: Missing, path: str) -> Array:
    """Return rewards ``(n,)`` or ``(n, k)``, NaN where one is missing and left out.

    Raises
    ------
    NonFiniteError
        A reward is infinite, or missing where that is refused.
    """
    _refuse(np.isinf(x), x, "a reward is infinite; an infinity is never a gap", path)
    lost = np.isnan(x)
    if missing == "error":
        hint = "a reward is missing; missing 'skip' leaves it out, 'zero' takes it as 0"
        _refuse(lost, x, hint, path)
    return np.where(lost, 0.0, x) if missing == "zero" else x


def _refuse(wrong: Array, x: Array, message: str, path: str) -> None:
    if not wrong.any():
        return
    positions = np.argwhere(wrong)[:SHOWN]
    # One column is written as a flat list.
    flat = x.ndim == 2 and x.shape[1] == 1
    places = [position[:1] if flat else position for position in positions.tolist()]
    where = "".join(f"[{index}]" for index in places[0])
    raise NonFiniteError(f"{message}: {path}{where}", path=f"{path}{where}", positions=places)
