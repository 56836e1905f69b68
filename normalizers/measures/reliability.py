"""The reliability diagram: what happened where a probability was predicted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.arrays import Array
from normalizers.measures.labelled import Labelled

BINS = 10
MOST_BINS = 1000


class Reliability(NamedTuple):
    """Bins of equal width over 0..1, each of shape (bins,); NaN where a bin is empty.

    Parameters
    ----------
    lower, upper : array
        Ends of each bin; a probability on an end belongs to the upper bin, 1 to the last.
    weight : array
        Rows in it.
    predicted : array
        Mean probability of its rows.
    observed : array
        Share of positive labels among them.
    """

    lower: Array
    upper: Array
    weight: Array
    predicted: Array
    observed: Array


def reliability(labelled: Labelled, bins: int = BINS) -> Reliability:
    """Return the numbers of a reliability diagram.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.labelled import Labelled
    >>> from normalizers.measures.reliability import reliability
    >>> rows = Labelled.of(np.array([0.2, 0.3, 0.9]), np.array([False, True, True]))
    >>> diagram = reliability(rows, bins=2)
    >>> diagram.predicted.tolist(), diagram.observed.tolist()
    ([0.25, 0.9], [0.5, 1.0])
    """
    edges = np.arange(bins + 1) / bins
    place = np.minimum(np.searchsorted(edges, labelled.scores, side="right") - 1, bins - 1)
    weight = np.bincount(place, labelled.weights, bins)
    size = np.where(weight > 0, weight, np.nan)
    predicted = np.bincount(place, labelled.weights * labelled.scores, bins) / size
    observed = np.bincount(place, labelled.weights * labelled.labels, bins) / size
    return Reliability(edges[:-1], edges[1:], weight, predicted, observed)


def calibration_error(labelled: Labelled, bins: int = BINS) -> float:
    """Return the mean distance of predicted from observed share, by bins of equal width.

    NaN without rows.

    References
    ----------
    Naeini, Cooper, Hauskrecht: Obtaining well calibrated probabilities using Bayesian binning,
    2015.
    """
    diagram = reliability(labelled, bins)
    total = float(diagram.weight.sum())
    filled = diagram.weight > 0
    distance = np.abs(diagram.predicted - diagram.observed)[filled]
    return float(diagram.weight[filled] @ distance) / total if total else np.nan
