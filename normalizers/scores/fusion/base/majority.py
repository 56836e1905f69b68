"""What the Condorcet fusions share: pairwise votes of the runs, and the order that they leave."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from normalizers.contract import Batch, Notice
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput
from normalizers.scores.fusion.base.fusion import RankFusion
from normalizers.scores.fusion.runs.pool import Entries, Pool, Share
from normalizers.scores.fusion.runs.run import Run

# Votes are added as whole numbers; beyond this their sums are Python's own integers.
LARGEST_SUM = 2**62
# Parts of a score are whole multiples of it, so that they add up to the score exactly.
PART = 2.0**-20
# A block of pairwise votes holds about this many numbers.
BLOCK = 2**22
# About half a minute of counting.
MOST_VOTES = 2**32


class MajorityFusion(RankFusion):
    """Base of the Condorcet fusions.

    Documents are ordered by how many others they beat, then by how few beat them, then by the
    sum of their margins, then by id.
    """

    def by_rank(self, run: Run, weight: float, pool: Pool) -> Array:
        """Return the rank of each hit of a run."""
        return run.ranks.astype(np.float64)

    def shares(self, pool: Pool, batch: Batch) -> tuple[list[Share], list[Notice]]:
        """Return the ranks of the hits of each run."""
        return [Share(self.by_rank(run, 1.0, pool)) for run in pool.runs], []

    def contributions(self, entries: Entries, pool: Pool) -> Array:
        """Return the score of each document in proportion to the votes of its runs.

        A run votes for a document once for itself and once for each one that it ranks lower.
        """
        _check_size(pool)
        scores = np.concatenate([np.empty(0), *_scores(entries, pool)])
        ranked_lower = entries.spread(np.repeat(pool.totals, pool.totals)) - entries.values.values
        votes = entries.weights * (ranked_lower + 1)
        votes[entries.spread(entries.totals(votes)) == 0] = 1.0
        parts = np.floor(entries.spread(scores / entries.totals(votes)) * votes / PART) * PART
        parts[entries.values.offsets[:-1]] += scores - entries.totals(parts)
        return np.asarray(parts)


def whole_weights(weights: Array) -> Array:
    """Return whole numbers in exactly the proportions of the weights.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.scores.fusion.base.majority import whole_weights
    >>> whole_weights(np.array([0.5, 0.25, 2.0])).tolist()
    [2, 1, 8]
    """
    fractions = [Fraction(weight) for weight in weights.tolist()]
    common = math.lcm(*(fraction.denominator for fraction in fractions))
    whole = [int(fraction * common) for fraction in fractions]
    return np.array(whole, dtype=np.int64 if sum(whole) < LARGEST_SUM else object)


def _check_size(pool: Pool) -> None:
    votes = math.fsum(np.square(pool.totals.astype(np.float64))) * len(pool.runs)
    if votes > MOST_VOTES:
        raise InvalidInput(
            f"every pair of documents is put to the vote: {votes:.0f} votes are too many; "
            "take a smaller depth, or fewer queries at once",
            path="input.runs",
        )


def _scores(entries: Entries, pool: Pool) -> Iterator[Array]:
    """Yield by query the number of documents less the position, in the order of the ids."""
    weights = whole_weights(pool.weights)
    bounds = pool.union.ids.offsets
    edges = entries.values.offsets[bounds]
    documents = entries.documents
    for query, total in enumerate(pool.totals.tolist()):
        place = slice(int(edges[query]), int(edges[query + 1]))
        ranks = np.full((len(pool.runs), total), np.inf)
        # Of an id that stands twice in a list the first place is written last.
        mine = (entries.runs[place][::-1], documents[place][::-1] - bounds[query])
        ranks[mine] = entries.values.values[place][::-1]
        yield _positions(ranks, weights)


def _positions(ranks: Array, weights: Array) -> Array:
    total = ranks.shape[1]
    wins, losses, margins = (np.zeros(total, dtype=kind) for kind in (int, int, weights.dtype))
    step = max(1, BLOCK // max(total, 1))
    for start in range(0, total, step):
        some = slice(start, start + step)
        votes = _votes(ranks, weights, some)
        wins[some] = np.count_nonzero(votes > 0, axis=1)
        losses[some] = np.count_nonzero(votes < 0, axis=1)
        margins[some] = votes.sum(axis=1)
    # Margins may be Python's integers, which lexsort does not take: their places stand for them,
    # equal ones in the order of ids.
    order = np.lexsort((np.argsort(np.argsort(-margins, kind="stable")), losses, -wins))
    scores = np.empty(total)
    scores[order] = np.arange(total, 0, -1)
    return scores


def _votes(ranks: Array, weights: Array, some: slice) -> Array:
    """Return the weight for each of some documents less that against it, before every other."""
    votes = np.zeros((len(range(*some.indices(ranks.shape[1]))), ranks.shape[1]), weights.dtype)
    for rank, weight in zip(ranks, weights.tolist(), strict=True):
        mine, others = rank[some, None], rank[None, :]
        votes += ((mine < others).astype(np.int8) - (mine > others)).astype(votes.dtype) * weight
    return votes
