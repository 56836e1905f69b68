"""Tie calibration: which differences of scores are best taken for ties."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from pydantic import Field

from normalizers.data.arrays import Array
from normalizers.measures.agreement import kendall
from normalizers.measures.measure import Measure, Parameters
from normalizers.measures.rated import Rated
from normalizers.measures.resampled_agreement import kendall_resamples

# All pairs of so many rows are sorted: 2 million. Of more rows that many are drawn, the same each
# time, and the details say so.
MOST_ROWS = 2048
SEED = 0


class TieEpsilon(Parameters):
    """Which differences of scores are ties."""

    tie_epsilon: float | None = Field(
        default=None,
        ge=0,
        description="differences up to this size are ties; by default the best of those observed",
    )


def tie_calibrated_accuracy(rated: Rated, tie_epsilon: float | None = None) -> float:
    """Return the share of pairs ordered right, acc23, ties included.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.rated import Rated
    >>> from normalizers.measures.tie_calibration import best_tie_epsilon, tie_calibrated_accuracy
    >>> rated = Rated.of(np.array([1.0, 1.1, 3.0]), np.array([2.0, 2.0, 5.0]))
    >>> tie_calibrated_accuracy(rated), tie_calibrated_accuracy(rated, best_tie_epsilon(rated))
    (0.6666666666666666, 1.0)
    """
    return kendall(rated, "acc23", tie_epsilon or 0.0)


def best_tie_epsilon(rated: Rated) -> float:
    """Return the smallest of 0 and the observed differences of scores with the largest accuracy.

    References
    ----------
    Deutsch, Foster, Freitag: Ties matter: meta-evaluating modern metrics with pairwise accuracy
    and tie calibration, 2023.
    """
    rows = _drawn(rated)
    first, second = np.triu_indices(rows.rows, 1)
    weight = rows.weights[first] * rows.weights[second]
    # The very differences that were observed: 0.3 - 0.2 is not 0.1.
    with np.errstate(over="ignore"):
        gap = np.abs(rows.scores[first] - rows.scores[second])
    # No difference of its own is beyond the largest float: those pairs are never ties.
    orders = [
        (part[first] > part[second]).astype(np.int64) - (part[first] < part[second])
        for part in (rows.scores, rows.qualities)
    ]
    # Taking a pair for a tie wins it where its qualities are tied, and loses it where it was right.
    tied = orders[1] == 0
    right = (orders[0] == orders[1]) & ~tied
    change = weight * (tied.astype(np.float64) - right)
    gap, change = gap[np.isfinite(gap)], change[np.isfinite(gap)]
    ascending = np.argsort(gap, kind="stable")
    gaps, gains = gap[ascending], np.cumsum(change[ascending])
    ends = np.append(gaps[1:] != gaps[:-1], True)
    # Before every tie of the scores, those of equal scores are ties already.
    candidates = np.concatenate(([0.0], gaps[ends])) if len(gaps) else np.zeros(1)
    values = np.concatenate(([_at_zero(gaps, gains)], gains[ends])) if len(gaps) else np.zeros(1)
    return float(candidates[int(np.argmax(values))])


def _at_zero(gaps: Array, gains: Array) -> float:
    """Return what ties of equal scores gain."""
    equal = int(np.searchsorted(gaps, 0.0, side="right"))
    return float(gains[equal - 1]) if equal else 0.0


def _drawn(rated: Rated) -> Rated:
    """Return all rows, or as many as are sorted in pairs."""
    if rated.rows <= MOST_ROWS:
        return rated
    chosen = np.random.default_rng(SEED).choice(rated.rows, MOST_ROWS, replace=False)
    return rated.where(np.sort(chosen))


def _choice(rated: Rated) -> Mapping[str, object]:
    return {"tie_epsilon": best_tie_epsilon(rated)}


def _details(rated: Rated, tie_epsilon: float | None = None) -> Mapping[str, object]:
    untied = kendall(rated, "acc23")
    drawn = {"rows_drawn": MOST_ROWS} if rated.rows > MOST_ROWS else {}
    return {"accuracy_without_calibration": None if np.isnan(untied) else untied, **drawn}


def _resample(rated: Rated, counts: Array, tie_epsilon: float | None = None) -> Array | None:
    return kendall_resamples(rated, counts, "acc23", tie_epsilon or 0.0)


MEASURES = (
    Measure(
        "tie_calibrated_accuracy",
        needs="qualities",
        function=tie_calibrated_accuracy,
        help="share of pairs ordered right, small differences of scores taken for ties",
        undefined="fewer than two complete rows, or scores or qualities that are all equal",
        parameters=TieEpsilon,
        choose=_choice,
        details=_details,
        resample=_resample,
        work=50,
    ),
)
