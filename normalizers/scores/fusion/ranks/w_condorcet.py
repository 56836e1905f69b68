"""Condorcet fusion with a weight for the vote of each run."""

from __future__ import annotations

from normalizers.contract import Example
from normalizers.scores.fusion.base.majority import MajorityFusion
from normalizers.scores.fusion.search.searched_weights import SearchedWeights


class WeightedCondorcet(SearchedWeights, MajorityFusion):
    """Fuse ranked lists by pairwise majority, each run's vote times its weight.

    ``score = C - position``, position from 0, of C documents ordered by the number of other
    documents that they beat by pairwise majority of the weights.

    Notes
    -----
    A run votes for the document that it ranks higher of two; one that it did not return loses there
    to every one that it did, and is level with others it did not return. What the numbers of beaten
    documents leave open is settled by the smaller number of documents that beat it, then by the
    larger sum of its margins, then by id ascending. Without weights each is 1, which is
    `condorcet`. Votes are added as whole numbers, exactly.

    `explain` divides a score among the runs in proportion to their votes for the document; the
    parts are rounded so that they add up to it exactly. Cost O(C^2 m) for C documents of m runs.

    References
    ----------
    Montague and Aslam, "Condorcet fusion for improved retrieval", CIKM 2002.

    Examples
    --------
    >>> from normalizers import WeightedCondorcet
    >>> runs = [{"ids": ["a", "b"]}, {"ids": ["b", "a"]}]
    >>> WeightedCondorcet(weights=[1.0, 2.0]).transform(runs).tolist()
    ['b', 'a']
    """

    name = "w_condorcet"
    example = Example(
        params={"weights": {"words": 0.4, "vectors": 0.6}},
        input={
            "runs": [{"name": "words", "ids": ["a", "b"]}, {"name": "vectors", "ids": ["b", "c"]}]
        },
    )
