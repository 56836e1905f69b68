"""Log returns: the logarithm of every step over the one `lag` steps before it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from normalizers.contract import Example
from normalizers.data.arrays import Array
from normalizers.series.base.lagged import LaggedNormalizer, adding


class LogReturn(LaggedNormalizer):
    """Return the log return over `lag` steps: ``y[t] = ln x[t] - ln x[t - lag]``.

    Notes
    -----
    Both values are above 0; where one is not, the return is missing and flagged
    ``out_of_range``. Constants give exact zeros, and ties need no rule. The way back is
    ``last exp(running sum)``. Cost O(N).

    References
    ----------
    The continuously compounded return.

    Examples
    --------
    >>> from normalizers import LogReturn
    >>> method = LogReturn()
    >>> answer = method.apply_to(x=[1.0, 2.0, 2.0])
    >>> answer["y"].round(4).tolist()
    [nan, 0.6931, 0.0]
    >>> method.inverse_transform([0.1, -0.2], state=answer["state"]).round(4).tolist()
    [2.2103, 1.8097]
    """

    name = "log_return"
    example = Example(params={"lag": 1}, input={"x": [1.0, 2.0, 4.0, 3.0, 6.0]})

    def change(self, x: Array, earlier: Array) -> tuple[Array, Mapping[str, Array]]:
        """Return the difference of logarithms."""
        outside = (x <= 0) | (earlier <= 0)
        inside = ~outside & ~np.isnan(x) & ~np.isnan(earlier)
        ratio = np.log(np.where(inside, x, 1.0)) - np.log(np.where(inside, earlier, 1.0))
        return np.where(inside, ratio, np.nan), {"out_of_range": outside}

    def grown(self, tail: Array, y: Array) -> Array:
        """Return the tail, grown by the sums of the returns."""
        positive = np.where(tail > 0, tail, np.nan)
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(np.exp(adding(np.log(positive), y)))
