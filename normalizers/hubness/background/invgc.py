"""InvGC: gallery embeddings moved away from what the banks have in common with them."""

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
    optional,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.errors import NotEnoughData
from normalizers.kernels.row_norms import unit_rows
from normalizers.normalizer import Normalizer
from normalizers.statistics import Moments, Scatter

KEPT = {"bank_embeddings": "scatter", "gallery_bank_embeddings": "scatter_gallery"}


class InvGC(Normalizer):
    """Subtract from each gallery item what banks of queries and of items add up to beside it.

    For each bank ``x' = unit(x - (r / b) sum_i (x.b_i - mean) b_i)``, the mean over all products of
    the gallery with the bank; ``y`` is the unit vector of the average of both.

    Notes
    -----
    The sums are those of a d x d matrix, ``sum_i (x.b_i) b_i = M x`` with M the second moments of
    the bank, so that no matrix of all products is made: O(g d^2). The mean depends on the gallery
    of the fit; every row is then mapped by itself. Of the published forms the full adjacency is
    offered, not the local one. Vectors are taken as they are; peers send unit vectors. Missing
    values are refused. A row that becomes zero stays zero.

    References
    ----------
    Jian and Wang: InvGC: robust cross-modal retrieval by inverse graph convolution, 2023. Code:
    yimuwangcs/Better_Cross_Modal_Retrieval (InvGC).

    Examples
    --------
    >>> from normalizers import InvGC
    >>> fit = {name: [[1.0, 0.0], [0.6, 0.8]] for name in InvGC().fits}
    >>> InvGC(r_gallery=0.3, r_query=0.3).fit(**fit).transform([[1.0, 0.0]]).round(4).tolist()
    [[0.9997, 0.0243]]
    """

    name = "invgc"
    family = "hubness"
    kinds = ("fitted",)
    fits = Fields.in_parts(
        "b m g",
        any_of=(("gallery_embeddings",), ("bank_embeddings",), ("gallery_bank_embeddings",)),
        gallery_embeddings=optional(floats("g d", flat="row", help="gallery items")),
        bank_embeddings=optional(floats("b d", flat="row", help="bank queries")),
        gallery_bank_embeddings=optional(floats("m d", flat="row", help="bank items")),
    )
    takes = Fields(gallery_embeddings=floats("g d", flat="row", help="gallery items"))
    gives = Fields(y=floats("g d", flat="row", help="gallery items to search among"))
    keeps = {"moments": Moments(), "scatter": Scatter(), "scatter_gallery": Scatter()}
    example = Example(
        fit={
            "gallery_embeddings": [[1.0, 0.0], [0.6, 0.8]],
            "bank_embeddings": [[0.8, 0.6], [0.0, 1.0]],
            "gallery_bank_embeddings": [[0.0, 1.0], [0.6, 0.8]],
        },
        input={"gallery_embeddings": [[1.0, 0.0]]},
    )

    r_gallery: float | None = param(
        default=None, default_value=0.1, ge=0, affects="answer", help="share of the bank of items"
    )
    r_query: float | None = param(
        default=None, default_value=0.1, ge=0, affects="answer", help="share of the bank of queries"
    )

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows of each part that is there."""
        if "gallery_embeddings" in batch:
            moments = cast(Moments, statistics["moments"])
            added = moments.update(np.ascontiguousarray(batch.array("gallery_embeddings")))
            statistics = statistics.replace(moments=added)
        for field, name in KEPT.items():
            if field in batch:
                kept = cast(Scatter, statistics[name]).update(
                    np.ascontiguousarray(batch.array(field))
                )
                statistics = statistics.replace(**{name: kept})
        return statistics

    def solve(self, statistics: Statistics) -> Fitted:
        """Return second moments and mean of each bank, and what all products have in common."""
        gallery = cast(Moments, statistics["moments"])
        if gallery.is_empty:
            raise NotEnoughData("there is no row of 'gallery_embeddings'", path="fit")
        arrays: dict[str, Array] = {}
        for field, name in KEPT.items():
            bank = cast(Scatter, statistics[name])
            if bank.is_empty:
                raise NotEnoughData(f"there is no row of '{field}'", path="fit")
            arrays[f"{name}_moments"] = bank.covariance(0) + np.outer(bank.mean, bank.mean)
            # sum_i (x.b_i - mean) b_i / b = M x - mean m, of which the second term is no row's.
            arrays[f"{name}_shift"] = bank.mean * float(gallery.mean @ bank.mean)
        return Fitted(arrays, sizes={"d": len(gallery.mean)})

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return gallery items to search among."""
        rows = np.ascontiguousarray(batch.array("gallery_embeddings"))
        total = np.zeros_like(rows)
        for name, share in (("scatter", self.r_query), ("scatter_gallery", self.r_gallery)):
            common = rows @ fitted[f"{name}_moments"] - fitted[f"{name}_shift"]
            total = total + unit_rows(rows - unwrap(share) * common)
        explain = {"r_query": self.r_query, "r_gallery": self.r_gallery}
        return Answer({"y": unit_rows(total / 2)}, explain=explain if options.explain else None)
