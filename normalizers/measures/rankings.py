"""Measures of ranked lists against relevance judgements: one value a query."""

from __future__ import annotations

from functools import partial

import numpy as np

from normalizers.data.arrays import Array
from normalizers.kernels import segments
from normalizers.measures.judged import Judged, ranks_of
from normalizers.measures.measure import (
    GainCutOff,
    GradeCutOff,
    Measure,
    PersistenceCutOff,
    Relevant,
    RelevantCutOff,
)

# gdeval's top grade: a document judged so satisfies a reader with 15 chances in 16.
TOP_GRADE = 4.0
# Up to here 2^grade is an ordinary number; beyond it gains are taken as shares of the best one.
LARGEST_POWER = 1000.0


def gains_of(judged: Judged, gain: str) -> tuple[Array, Array]:
    """Return the gains of hits and of all judgements, in units of each query's best judgement.

    A judgement gains itself, or 2^judgement - 1 where `gain` is ``exponential``; below 0, and
    without a judgement, nothing.
    """
    hits, pool = judged.hit_grades, judged.all_grades
    best = np.maximum(segments.maxima(pool), 0.0) if len(pool) else np.zeros(0)
    best = np.where(pool.lengths > 0, best, 0.0)
    own = np.nan_to_num(np.maximum(hits.values, 0.0), nan=0.0)
    return (
        _gains(own, segments.broadcast(best, hits), gain),
        _gains(np.maximum(pool.values, 0.0), segments.broadcast(best, pool), gain),
    )


def _gains(grades: Array, best: Array, gain: str) -> Array:
    # Units of the best judgement cancel in every ratio, and keep large judgements finite.
    if gain == "linear":
        return np.asarray(grades / np.where(best > 0, best, 1.0))
    # 2^g - 1 = expm1(g ln 2): no digits cancel for small judgements.
    small = np.expm1(np.minimum(grades, LARGEST_POWER) * np.log(2.0))
    shares = np.exp2(grades - best) - np.exp2(-best)
    return np.asarray(np.where(best > LARGEST_POWER, np.maximum(shares, 0.0), small))


def ndcg(judged: Judged, k: int | None = None, gain: str = "linear") -> Array:
    """Return the normalized discounted cumulative gain of each query.

    ``sum over hits of gain / log2(rank + 1)``, divided by what the best list of `k` would have;
    the ideal counts all judged documents, found or not.

    Parameters
    ----------
    judged : Judged
        The lists and their judgements.
    k : int, optional
        Ranks that count.
    gain : {'linear', 'exponential'}
        The judgement itself, as trec_eval has it, or 2^judgement - 1.

    Returns
    -------
    array of shape (q,)
        NaN for queries without a relevant document.

    References
    ----------
    Järvelin, Kekäläinen: Cumulated gain-based evaluation of IR techniques, 2002; Burges et al.:
    Learning to rank using gradient descent, 2005, for the exponential gain.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.judged import Judged
    >>> from normalizers.measures.rankings import ndcg
    >>> from normalizers.data.ragged import Ragged
    >>> ndcg(Judged(Ragged.of([[True, False, True]], bool), np.array([2])), k=3).round(4).tolist()
    [0.9197]
    """
    gains, all_gains = gains_of(judged, gain)
    pool = judged.all_grades
    owner = pool.part_of_each()
    ideal = pool.with_values(all_gains[np.lexsort((-all_gains, owner))])
    found = judged.summed(_discounted(gains, judged.ranks, k))
    best = segments.sums(ideal.with_values(_discounted(ideal.values, ranks_of(ideal), k)))
    return judged.where_judged(found / np.where(best > 0, best, 1.0))


def _discounted(gains: Array, ranks: Array, k: int | None) -> Array:
    counted = gains / np.log2(ranks + 1)
    return counted if k is None else np.where(ranks <= k, counted, 0.0)


def recall(judged: Judged, k: int | None = None, rel: float | None = None) -> Array:
    """Return the share of the relevant documents that are within the first `k`, by query.

    NaN for queries without a relevant document.
    """
    judged = judged.at(rel)
    return judged.where_judged(judged.summed(judged.hits(k)) / np.maximum(judged.relevant, 1))


def precision(judged: Judged, k: int | None = None, rel: float | None = None) -> Array:
    """Return the share of relevant documents among the first `k`, by query.

    A shorter list counts as filled up with documents that are not relevant. NaN for queries
    without a relevant document, and without `k` for empty lists.
    """
    judged = judged.at(rel)
    lengths = judged.relevance.lengths
    # By k also where a list is shorter, as trec_eval: what is not there is not relevant.
    size = lengths if k is None else np.full(len(judged), k)
    share = judged.summed(judged.hits(k)) / np.maximum(size, 1)
    return judged.where_judged(np.where(size > 0, share, np.nan))


def average_precision(judged: Judged, k: int | None = None, rel: float | None = None) -> Array:
    """Return the average precision of each query.

    The sum of the precision at the rank of every relevant hit, divided by the number of relevant
    documents, found or not. NaN for queries without a relevant document.
    """
    judged = judged.at(rel)
    hits = judged.hits(k)
    cumulative = np.cumsum(hits)
    before = np.concatenate(([0], cumulative))[judged.relevance.offsets[:-1]]
    # One sum over all lists less what came before each: whole numbers, so it is exact.
    found = cumulative - segments.broadcast(before, judged.relevance)
    total = judged.summed(np.where(hits, found / judged.ranks, 0.0))
    return judged.where_judged(total / np.maximum(judged.relevant, 1))


def reciprocal_rank(judged: Judged, k: int | None = None, rel: float | None = None) -> Array:
    """Return one over the rank of the first relevant document, 0 where there is none, by query.

    NaN for queries without a relevant document.
    """
    judged = judged.at(rel)
    best = segments.maxima(
        judged.relevance.with_values(np.where(judged.hits(k), 1 / judged.ranks, 0.0))
    )
    return judged.where_judged(np.where(judged.relevance.lengths > 0, best, 0.0))


def success(judged: Judged, k: int | None = None, rel: float | None = None) -> Array:
    """Return 1 where a relevant document is within the first `k`, else 0, by query.

    NaN for queries without a relevant document.
    """
    judged = judged.at(rel)
    return judged.where_judged((judged.summed(judged.hits(k)) > 0).astype(np.float64))


def r_precision(judged: Judged, rel: float | None = None) -> Array:
    """Return the share of relevant documents within the first R, R relevant ones, by query.

    NaN for queries without a relevant document.
    """
    judged = judged.at(rel)
    within = judged.hits(None) & (
        judged.ranks <= segments.broadcast(judged.relevant, judged.relevance)
    )
    return judged.where_judged(judged.summed(within) / np.maximum(judged.relevant, 1))


def binary_preference(judged: Judged, rel: float | None = None) -> Array:
    """Return how seldom documents judged not relevant stand above relevant ones, by query.

    ``1/R sum over relevant hits of 1 - min(n, R) / min(R, N)``, n the hits above that are judged
    and not relevant, N all such documents. Documents without a judgement, or with one below 0,
    do not count. NaN for queries without a relevant document.

    References
    ----------
    Buckley, Voorhees: Retrieval evaluation with incomplete information, 2004, as trec_eval has it.
    """
    judged = judged.at(rel)
    grades, pool = judged.hit_grades, judged.all_grades
    hits = judged.hits(None)
    others = (grades.values >= 0) & ~hits
    above = np.cumsum(others)
    before = np.concatenate(([0], above))[grades.offsets[:-1]]
    above = above - segments.broadcast(before, grades)
    rejected = segments.sums(pool.with_values((pool.values >= 0).astype(np.float64)))
    rejected = rejected - judged.relevant
    bound = segments.broadcast(np.maximum(np.minimum(rejected, judged.relevant), 1.0), grades)
    worst = segments.broadcast(judged.relevant, grades)
    total = judged.summed(np.where(hits, 1.0 - np.minimum(above, worst) / bound, 0.0))
    return judged.where_judged(total / np.maximum(judged.relevant, 1))


def expected_reciprocal_rank(
    judged: Judged, k: int | None = None, max_grade: float = TOP_GRADE
) -> Array:
    """Return the expected reciprocal rank of each query.

    ``sum over ranks of 1/rank R prod over ranks above of (1 - R)`` with ``R = (2^g - 1) / 2^G``,
    g the judgement and G `max_grade`; judgements above it count as it, below 0 as 0. NaN for
    queries without a relevant document.

    References
    ----------
    Chapelle et al.: Expected reciprocal rank for graded relevance, 2009; G is 4 as in gdeval.
    """
    grades = judged.hit_grades
    own = np.clip(np.nan_to_num(grades.values, nan=0.0), 0.0, max_grade)
    stops = np.exp2(own - max_grade) - np.exp2(-max_grade)
    # By list: one running product over all of them would underflow.
    passed = [
        np.cumprod(np.concatenate(([1.0], 1.0 - own_stops[:-1])))[: len(own_stops)]
        for own_stops in grades.with_values(stops)
    ]
    reached = np.concatenate([np.zeros(0), *passed])
    shares = reached * stops / judged.ranks
    counted = shares if k is None else np.where(judged.ranks <= k, shares, 0.0)
    return judged.where_judged(judged.summed(counted))


def rank_biased_precision(
    judged: Judged, k: int | None = None, rel: float | None = None, persistence: float = 0.8
) -> Array:
    """Return ``(1 - p) sum over relevant hits of p^(rank - 1)``, p the persistence, by query.

    NaN for queries without a relevant document.

    References
    ----------
    Moffat, Zobel: Rank-biased precision for measurement of retrieval effectiveness, 2008.
    """
    judged = judged.at(rel)
    shares = (1.0 - persistence) * persistence ** (judged.ranks - 1.0)
    return judged.where_judged(judged.summed(np.where(judged.hits(k), shares, 0.0)))


_ranking = partial(
    Measure,
    needs="rankings",
    parameters=RelevantCutOff,
    by_unit=True,
    undefined="no query has a relevant document",
)
MEASURES = (
    _ranking(
        "ndcg",
        function=ndcg,
        parameters=GainCutOff,
        help="normalized discounted cumulative gain; the gain is the judgement",
    ),
    _ranking("recall", function=recall, help="share of the relevant documents that were found"),
    _ranking("precision", function=precision, help="share of relevant documents in the list"),
    _ranking("map", function=average_precision, help="mean average precision"),
    _ranking("mrr", function=reciprocal_rank, help="mean reciprocal rank of the first relevant"),
    _ranking("success", function=success, help="share of queries with a relevant document"),
    _ranking(
        "rprec",
        function=r_precision,
        parameters=Relevant,
        help="precision at as many ranks as there are relevant documents",
    ),
    _ranking(
        "bpref",
        function=binary_preference,
        parameters=Relevant,
        help="binary preference: relevant documents above those judged not relevant",
    ),
    _ranking(
        "err",
        function=expected_reciprocal_rank,
        parameters=GradeCutOff,
        help="expected reciprocal rank of a reader whom graded documents satisfy by chance",
    ),
    _ranking(
        "rbp",
        function=rank_biased_precision,
        parameters=PersistenceCutOff,
        help="rank-biased precision of a reader who goes on with a fixed chance",
    ),
)
