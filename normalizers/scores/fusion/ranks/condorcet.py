"""Condorcet fusion: documents are ordered by pairwise majority of the runs."""

from __future__ import annotations

from normalizers.contract import Example
from normalizers.scores.fusion.base.majority import MajorityFusion


class Condorcet(MajorityFusion):
    """Fuse ranked lists: documents are ordered by how many others the majority puts below them.

    ``score = C - position``, position from 0, of C documents ordered by the number of other
    documents that they beat by pairwise majority of the runs.

    Notes
    -----
    A run votes for the document that it ranks higher of two; one that it did not return loses there
    to every one that it did, and is level with others it did not return. What the numbers of beaten
    documents leave open is settled by the smaller number of documents that beat it, then by the
    larger sum of its margins, then by id ascending. There are no weights (see `w_condorcet`). Votes
    are added as whole numbers, exactly.

    `explain` divides a score among the runs in proportion to their votes for the document; the
    parts are rounded so that they add up to it exactly. ranx (0.3.21) sorts the documents of a set
    by comparing pairs: where majorities tie or go in circles, its result depends on the order of
    that set and on the sort. Cost O(C^2 m) for C documents of m runs.

    References
    ----------
    Montague and Aslam, "Condorcet fusion for improved retrieval", CIKM 2002.

    Examples
    --------
    >>> from normalizers import Condorcet
    >>> runs = [{"ids": ["a", "b", "c"]}, {"ids": ["b", "a"]}, {"ids": ["a", "c"]}]
    >>> Condorcet().transform(runs).tolist()
    ['a', 'b', 'c']
    """

    name = "condorcet"
    example = Example(
        input={"runs": [{"ids": ["a", "b", "c"]}, {"ids": ["b", "a"]}, {"ids": ["a", "c"]}]}
    )
