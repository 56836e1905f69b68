"""The Borda count."""

from __future__ import annotations

from normalizers.contract import Example
from normalizers.scores.fusion.base.borda_points import BordaFusion


class BordaFuse(BordaFusion):
    """Fuse ranked lists: each run gives its best of C documents C points, the next C - 1, ...

    ``score = sum over runs of C - rank + 1`` with C distinct documents in all runs of the query;
    a run of n hits that lacks a document gives it ``(C - n + 1) / 2``, the mean of the points it
    did not give.

    Notes
    -----
    An empty list gives nothing. There are no weights (see `w_bordafuse`). Sums are exact, and the
    parts of `explain` add up to the score. Cost O(N log N + C m) for N hits of m runs.

    References
    ----------
    Aslam and Montague, "Models for metasearch", SIGIR 2001.

    Examples
    --------
    >>> from normalizers import BordaFuse
    >>> runs = [{"ids": ["a", "b"]}, {"ids": ["b", "c"]}]
    >>> BordaFuse().apply_to(runs=runs)["scores"].tolist()
    [5.0, 4.0, 3.0]
    """

    name = "bordafuse"
    aliases = {"borda_count": {}}
    example = Example(input={"runs": [{"ids": ["a", "b"]}, {"ids": ["b", "c"]}]})
