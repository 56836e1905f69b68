"""Query background normalization: scores less the best background scores of their query."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistic,
    Statistics,
    floats,
    lists,
    optional,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.errors import ShapeError
from normalizers.kernels import segments
from normalizers.kernels.row_norms import unit_rows
from normalizers.normalizer import Normalizer
from normalizers.statistics import Sample

BLOCK_ROWS = 1024


class QueryBackgroundNorm(Normalizer):
    """Subtract from the scores of a query its k-th best score against a background.

    ``s - factor * b_k(q)``, b_k the k-th largest similarity of the query to the background
    embeddings: a constant of each query, so that the ranking stays and one threshold serves all
    queries.

    Notes
    -----
    A background of fewer than `k` vectors counts as its worst. Missing values are refused. Cost
    O(q n d).

    References
    ----------
    Douze et al.: The 2021 image similarity dataset and challenge, 2021. Code:
    facebookresearch/isc2021 (scripts/score_normalization.py).

    Examples
    --------
    >>> from normalizers import QueryBackgroundNorm
    >>> background = QueryBackgroundNorm(k=1).fit([[1.0, 0.0], [0.6, 0.8]])
    >>> background.transform(query_embeddings=[[0.0, 1.0]], sims=[[0.9, 0.5]]).round(4).tolist()
    [[0.1, -0.3]]
    """

    name = "query_background_norm"
    family = "hubness"
    kinds = ("fitted",)
    aliases = {"isc2021": {}}
    fits = Fields(background_embeddings=floats("n d", flat="row", help="background vectors"))
    takes = Fields(
        (("sims",), ("candidate_scores",)),
        sims=optional(floats("q g", flat="row", help="live queries against the gallery")),
        candidate_scores=optional(lists(help="scores of the candidates of each query")),
        query_embeddings=floats("q d", flat="row", help="live queries"),
    )
    gives = Fields(scores=floats("q g", flat="row", help="corrected scores, formed as the input"))
    keeps: Mapping[str, Statistic] = {"sample": Sample(["background_embeddings"])}
    example = Example(
        params={"k": 1},
        fit={"background_embeddings": [[1.0, 0.0], [0.6, 0.8]]},
        input={"sims": [[0.9, 0.5]], "query_embeddings": [[0.0, 1.0]]},
    )

    k: int | None = param(
        default=None,
        default_value=1,
        ge=1,
        affects="answer",
        help="which of the best background scores is subtracted",
    )
    factor: float | None = param(
        default=None, default_value=1.0, ge=0, affects="answer", help="share that is subtracted"
    )
    similarity: Literal["cosine", "dot"] | None = param(
        default=None, default_value="cosine", affects="answer", help="how vectors are compared"
    )

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Keep the background."""
        kept = cast(Sample, statistics["sample"]).update(batch.array("background_embeddings"))
        return statistics.replace(sample=kept)

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the background."""
        rows = np.asarray(cast(Sample, statistics["sample"])["background_embeddings"])
        return Fitted({"background": rows}, sizes={"d": rows.shape[1]})

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return corrected scores."""
        worst = self._background_scores(fitted["background"], batch.array("query_embeddings"))
        subtracted = unwrap(self.factor) * worst
        explain = {"query_bias": worst.tolist()} if options.explain else None
        if "sims" in batch:
            return Answer({"scores": batch.array("sims") - subtracted[:, None]}, explain=explain)
        scores = batch.ragged("candidate_scores")
        if not len(subtracted) and not len(scores.values):
            return Answer({"scores": scores}, explain=explain)
        if len(scores) != len(subtracted):
            raise ShapeError(
                f"{len(scores)} lists, but {len(subtracted)} queries", path="input.candidate_scores"
            )
        values = scores.values - segments.broadcast(subtracted, scores)
        return Answer({"scores": scores.with_values(values)}, explain=explain)

    def _background_scores(self, background: Array, queries: Array) -> Array:
        if self.similarity == "cosine":
            background, queries = unit_rows(background), unit_rows(queries)
        place = min(unwrap(self.k), len(background))
        found = np.empty(len(queries))
        for start in range(0, len(queries), BLOCK_ROWS):
            sims = queries[start : start + BLOCK_ROWS] @ background.T
            best = np.partition(sims, len(background) - place, axis=1)
            found[start : start + BLOCK_ROWS] = best[:, len(background) - place]
        return found
