"""Local dissimilarity: squared distances less those of both ends to their neighbourhoods."""

from __future__ import annotations

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    floats,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput
from normalizers.normalizer import Normalizer


class DisSimLocal(Normalizer):
    """Return ``|q - x|^2 - |q - c(q)|^2 - |x - c(x)|^2``, c the centre of the `k` nearest items.

    Notes
    -----
    Smaller is nearer, and values may be negative: the raw squared form. An item counts among its
    own neighbours, since queries are another set. Queries and gallery come with the request; a
    query depends on the gallery, not on other queries. Fewer than `k` items count whole, ties go
    to the lowest position. Missing values are refused. Constant columns need no rule. Cost
    O((q + g) g d).

    See Also
    --------
    DisSimGlobal : By the centre of the whole gallery.

    References
    ----------
    Hara et al.: Flattening the density gradient for eliminating spatial centrality to reduce
    hubness, 2016. Code: OFAI/hub-toolbox-python3, dobraczka/kiez.

    Examples
    --------
    >>> from normalizers import DisSimLocal
    >>> items = [[1.0, 0.0], [0.0, 1.0]]
    >>> DisSimLocal(k=2).transform([[1.0, 1.0]], gallery_embeddings=items).tolist()
    [[0.0, 0.0]]
    """

    name = "dis_sim_local"
    family = "hubness"
    kinds = ("stateless",)
    takes = Fields(
        query_embeddings=floats("q d", flat="row", help="live queries"),
        gallery_embeddings=floats("g d", help="gallery items"),
    )
    gives = Fields(scores=floats("q g", help="dissimilarities, smaller is nearer"))
    example = Example(
        params={"k": 2},
        input={
            "query_embeddings": [[1.0, 0.2]],
            "gallery_embeddings": [[1.0, 0.0], [0.0, 1.0], [0.5, 0.4]],
        },
    )

    k: int | None = param(
        default=None, default_value=10, ge=1, affects="answer", help="items of a neighbourhood"
    )

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return dissimilarities."""
        queries = np.ascontiguousarray(batch.array("query_embeddings"))
        items = np.ascontiguousarray(batch.array("gallery_embeddings"))
        if not len(items):
            return Answer({"scores": np.zeros((len(queries), 0))})
        with np.errstate(over="ignore", invalid="ignore"):
            of_items = self._apart(items, items)
            of_queries = self._apart(queries, items)
            scores = squared(queries, items) - of_queries[:, None] - of_items[None, :]
        if not np.isfinite(scores).all():
            raise InvalidInput("a squared distance is too large to be represented", path="input")
        explain = {"of_items": of_items.tolist()} if options.explain else None
        return Answer({"scores": scores}, explain=explain)

    def _apart(self, rows: Array, items: Array) -> Array:
        """Return the squared distance of each row to the centre of its nearest items."""
        nearest = np.argsort(squared(rows, items), axis=1, kind="stable")[:, : unwrap(self.k)]
        centres = items[nearest].mean(axis=1)
        return np.asarray(np.sum(np.square(rows - centres), axis=1))


def squared(rows: Array, items: Array) -> Array:
    """Return squared distances, row by row: differences are squared, so that nothing cancels."""
    found = np.empty((len(rows), len(items)))
    for index, row in enumerate(rows):
        found[index] = np.sum(np.square(items - row), axis=1)
    return found
