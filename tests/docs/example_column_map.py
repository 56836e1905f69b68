"""Median centring: every column with its median subtracted."""

from __future__ import annotations

import numpy as np

from normalizers.bases.columns.column_map import ColumnMap
from normalizers.bases.columns.scales import Measured
from normalizers.contract import Example
from normalizers.statistics import Quantiles


class MedianCenter(ColumnMap[Quantiles]):
    """Subtract the median of each column: y = x - median.

    Notes
    -----
    Ties need no rule. Cost O(n log n) a column for a fit.

    References
    ----------
    The location that a robust scale goes with.

    Examples
    --------
    >>> from tests.docs.example_column_map import MedianCenter
    >>> MedianCenter().fit([[1.0], [2.0], [9.0]]).transform([[2.0], [3.0]]).tolist()
    [[0.0], [1.0]]
    """

    name = "median_center"
    statistic = Quantiles()
    example = Example(fit={"x": [[1.0], [2.0], [9.0]]}, input={"x": [[2.0], [3.0]]})

    def measured(self, seen: Quantiles) -> Measured:
        """Return the median of each column."""
        return Measured(seen.quantile(np.array([0.5]))[0])
