"""Relative changes: every step over the one `lag` steps before it, less 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from normalizers.contract import Example, param
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput
from normalizers.series.base.lagged import LaggedNormalizer


class PctChange(LaggedNormalizer):
    """Return the relative change over `lag` steps: ``y[t] = x[t] / x[t - lag] - 1``.

    Notes
    -----
    Over a zero there is no change: it is missing and flagged ``zero_denominator``, or refused.
    Constants give exact zeros, and ties need no rule. The way back multiplies ``1 + y`` on the
    last value. Cost O(N).

    References
    ----------
    pandas, ``DataFrame.pct_change`` without filling, which gives an infinity over a zero.

    Examples
    --------
    >>> from normalizers import PctChange
    >>> method = PctChange()
    >>> answer = method.apply_to(x=[100.0, 110.0, 0.0, 4.0])
    >>> answer["y"].round(4).tolist()
    [nan, 0.1, -1.0, nan]
    >>> method.inverse_transform([0.5, 1.0], state=answer["state"]).tolist()
    [6.0, 12.0]
    """

    name = "pct_change"
    example = Example(params={"lag": 1}, input={"x": [1.0, 2.0, 4.0, 3.0, 6.0]})

    zero_denominator: Literal["missing", "error"] | None = param(
        default=None,
        default_value="missing",
        affects="answer",
        help="a change from 0: missing and flagged, or refused",
    )

    def change(self, x: Array, earlier: Array) -> tuple[Array, Mapping[str, Array]]:
        """Return relative changes."""
        zero = earlier == 0
        if self.zero_denominator == "error" and (zero & ~np.isnan(x)).any():
            raise InvalidInput(
                "a change from 0 is not defined, and zero_denominator is 'error'", path="input.x"
            )
        with np.errstate(over="ignore"):
            ratio = x / np.where(zero, np.nan, earlier) - 1
        return ratio, {"zero_denominator": zero}

    def grown(self, tail: Array, y: Array) -> Array:
        """Return running products on the tail."""
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(np.cumprod(np.concatenate([tail, 1 + y], axis=1), axis=1)[:, 1:])
