"""What a run says of each document of a query, as numbers that a regression takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput
from normalizers.kernels import segments
from normalizers.scores.fusion.base.score_fusion import lowest
from normalizers.scores.fusion.runs.pool import Pool
from normalizers.scores.fusion.runs.run import Run

SCORE_PRESENCE = ("score", "presence")
TWO_SCALE = ("score", "share_of_best", "log_rank", "presence")


@dataclass(frozen=True)
class Block:
    """The features of one run.

    Parameters
    ----------
    hits : array of shape (N, k)
        Of each hit; NaN where it has no score.
    absent : array of shape (q, k)
        By query, of every document that the run lacks; NaN where its list is empty.
    """

    hits: Array
    absent: Array

    def of_documents(self, pool: Pool, run: int) -> Array:
        """Return the features of every document of a pool by its run at this place, (u, k)."""
        union = pool.union
        rows = np.array(self.absent[union.ids.part_of_each()])
        mine = union.runs == run
        found = self.hits[union.hits.values[mine] - pool.starts[run]]
        scored = ~np.isnan(found).any(axis=1)
        rows[union.documents[mine][scored]] = found[scored]
        return rows


def score_presence(run: Run, values: Array) -> Block:
    """Return the normalized score and 1; for a document that is not there the lowest and 0."""
    hits = np.column_stack([values, np.ones(len(values))])
    fill = lowest(run, values)
    return Block(hits, np.column_stack([fill, np.zeros(len(fill))]))


def two_scale(run: Run, path: str) -> Block:
    """Return the score, its share of the list's best, the logarithm of the rank, and 1.

    A document that is not there has the lowest score of the list, the rank after the last, and 0.

    Raises
    ------
    InvalidInput
        A list whose best score is not above 0.
    """
    scores = run.lists.with_values(run.raw if run.higher_is_better else -run.raw)
    observed = ~np.isnan(scores.values)
    best, worst = segments.maxima(scores, observed), segments.minima(scores, observed)
    if np.any(best <= 0):
        raise InvalidInput(
            "features 'two_scale' divide by the best score of a list, which is not above 0 here; "
            "use 'score_presence'",
            path=f"{path}.scores",
        )
    share = scores.values / segments.broadcast(best, scores)
    hits = np.column_stack([scores.values, share, np.log(run.ranks), np.ones(len(share))])
    last = np.log(run.lists.lengths + 1.0)
    return Block(hits, np.column_stack([worst, worst / best, last, np.zeros(len(last))]))
