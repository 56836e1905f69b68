"""Measures of agreement: whether scores rise with the qualities of the same rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np
from pydantic import Field, model_validator

from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.kernels.pairs import PairCounts, pair_counts
from normalizers.measures.measure import Parameters
from normalizers.measures.rated import Rated

Variant: TypeAlias = Literal["b", "c", "23", "acc23"]
Ties: TypeAlias = Literal["half", "wrong"]
Pairs: TypeAlias = Literal["cross_group", "within_group", "all"]


class Kendall(Parameters):
    """Which of the rank correlations, and what counts as a tie."""

    variant: Variant = Field(
        default="b",
        description="b: tau-b; c: tau-c; 23: a tie in both is right, in one wrong; acc23: the "
        "share of pairs that are right so",
    )
    tie_epsilon: float = Field(
        default=0.0, ge=0, description="differences of scores up to this size are ties; not for c"
    )

    @model_validator(mode="after")
    def _counts_distinct_values(self) -> Kendall:
        if self.variant == "c" and self.tie_epsilon:
            raise ValueError("variant c counts distinct values: it takes no tie_epsilon")
        return self


class PairAccuracy(Parameters):
    """Which pairs count, and what a tie of their scores is worth."""

    ties: Ties = Field(default="half", description="a tie of two scores is half right, or wrong")
    pairs: Pairs = Field(
        default="cross_group", description="pairs of rows of two groups, of one group, or all"
    )


def pearson(rated: Rated) -> float:
    """Return the linear correlation of scores and qualities; NaN for a constant.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.agreement import pearson
    >>> from normalizers.measures.rated import Rated
    >>> round(pearson(Rated.of(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))), 4)
    0.5
    """
    if rated.constant:
        return np.nan
    x, y = (centred(one, rated.weights) for one in (rated.scores, rated.qualities))
    spread = np.sqrt(float(rated.weights @ (x * x)) * float(rated.weights @ (y * y)))
    # Rounding alone could carry a perfect correlation beyond 1.
    return float(np.clip(float(rated.weights @ (x * y)) / spread, -1.0, 1.0)) if spread else np.nan


def spearman(rated: Rated) -> float:
    """Return the linear correlation of the ranks, equal values at their mean rank.

    NaN for a constant.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.agreement import spearman
    >>> from normalizers.measures.rated import Rated
    >>> spearman(Rated.of(np.array([1.0, 2.0, 30.0]), np.array([1.0, 2.0, 2.5])))
    1.0
    """
    if rated.constant:
        return np.nan
    scores, qualities = (_ranks(one, rated.weights) for one in (rated.scores, rated.qualities))
    return pearson(replace(rated, scores=scores, qualities=qualities))


def kendall(rated: Rated, variant: Variant = "b", tie_epsilon: float = 0.0) -> float:
    """Return a rank correlation of scores and qualities; NaN for a constant.

    Of N pairs C are concordant, D discordant, T_q tied in the qualities alone, T_s in the scores
    alone, T_qs in both. ``b``: (C - D) / sqrt((C + D + T_q) (C + D + T_s)); ``c``:
    2 (C - D) / (n^2 (k - 1) / k) with the smaller number of distinct values k; ``23``:
    (C + T_qs - D - T_q - T_s) / N; ``acc23``: (C + T_qs) / N.

    References
    ----------
    Kendall: The treatment of ties in ranking problems, 1945; Stuart: The estimation and comparison
    of strengths of association in contingency tables, 1953; Deutsch, Foster, Freitag: Ties matter:
    meta-evaluating modern metrics with pairwise accuracy and tie calibration, 2023.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.agreement import kendall
    >>> from normalizers.measures.rated import Rated
    >>> round(kendall(Rated.of(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))), 4)
    0.3333
    """
    if rated.constant:
        return np.nan
    counts = pair_counts(rated.qualities, rated.scores, rated.weights, tie_epsilon)
    if variant == "c":
        n, k = float(rated.weights.sum()), _distinct(rated)
        return 2 * (counts.concordant - counts.discordant) / (n * n * (k - 1) / k)
    return float(tau(variant, *map(np.asarray, counts)))


def pair_accuracy(rated: Rated, ties: Ties = "half", pairs: Pairs = "cross_group") -> float:
    """Return the share of pairs of rows of different quality that the scores order right.

    NaN where no such pair has two qualities.

    Raises
    ------
    InvalidParams
        For pairs by group, and no groups.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.agreement import pair_accuracy
    >>> from normalizers.measures.rated import Rated
    >>> rows = Rated.of(np.array([1.0, 2.0, 2.0]), np.array([1.0, 2.0, 3.0]))
    >>> round(pair_accuracy(rows, pairs="all"), 4)
    0.8333
    """
    right, tied, total = ordered_pairs(rated, pairs)
    return (right + (tied / 2 if ties == "half" else 0.0)) / total if total else np.nan


def centred(values: Array, weights: Array) -> Array:
    """Return deviations from the mean in units of the largest, a power of two."""
    # Powers of two are exact, and keep sums and squares within the range of a float64.
    scaled = np.ldexp(values, -int(np.frexp(np.abs(values).max())[1]))
    rough = scaled - float(weights @ scaled) / float(weights.sum())
    # The second pass takes out what the mean was rounded by.
    centred = rough - float(weights @ rough) / float(weights.sum())
    return np.ldexp(centred, -int(np.frexp(np.abs(centred).max())[1]))


def _ranks(values: Array, weights: Array) -> Array:
    """Return mean ranks where each row counts as often as its weight says."""
    distinct = np.unique(values, return_inverse=True)[1]
    often = np.bincount(distinct, weights)
    # A half of its own: the middle of the places that equal values take.
    return np.asarray((np.cumsum(often) - often / 2)[distinct])


def _distinct(rated: Rated) -> int:
    drawn = rated.weights > 0
    return min(len(np.unique(part[drawn])) for part in (rated.scores, rated.qualities))


def tau(
    variant: Variant,
    pairs: Array,
    right: Array,
    wrong: Array,
    tied_qualities: Array,
    tied_scores: Array,
    tied_both: Array,
) -> Array:
    """Return tau from the counts of pairs; NaN where it is not defined."""
    if variant == "b":
        decided = right + wrong
        above = right - wrong
        below = np.sqrt((decided + tied_qualities) * (decided + tied_scores))
    else:
        alike = right + tied_both
        above, below = (alike if variant == "acc23" else 2 * alike - pairs), pairs
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(below > 0, above / below, np.nan)


def ordered_pairs(rated: Rated, pairs: Pairs) -> tuple[float, float, float]:
    """Return the weight of pairs with two qualities: ordered right, tied in the scores, all."""
    if pairs == "all":
        return _of_counts(pair_counts(rated.qualities, rated.scores, rated.weights))
    require_groups(rated, pairs)
    own = [
        _of_counts(pair_counts(one.qualities, one.scores, one.weights)) for one in rated.by_group()
    ]
    within = np.sum(own, axis=0) if own else np.zeros(3)
    if pairs == "within_group":
        return _three(within)
    return _three(np.subtract(ordered_pairs(rated, "all"), within))


def _of_counts(counts: PairCounts) -> tuple[float, float, float]:
    right, wrong, tied = counts.concordant, counts.discordant, counts.tied_y
    return right, tied, right + wrong + tied


def _three(numbers: Array) -> tuple[float, float, float]:
    right, tied, total = numbers.tolist()
    return right, tied, total


def require_groups(rated: Rated, pairs: Pairs) -> Array:
    """Return the group of every row, or say that there are none."""
    if rated.groups is None:
        raise InvalidParams(
            f"pairs '{pairs}' needs the group of every row: send groups, or ask for pairs 'all'"
        )
    return rated.groups
