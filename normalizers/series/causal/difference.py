"""Differences: every step less the one `lag` steps before it."""

from __future__ import annotations

from collections.abc import Mapping

from normalizers.contract import Example
from normalizers.data.arrays import Array
from normalizers.series.base.lagged import LaggedNormalizer, adding


class Difference(LaggedNormalizer):
    """Return the difference to the step `lag` before: ``y[t] = x[t] - x[t - lag]``.

    Notes
    -----
    Nothing is ever filled with zeros. Constants give exact zeros, and ties need no rule. A
    seasonal difference has the season as its `lag`. Cost O(N).

    References
    ----------
    pandas, ``DataFrame.diff``; coreforecast, ``scalers.Difference``; darts, ``Diff``, which may
    drop the first steps in place of leaving them missing.

    Examples
    --------
    >>> from normalizers import Difference
    >>> method = Difference()
    >>> answer = method.apply_to(x=[1.0, 4.0, 9.0])
    >>> answer["y"].tolist()
    [nan, 3.0, 5.0]
    >>> method.inverse_transform([7.0, 9.0], state=answer["state"]).tolist()
    [16.0, 25.0]
    """

    name = "difference"
    aliases = {"diff": {}}
    example = Example(params={"lag": 1}, input={"x": [11.1, 1.9, 7.8, 5.9, 6.1]})

    def change(self, x: Array, earlier: Array) -> tuple[Array, Mapping[str, Array]]:
        """Return differences."""
        return x - earlier, {}

    def grown(self, tail: Array, y: Array) -> Array:
        """Return running sums."""
        return adding(tail, y)
