"""The rows that a version met last, beside those that it was fitted on."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.batch import Batch
from normalizers.evaluation.sample import (
    DISTRIBUTION,
    MOMENTS,
    RANGE,
    Sample,
    columns_of,
    compared,
)
from normalizers.measures.drift import Part
from normalizers.versions.version import Version

ROWS = 4096
# What is told of each part, by the name of what is told.
TOLD = {
    "ks": (DISTRIBUTION, "ks"),
    "out_of_range": (RANGE, "out_of_range"),
    "mean_shift": (MOMENTS, "shift"),
}


class LiveSample:
    """The last rows of the inputs of a version.

    Parameters
    ----------
    version : Version
        A fitted version with its statistics.
    rows : int
        How many rows are kept; of a larger input so many of its rows, evenly apart.

    Examples
    --------
    >>> from normalizers import Percentile
    >>> from normalizers.evaluation import LiveSample
    >>> version = Percentile().fit([1.0, 2.0, 3.0, 4.0]).version_
    >>> live = LiveSample(version)
    >>> live.add(version.read({"scores": [3.0, 5.0]}))
    >>> live.drift()
    {'ks': 0.5, 'out_of_range': 0.5}
    """

    def __init__(self, version: Version, rows: int = ROWS) -> None:
        self._version = version
        self._rows = rows
        self._name = ""
        self._kept: deque[Array] = deque()
        self._count = 0

    def add(self, batch: Batch) -> None:
        """Take the rows of an input, and let the oldest go.

        Raises
        ------
        UnsupportedOperation
            For an input without numbers.
        """
        self._name, columns = columns_of(self._version.resolved_method, batch)
        step = -(-len(columns) // self._rows) or 1
        self._kept.append(columns[::step].copy())
        self._count += len(self._kept[-1])
        while self._count - len(self._kept[0]) >= self._rows:
            self._count -= len(self._kept.popleft())

    def copy(self) -> LiveSample:
        """Return a sample of the same rows, to be compared while others come."""
        copied = LiveSample(self._version, self._rows)
        copied._name, copied._kept, copied._count = self._name, self._kept.copy(), self._count
        return copied

    def drift(self) -> Mapping[str, float]:
        """Return how far the columns that differ most are from the fit.

        The distance of distributions (``ks``), the share out of the fitted range
        (``out_of_range``) and the shift of the mean in fitted deviations (``mean_shift``), as far
        as the statistics of the version know them.
        """
        if not self._count:
            return {}
        columns = np.concatenate(list(self._kept))
        if np.isnan(columns).all():
            return {}
        parts = compared(self._version.statistics, Sample(self._name, columns, {})).parts
        found = {name: _largest(parts.get(part), key) for name, (part, key) in TOLD.items()}
        return {name: value for name, value in found.items() if value is not None}


def _largest(part: Part | None, key: str) -> float | None:
    """Return the largest absolute value of all columns, None where there is none."""
    if part is None:
        return None
    values = np.abs(np.asarray(part[key], dtype=np.float64))
    known = values[np.isfinite(values)]
    return float(known.max()) if known.size else None
