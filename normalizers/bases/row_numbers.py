"""What a sample of rows tells of all: their lengths, and how far a few are near to many."""

from __future__ import annotations

import numpy as np

from normalizers.bases.vectors import missing_rows
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.kernels.row_norms import row_norms, unit_rows
from normalizers.measures.hubness import k_skewness
from normalizers.measures.occurrence import Occurrences

# The products of so many rows with each other cost little beside any fit of that many dims.
HUB_ROWS, FEWEST_HUB_ROWS = 512, 100
NEIGHBOURS = 10


def row_lengths(x: Array) -> dict[str, float] | None:
    """Return the smallest, the median and the largest length of rows; None without a row.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.bases.row_numbers import row_lengths
    >>> row_lengths(np.array([[3.0, 4.0], [0.0, 1.0], [2.0, 0.0]]))
    {'smallest': 1.0, 'median': 2.0, 'largest': 5.0}
    """
    if not len(x):
        return None
    lengths = row_norms(x)
    ends = (float(np.min(lengths)), float(np.median(lengths)), float(np.max(lengths)))
    return dict(zip(("smallest", "median", "largest"), ends, strict=True))


def hub_skewness(x: Array) -> float | None:
    """Return the skewness of how often rows are among the 10 nearest of others, by cosine.

    Of at most 512 rows, evenly spaced; None below 100, where it is chance.
    """
    rows = evenly(x, HUB_ROWS)
    n = len(rows)
    if n < FEWEST_HUB_ROWS:
        return None
    unit = unit_rows(rows)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = np.argpartition(cosines, -NEIGHBOURS, axis=1)[:, -NEIGHBOURS:].astype(np.int64)
    lists = Ragged(nearest.ravel(), np.arange(n + 1, dtype=np.int64) * NEIGHBOURS)
    found = k_skewness(Occurrences.of(lists, n))
    return None if np.isnan(found) else found


def evenly(x: Array, most: int) -> Array:
    """Return at most so many rows, evenly spaced, that miss nothing, in float64."""
    rows = x[:: -(-len(x) // most) or 1]
    return np.delete(rows, missing_rows(rows), axis=0).astype(np.float64)
