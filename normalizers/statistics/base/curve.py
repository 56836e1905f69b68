"""Stored quantiles of columns: the form of `quantiles` that a client may post."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import ShapeError
from normalizers.kernels import ecdf
from normalizers.statistics.base import posted
from normalizers.statistics.base.statistic import Members


class Curve(NamedTuple):
    """Probabilities and their quantiles by column.

    Parameters
    ----------
    p : array of shape (k,)
        Strictly ascending, within 0..1.
    v : array of shape (k, c)
        Non-decreasing in each column.
    """

    p: Array
    v: Array

    def share_below(self, column: int, x: Array, kind: ecdf.Kind, n: int | None) -> Array:
        """Return the share below each `x`; `n` is the size of the sample, where known."""
        return ecdf.curve_share(self.p, self.v[:, column], x, kind, n)

    def quantile(self, column: int, probabilities: Array) -> Array:
        """Return quantiles, linear between the stored ones."""
        return ecdf.curve_quantile(self.p, self.v[:, column], probabilities)


def read_curve(members: Members, path: str) -> Curve:
    """Return the curve of posted ``p (k,)`` and ``v (k,)`` or ``(k, c)``."""
    p = posted.floats(members, "p", path, (None,))
    place = f"{path}.p"
    if not len(p):
        raise ShapeError("stored quantiles have at least one probability", path=place)
    posted.refuse_where((p < 0) | (p > 1), "a probability is not within 0..1", place)
    posted.refuse_where(np.diff(p) <= 0, "the probabilities do not ascend", place)
    place = f"{path}.v"
    v = posted.numbers(posted.require(members, "v", path), place)
    v = v[:, None] if v.ndim == 1 else v
    posted.require_shape(v, (len(p), None), place)
    posted.require_finite(v, place, missing=False)
    posted.refuse_where(v[1:] < v[:-1], "the quantiles descend", place)
    return Curve(p, v + 0.0)
