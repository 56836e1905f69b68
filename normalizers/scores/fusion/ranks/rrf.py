"""Reciprocal rank fusion: a document's score is the sum of 1 / (k + rank) over the runs."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from normalizers.contract import Example, param, unwrap
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.scores.fusion.base.fusion import RankFusion
from normalizers.scores.fusion.base.weighted import WeightedFusion
from normalizers.scores.fusion.runs.pool import Pool
from normalizers.scores.fusion.runs.run import Run
from normalizers.scores.fusion.search.grid_search import GridSearchFusion
from normalizers.scores.fusion.search.space import Scale

# Cormack, Clarke, Buettcher: chosen on a pilot collection and kept since.
PUBLISHED_K = 60.0
# Engines whose constant of 60 goes with ranks from 1, and with ranks from 0.
COUNT_FROM_ONE = (
    "azure", "elasticsearch", "milvus", "mongodb", "opensearch", "ranx", "redis", "trectools",
    "upstash", "vespa",
)  # fmt: skip
COUNT_FROM_ZERO = ("chroma", "llama_index", "pyterrier", "rag_fusion", "weaviate")


class ReciprocalRankFusion(GridSearchFusion, WeightedFusion, RankFusion):
    """Fuse ranked lists: the score of a document is the sum of ``w / (k + rank)`` over the runs.

    Ranks start at 1 for the best. ``weight_mode: stretch`` is ``1 / (rank / w + k)``,
    ``rank_mode: relative`` puts ``rank / n`` for the rank, with n hits in the list, and
    ``output: unit`` multiplies by ``(k + 1) / sum(w)``, so that the best possible score is 1.

    Notes
    -----
    The fused list is ordered by score, then by id ascending in code point order. A document that a
    run did not return gets nothing from it. Sums are exactly rounded: the order of the runs changes
    no bit, equal multisets of contributions tie exactly, and the parts of `explain` add up to the
    score. A run of weight 0 gives 0 and its documents stay. Fused scores of different queries are
    not comparable.

    An id that stands in a list twice counts at its best place and is counted in the warning
    ``duplicate_ids``; with ``duplicates: sum`` each of its places pays. Cost O(N log N) for N hits
    in all.

    A fit on judged runs with a `measure` finds `k`: 10 to 100 by 10 is tried, or `grid`; of equally
    good values the smallest is taken.

    References
    ----------
    Cormack, Clarke, Buettcher, "Reciprocal rank fusion outperforms Condorcet and individual rank
    learning methods", SIGIR 2009. Peers that count ranks from 0 and write 60 have our k = 59;
    Qdrant's k = 2 is our k = 1; Chroma writes the negative. Each engine's numbers are a preset.

    Examples
    --------
    >>> from normalizers import ReciprocalRankFusion
    >>> words = {"name": "bm25", "ids": ["a", "b"], "scores": [12.1, 7.0]}
    >>> vectors = {"name": "dense", "ids": ["c", "a"], "scores": [0.83, 0.62]}
    >>> ReciprocalRankFusion().transform([words, vectors]).tolist()
    ['a', 'c', 'b']
    """

    name = "rrf"
    searched = "k"
    aliases = {"reciprocal_rank_fusion": {}, "ranked_fusion": {}, "reciprocal_rerank": {}}
    presets = {
        "paper": {"k": PUBLISHED_K},
        **{engine: {"k": PUBLISHED_K} for engine in COUNT_FROM_ONE},
        **{engine: {"k": PUBLISHED_K - 1} for engine in COUNT_FROM_ZERO},
        "haystack": {"k": PUBLISHED_K, "output": "unit"},
        "langchain": {"k": PUBLISHED_K, "normalize_weights": True},
        "qdrant": {"k": 1.0, "weight_mode": "stretch"},
        "txtai": {"k": 0.0, "drop_zero_weight": True},
    }
    example = Example(
        params={"k": 60.0, "weights": {"bm25": 0.4, "dense": 0.6}},
        input={
            "runs": [
                {"name": "bm25", "ids": ["a", "b"], "scores": [12.1, 7.0]},
                {"name": "dense", "ids": ["c", "a"], "scores": [0.83, 0.62]},
            ]
        },
    )

    k: float | None = param(
        default=None,
        default_value=PUBLISHED_K,
        affects="answer",
        gt=-1,
        help="how slowly contributions fall with the rank",
    )
    weight_mode: Literal["multiply", "stretch"] | None = param(
        default=None,
        default_value="multiply",
        affects="answer",
        help="a weight multiplies the contribution, or divides the rank",
    )
    rank_mode: Literal["absolute", "relative"] | None = param(
        default=None,
        default_value="absolute",
        affects="answer",
        help="the rank itself, or the rank over the length of the list",
    )
    output: Literal["score", "unit"] | None = param(
        default=None,
        default_value="score",
        affects="answer",
        help="the sum, or the sum as a share of the best possible one",
    )

    @property
    def space(self) -> Scale:
        """K from 10 to 100 in tens."""
        return Scale("k", 10.0, 100.0, 10.0)

    def check(self, path: str) -> None:
        """Refuse parameters that would divide by zero."""
        other = self.rank_mode == "relative" or self.weight_mode == "stretch"
        if other and self.k is not None and self.k < 0:
            raise InvalidParams(
                "k is at least 0 with rank_mode 'relative' or weight_mode 'stretch'",
                path=f"{path}.k",
            )
        if other and self.output == "unit":
            raise InvalidParams(
                "output 'unit' is defined for rank_mode 'absolute' and weight_mode 'multiply'",
                path=f"{path}.output",
            )

    def by_rank(self, run: Run, weight: float, pool: Pool) -> Array:
        """Return ``w / (k + rank)`` for each hit of a run."""
        k = unwrap(self.k)
        ranks = run.ranks / run.lengths if self.rank_mode == "relative" else run.ranks
        if weight == 0:
            return np.zeros(len(ranks))
        if self.weight_mode == "stretch":
            return np.asarray(1 / (ranks / weight + k))
        if self.output == "unit":
            # (k + 1) / (k + rank) is 1 for the first of a list, so the first of all lists gets 1.
            return np.asarray(weight / math.fsum(pool.weights) * ((k + 1) / (k + ranks)))
        return np.asarray(weight / (k + ranks))
