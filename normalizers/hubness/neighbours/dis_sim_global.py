"""Global dissimilarity: squared distances less those of both ends to the centre of the gallery."""

from __future__ import annotations

from typing import cast

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistics,
    floats,
)
from normalizers.normalizer import Normalizer
from normalizers.statistics import Moments


class DisSimGlobal(Normalizer):
    """Return ``|q - x|^2 - |q - c|^2 - |x - c|^2``, c the mean of the gallery: -2 (q - c).(x - c).

    Notes
    -----
    Smaller is nearer, and values may be negative. Fitted on the gallery, which merges; a request
    has the queries and the items to compare them with. Missing values are refused. Ties and
    constant columns need no rule. Cost O(q g d).

    See Also
    --------
    DisSimLocal : By the centres of neighbourhoods.

    References
    ----------
    Hara et al.: Localized centering: reducing hubness in large-sample data, 2015. Code:
    OFAI/hub-toolbox-python3.

    Examples
    --------
    >>> from normalizers import DisSimGlobal
    >>> fitted = DisSimGlobal().fit([[1.0, 0.0], [0.0, 1.0]])
    >>> fitted.transform([[1.0, 0.0]], gallery_embeddings=[[1.0, 0.0], [0.0, 1.0]]).tolist()
    [[-1.0, 1.0]]
    """

    name = "dis_sim_global"
    family = "hubness"
    kinds = ("fitted",)
    fits = Fields(gallery_embeddings=floats("n d", flat="row", help="gallery items"))
    takes = Fields(
        query_embeddings=floats("q d", flat="row", help="live queries"),
        gallery_embeddings=floats("g d", help="items to compare them with"),
    )
    gives = Fields(scores=floats("q g", help="dissimilarities, smaller is nearer"))
    keeps = {"moments": Moments()}
    example = Example(
        fit={"gallery_embeddings": [[1.0, 0.0], [0.0, 1.0]]},
        input={"query_embeddings": [[1.0, 0.0]], "gallery_embeddings": [[0.0, 1.0]]},
    )

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add gallery items."""
        kept = cast(Moments, statistics["moments"]).update(batch.array("gallery_embeddings"))
        return statistics.replace(moments=kept)

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the centre."""
        mean = cast(Moments, statistics["moments"]).mean
        return Fitted({"mean": mean}, sizes={"d": len(mean)})

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return dissimilarities."""
        queries, items = (
            np.ascontiguousarray(batch.array(name)) - fitted["mean"]
            for name in ("query_embeddings", "gallery_embeddings")
        )
        # One product a pair, by the same sum whatever stands beside it in the request.
        scores = -2.0 * np.einsum("qd,gd->qg", queries, items)
        explain = {"mean": fitted["mean"].tolist()} if options.explain else None
        return Answer({"scores": scores}, explain=explain)
