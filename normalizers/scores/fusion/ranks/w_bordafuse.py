"""The Borda count with a weight for each run."""

from __future__ import annotations

from normalizers.contract import Example
from normalizers.scores.fusion.base.borda_points import BordaFusion
from normalizers.scores.fusion.search.searched_weights import SearchedWeights


class WeightedBordaFuse(SearchedWeights, BordaFusion):
    """Fuse ranked lists by the Borda count, each run's points times its weight.

    ``score = sum over runs of w (C - rank + 1)`` with C distinct documents in all runs of the
    query; a run of n hits that lacks a document gives it ``w (C - n + 1) / 2``.

    Notes
    -----
    Without weights each is 1, which is `bordafuse`. An empty list gives nothing. Sums are exactly
    rounded, and the parts of `explain` add up to the score. Cost O(N log N + C m) for N hits of m
    runs.

    References
    ----------
    Aslam and Montague, "Models for metasearch", SIGIR 2001.

    Examples
    --------
    >>> from normalizers import WeightedBordaFuse
    >>> runs = [{"ids": ["a", "b"]}, {"ids": ["b", "c"]}]
    >>> WeightedBordaFuse(weights=[3.0, 1.0]).apply_to(runs=runs)["scores"].tolist()
    [10.0, 9.0, 5.0]
    """

    name = "w_bordafuse"
    example = Example(
        params={"weights": {"words": 0.4, "vectors": 0.6}},
        input={
            "runs": [{"name": "words", "ids": ["a", "b"]}, {"name": "vectors", "ids": ["b", "c"]}]
        },
    )
