"""Measures of scores against labels, all pairs pooled: one scale, one threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from pydantic import Field

from normalizers.data.arrays import Array
from normalizers.measures.measure import Measure, Parameters


class Threshold(Parameters):
    """Where a score begins to count as positive."""

    threshold: float | None = Field(
        default=None,
        description="scores from here on count as positive; by default the best of the training "
        "part, or of these scores where there is none",
    )


@dataclass(frozen=True, eq=False)
class Labelled:
    """Scores with their labels, best first; made by :meth:`of`.

    Parameters
    ----------
    scores : array of shape (n,)
        Descending.
    labels : boolean array of shape (n,)
        Positive or not.
    units : int64 array of shape (n,)
        The query or cluster of each row.
    size : int
        Number of units.
    weights : array of shape (n,)
        How often each row counts.
    ends : int64 array of shape (m,)
        Index of the last row of every distinct score.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.labelled import Labelled, auc
    >>> auc(Labelled.of(np.array([0.9, 0.4, 0.6]), np.array([True, False, False])))
    1.0
    """

    scores: Array
    labels: Array
    units: Array
    size: int
    weights: Array
    ends: Array

    @classmethod
    def of(
        cls, scores: Array, labels: Array, units: Array | None = None, size: int = 0
    ) -> Labelled:
        """Return the rows in order; each row is its own unit unless `units` says otherwise."""
        owners = np.arange(len(scores)) if units is None else units
        order = np.argsort(-scores, kind="stable")
        ordered = scores[order] + 0.0
        return cls(
            ordered,
            labels[order].astype(bool),
            owners[order],
            len(scores) if units is None else size,
            np.ones(len(scores)),
            _ends(ordered),
        )

    def __len__(self) -> int:
        return self.size

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.scores)

    def weighted(self, units: Array) -> Labelled:
        """Return the rows with the weights of their units, shape (size,)."""
        return replace(self, weights=units[self.units].astype(np.float64))

    @property
    def positives(self) -> float:
        """Weight of the positive rows."""
        return float(self.found[-1]) if len(self.found) else 0.0

    @property
    def negatives(self) -> float:
        """Weight of the other rows."""
        return float(self.chosen[-1] - self.found[-1]) if len(self.found) else 0.0

    @property
    def base_rate(self) -> float:
        """Share of positive rows; NaN without rows."""
        return self.mean(self.labels.astype(np.float64))

    def mean(self, values: Array) -> float:
        """Return the weighted mean of one value a row; NaN without rows."""
        total = float(self.weights.sum())
        return float(self.weights @ values) / total if total else np.nan

    @cached_property
    def found(self) -> Array:
        """Positive weight at or above every distinct score, shape (m,)."""
        return np.asarray(np.cumsum(self.weights * self.labels)[self.ends])

    @cached_property
    def chosen(self) -> Array:
        """All weight at or above every distinct score, shape (m,)."""
        return np.asarray(np.cumsum(self.weights)[self.ends])


def auc(labelled: Labelled) -> float:
    """Return the share of (positive, negative) pairs that the scores order right; ties half.

    NaN with labels of one class only.

    References
    ----------
    Hanley, McNeil: The meaning and use of the area under a receiver operating characteristic
    curve, 1982.
    """
    pairs = labelled.positives * labelled.negatives
    if not pairs:
        return np.nan
    found = np.diff(labelled.found, prepend=0.0)
    missed = labelled.chosen - labelled.found
    # Each positive wins against the negatives below its score and half of those at it.
    below = labelled.negatives - missed
    tied = np.diff(missed, prepend=0.0)
    return float(found @ (below + tied / 2)) / pairs


def average_precision(labelled: Labelled) -> float:
    """Return the mean over the positive rows of the precision at their score.

    Equal scores enter together. NaN without a positive row.
    """
    if not labelled.positives:
        return np.nan
    # 0 / 0 where a resample drew none of the first rows.
    share = labelled.found / np.maximum(labelled.chosen, 1.0)
    return float(np.diff(labelled.found, prepend=0.0) @ share) / labelled.positives


def f1(labelled: Labelled, threshold: float) -> float:
    """Return the harmonic mean of precision and recall of the rows from `threshold` on.

    NaN without a positive row.
    """
    if not labelled.positives:
        return np.nan
    counted = labelled.scores >= threshold
    weight = float(labelled.weights[counted].sum())
    found = float(labelled.weights[counted & labelled.labels].sum())
    # 2 P R / (P + R) with P = tp / chosen and R = tp / positives: no 0 / 0 where nothing is found.
    return 2 * found / (weight + labelled.positives)


def best_threshold(labelled: Labelled) -> float | None:
    """Return the score with the largest F1; of equal ones the highest. None without a positive."""
    if not labelled.positives:
        return None
    harmonic = 2 * labelled.found / (labelled.chosen + labelled.positives)
    return float(labelled.scores[labelled.ends[np.argmax(harmonic)]])


def _ends(ordered: Array) -> Array:
    """Return the index of the last of each run of equal scores."""
    if not len(ordered):
        return np.zeros(0, dtype=np.int64)
    return np.append(np.flatnonzero(ordered[1:] < ordered[:-1]), len(ordered) - 1)


def _f1_threshold(labelled: Labelled, threshold: float | None = None) -> float:
    return np.nan if threshold is None else f1(labelled, threshold)


def _choice(labelled: Labelled) -> Mapping[str, object]:
    return {"threshold": best_threshold(labelled)}


_pooled = partial(Measure, needs="scores")
MEASURES = (
    _pooled(
        "f1_threshold",
        function=_f1_threshold,
        help="F1 of one threshold for all queries",
        undefined="no label is positive",
        parameters=Threshold,
        choose=_choice,
    ),
    _pooled(
        "auc",
        function=auc,
        help="share of pairs of a positive and a negative that the scores order right",
        undefined="all labels are of one class",
    ),
    _pooled(
        "average_precision",
        function=average_precision,
        help="mean precision at the score of each positive, all queries together",
        undefined="no label is positive",
    ),
)
