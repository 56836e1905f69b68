"""Shares on their way back: what one below 0 or above 1 stands for."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput

SharesBeyond: TypeAlias = Literal["clip", "missing", "error"]
BEYOND_HELP = "on the way back, a value that no score has: the end, missing, or refused"


def within_unit(shares: Array, rule: str, path: str) -> Array:
    """Return the shares within 0..1 by a rule; NaN is missing.

    Raises
    ------
    InvalidInput
        A share beyond, and the rule is ``error``.
    """
    beyond = (shares < 0) | (shares > 1)
    if not beyond.any():
        return shares
    if rule == "error":
        raise InvalidInput("a share is 0 to 1, and out_of_bounds is 'error'", path=path)
    return np.where(beyond, np.nan, shares) if rule == "missing" else np.clip(shares, 0.0, 1.0)
