"""What every threshold would give, all queries together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array
from normalizers.measures.labelled import Labelled

POINTS = 200
MOST_POINTS = 100_000


class ThresholdCurve(NamedTuple):
    """Precision, recall and F1 by threshold, each of shape (m,).

    Parameters
    ----------
    threshold : array
        Descending; scores from there on count as positive.
    precision, recall, f1 : array
        Recall and F1 are NaN without a positive row.
    chosen : array
        Rows that count as positive.
    """

    threshold: Array
    precision: Array
    recall: Array
    f1: Array
    chosen: Array


def threshold_curve(labelled: Labelled, points: int = POINTS) -> ThresholdCurve:
    """Return the curve at every distinct score, or at `points` of them.

    When there are more distinct scores, those at evenly spaced shares of the chosen rows are
    kept, the first, the last and the one with the largest F1 among them.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.labelled import Labelled
    >>> from normalizers.measures.threshold_curve import threshold_curve
    >>> rows = Labelled.of(np.array([0.9, 0.5, 0.1]), np.array([True, False, True]))
    >>> curve = threshold_curve(rows)
    >>> curve.recall.tolist(), curve.precision.round(3).tolist()
    ([0.5, 0.5, 1.0], [1.0, 0.5, 0.667])
    """
    positives = labelled.positives or np.nan
    harmonic = 2 * labelled.found / (labelled.chosen + positives)
    kept = _kept(labelled.chosen, harmonic, points)
    found, chosen = labelled.found[kept], labelled.chosen[kept]
    return ThresholdCurve(
        labelled.scores[labelled.ends[kept]],
        found / chosen,
        found / positives,
        harmonic[kept],
        chosen,
    )


def _kept(chosen: Array, harmonic: Array, points: int) -> Array:
    if len(chosen) <= points:
        return np.arange(len(chosen))
    # Even in the rows that are chosen: scores may crowd in a corner of their range.
    wanted = np.linspace(0.0, chosen[-1], points)
    even = np.minimum(np.searchsorted(chosen, wanted), len(chosen) - 1)
    best = [] if np.isnan(harmonic).all() else [int(np.nanargmax(harmonic))]
    return np.unique(np.concatenate([even, [0, len(chosen) - 1], best]).astype(np.int64))
