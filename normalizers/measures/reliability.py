"""The reliability diagram: what happened where a probability was predicted."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from pydantic import Field

from normalizers.data.arrays import Array
from normalizers.measures.labelled import Labelled
from normalizers.measures.measure import Parameters

Binning: TypeAlias = Literal["mass", "width"]
BINS = 10
MOST_BINS = 1000


class Bins(Parameters):
    """How probabilities are gathered."""

    bins: int = Field(default=BINS, ge=1, le=MOST_BINS, description="number of bins")
    binning: Binning = Field(
        default="mass", description="as many rows in each bin, or each as wide as the others"
    )


class Reliability(NamedTuple):
    """Bins of probability in ascending order, each of shape (bins,); NaN where a bin is empty.

    Parameters
    ----------
    lower, upper : array
        Ends of each bin.
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


def reliability(labelled: Labelled, bins: int = BINS, binning: Binning = "mass") -> Reliability:
    """Return the numbers of a reliability diagram.

    Parameters
    ----------
    labelled : Labelled
        Probabilities with their labels.
    bins : int
        Their number.
    binning : {'mass', 'width'}
        ``mass``: as many rows in each; rows of equal probability that an edge falls among are
        shared out, so that their order does not matter. ``width``: as wide as the others over
        0..1; a probability on an edge belongs to the upper bin, 1 to the last.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.labelled import Labelled
    >>> from normalizers.measures.reliability import reliability
    >>> rows = Labelled.of(np.array([0.2, 0.3, 0.9]), np.array([False, True, True]))
    >>> diagram = reliability(rows, bins=2, binning="width")
    >>> diagram.predicted.tolist(), diagram.observed.tolist()
    ([0.25, 0.9], [0.5, 1.0])
    """
    return _by_width(labelled, bins) if binning == "width" else _by_mass(labelled, bins)


def calibration_error(labelled: Labelled, bins: int = BINS, binning: Binning = "mass") -> float:
    """Return the mean distance of predicted from observed share over the bins; NaN without rows.

    References
    ----------
    Naeini, Cooper, Hauskrecht: Obtaining well calibrated probabilities using Bayesian binning,
    2015.
    """
    diagram = reliability(labelled, bins, binning)
    total = float(diagram.weight.sum())
    filled = diagram.weight > 0
    distance = np.abs(diagram.predicted - diagram.observed)[filled]
    return float(diagram.weight[filled] @ distance) / total if total else np.nan


def _by_width(labelled: Labelled, bins: int) -> Reliability:
    edges = np.arange(bins + 1) / bins
    # A probability of 1 belongs to the last bin, which is closed at both ends.
    place = np.minimum(np.searchsorted(edges, labelled.scores, side="right") - 1, bins - 1)
    weight, predicted, observed = (
        np.bincount(place, labelled.weights * values, bins)
        for values in (1.0, labelled.scores, labelled.labels)
    )
    return _means(edges[:-1], edges[1:], weight, predicted, observed)


def _by_mass(labelled: Labelled, bins: int) -> Reliability:
    """Gather by sums that grow linearly within the rows of one probability."""
    scores = labelled.scores[labelled.ends]
    cumulative = np.concatenate(([0.0], labelled.chosen))
    total = cumulative[-1]
    edges = total * np.arange(bins + 1) / bins
    found = np.concatenate(([0.0], labelled.found))
    promised = np.concatenate(([0.0], np.cumsum(np.diff(cumulative) * scores)))
    weight, predicted, observed = (
        np.diff(np.interp(edges, cumulative, sums))[::-1] for sums in (cumulative, promised, found)
    )
    if not len(scores):
        return _means(edges[1:] * np.nan, edges[1:] * np.nan, weight, predicted, observed)
    last = len(scores) - 1
    best = scores[np.clip(np.searchsorted(cumulative, edges[:-1], side="right") - 1, 0, last)]
    worst = scores[np.clip(np.searchsorted(cumulative, edges[1:], side="left") - 1, 0, last)]
    return _means(worst[::-1], best[::-1], weight, predicted, observed)


def _means(
    lower: Array, upper: Array, weight: Array, predicted: Array, observed: Array
) -> Reliability:
    size = np.where(weight > 0, weight, np.nan)
    return Reliability(lower, upper, weight, predicted / size, observed / size)
