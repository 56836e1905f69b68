"""Count, mean and deviation of each group of rows, whatever order the rows stand in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array
from normalizers.kernels import segments


class GroupTable(NamedTuple):
    """Statistics of groups, one entry a group in the order of its keys.

    Parameters
    ----------
    n, missing : int64 arrays of shape (g,)
        Rows with a value, and without.
    mean, std : arrays of shape (g,)
        NaN where there is none: of no value; of a deviation also where ``n <= ddof``.
    constant : bool array of shape (g,)
        Groups of two values or more whose spread is below the rounding of the input.
    """

    n: Array
    missing: Array
    mean: Array
    std: Array
    constant: Array

    def plain(self) -> dict[str, list[object]]:
        """Return the columns as lists, null where there is no number."""
        return {
            "n": self.n.tolist(),
            "missing": self.missing.tolist(),
            "mean": nulled(self.mean),
            "std": nulled(self.std),
            "zero_variance": self.constant.tolist(),
        }


def group_table(x: Array, codes: Array, groups: int, ddof: int, dtype: str) -> GroupTable:
    """Return the statistics of each group of values.

    Parameters
    ----------
    x : array of shape (n,)
        NaN is a missing value, and in no statistic.
    codes : int64 array of shape (n,)
        The group of each value, 0 to `groups` - 1.
    groups, ddof : int
        How many groups there are; the variance is m2 / (n - ddof).
    dtype : str
        The type that the values were sent in, whose rounding is no spread.

    Notes
    -----
    Values are put in ascending order first: no bit depends on the order of rows. Variances are
    two-pass and centred. Cost O(n log n).

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.rewards.base.group_table import group_table
    >>> table = group_table(np.array([1.0, 0.7, 3.0]), np.array([0, 1, 0]), 2, 1, "float64")
    >>> table.mean.tolist(), table.std.round(3).tolist()
    ([2.0, 0.7], [1.414, nan])
    """
    seen = ~np.isnan(x)
    lists = segments.ascending(x[seen], codes[seen], groups)
    n = lists.lengths.astype(np.int64)
    moments = segments.centred_moments(lists)
    mean = np.where(n > 0, moments.mean, np.nan)
    lowest, highest = segments.minima(lists), segments.maxima(lists)
    with np.errstate(invalid="ignore", over="ignore"):
        flat = highest - lowest <= _spacing(np.maximum(np.abs(lowest), np.abs(highest)), dtype)
    constant = (n > 1) & flat
    std = np.where(constant & (n > ddof), 0.0, moments.std(ddof))
    missing = np.bincount(codes[~seen], minlength=groups).astype(np.int64)
    return GroupTable(n, missing, mean, std, constant)


def nulled(values: Array) -> list[object]:
    """Return numbers as a list, None where there is none."""
    return [None if number != number else number for number in values.tolist()]


def _spacing(size: Array, dtype: str) -> Array:
    """Return the distance of two neighbours of the input's type at this size."""
    kind = np.dtype(dtype) if np.dtype(dtype).kind == "f" else np.dtype("float64")
    within = np.minimum(np.nan_to_num(size), float(np.finfo(kind).max))
    return np.asarray(np.spacing(within.astype(kind)), dtype=np.float64)
