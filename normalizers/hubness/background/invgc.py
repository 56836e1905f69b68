"""InvGC: gallery embeddings moved away from what the banks have in common with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np

from normalizers.bases.banks import ranges
from normalizers.contract import (
    NO_FIELDS,
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistic,
    Statistics,
    Traits,
    floats,
    optional,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput, NotEnoughData
from normalizers.kernels.row_norms import unit_rows
from normalizers.normalizer import Normalizer
from normalizers.statistics import Moments, Scatter

ROUNDING = 1e-12
BLOCK_PRODUCTS = 2**18  # that are ordered at once
BANKS: Mapping[str, object] = {
    "bank_embeddings": [[0.8, 0.6], [0.0, 1.0]],
    "gallery_bank_embeddings": [[0.0, 1.0], [0.6, 0.8]],
}
GALLERY = Fields(gallery_embeddings=floats("g d", flat="row", help="gallery items"))
LOCAL = GALLERY.with_fields(
    bank_embeddings=floats("b d", help="bank queries"),
    gallery_bank_embeddings=floats("m d", help="bank items"),
)
PARTS = Fields.in_parts(
    "b m g",
    any_of=(("gallery_embeddings",), ("bank_embeddings",), ("gallery_bank_embeddings",)),
    gallery_embeddings=optional(floats("g d", flat="row", help="gallery items")),
    bank_embeddings=optional(floats("b d", flat="row", help="bank queries")),
    gallery_bank_embeddings=optional(floats("m d", flat="row", help="bank items")),
)
KEPT = {"bank_embeddings": "scatter", "gallery_bank_embeddings": "scatter_gallery"}


class InvGC(Normalizer):
    """Subtract from each gallery item what banks of queries and of items add up to beside it.

    For each bank ``x' = unit(x - (r / b) sum_i (x.b_i - mean) b_i)``, the mean over all products of
    the gallery with the bank; ``y`` is the unit vector of the average of both. With `local_adj` the
    sum is over the share `pool_rate` of the bank with the largest products, divided by their
    number, without the mean.

    Notes
    -----
    The sums are those of a d x d matrix, ``sum_i (x.b_i) b_i = M x`` with M the second moments of
    the bank, so that no matrix of all products is made: O(g d^2). The mean depends on the gallery
    of the fit; every row is then mapped by itself. `local_adj` needs no fit: its banks come with
    the request, O(g b d), block by block; at least one vector of a bank counts, and of equal
    products the first. Vectors are taken as they are; peers send unit vectors. Missing values are
    refused. A row that becomes zero stays zero.

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
    kinds = ("fitted", "stateless")
    traits = Traits(same_bits=False)  # products of several rows may be summed in another order
    gives = Fields(y=floats("g d", flat="row", help="gallery items to search among"))
    examples = (
        Example(
            fit={"gallery_embeddings": [[1.0, 0.0], [0.6, 0.8]], **BANKS},
            input={"gallery_embeddings": [[1.0, 0.0]]},
        ),
        Example(
            {"local_adj": True, "pool_rate": 0.5},
            input={"gallery_embeddings": [[1.0, 0.0]], **BANKS},
            name="local",
        ),
    )

    local_adj: bool | None = param(
        default=None,
        default_value=False,
        affects="statistics",
        fits_when=lambda local_adj: not local_adj,
        help="sum over the nearest of the banks alone, which come with the request",
    )
    pool_rate: float | None = param(
        default=None,
        default_value=0.01,
        gt=0,
        le=1,
        affects="answer",
        help="share of each bank that counts with local_adj",
    )

    r_gallery: float | None = param(
        default=None, default_value=0.1, ge=0, affects="answer", help="share of the bank of items"
    )
    r_query: float | None = param(
        default=None, default_value=0.1, ge=0, affects="answer", help="share of the bank of queries"
    )

    @property
    def fits(self) -> Fields:
        """The gallery and both banks, unless they come with the request."""
        return NO_FIELDS if self.local_adj else PARTS

    @property
    def takes(self) -> Fields:
        """Gallery items; both banks too where they come with the request."""
        return LOCAL if self.local_adj else GALLERY

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The moments of the gallery and second moments of the banks."""
        if self.local_adj:
            return {}
        return {"moments": Moments(), "scatter": Scatter(), "scatter_gallery": Scatter()}

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
        for field, share in zip(KEPT, (self.r_query, self.r_gallery), strict=True):
            if self.local_adj:
                common = self._nearest_sums(rows, batch.array(field), f"input.{field}")
            else:
                name = KEPT[field]
                common = rows @ fitted[f"{name}_moments"] - fitted[f"{name}_shift"]
            moved = rows - unwrap(share) * common
            if not np.isfinite(moved).all():
                raise InvalidInput(
                    "products of the vectors are too large; rescale them", path="input"
                )
            total = total + unit_rows(moved)
        explain = {"r_query": self.r_query, "r_gallery": self.r_gallery}
        return Answer({"y": unit_rows(total / 2)}, explain=explain if options.explain else None)

    def _nearest_sums(self, rows: Array, bank: Array, path: str) -> Array:
        """Return the mean of the nearest bank vectors of each row times their products with it."""
        if not len(bank):
            raise InvalidInput("the bank is empty: there is nothing to subtract", path=path)
        # Of 100 vectors a rate of 0.29 is 29, though 0.29 * 100 is a little less.
        count = max(1, int(unwrap(self.pool_rate) * len(bank) * (1 + ROUNDING)))
        found = np.empty_like(rows)
        size = max(1, BLOCK_PRODUCTS // len(bank))
        for block in ranges(len(rows), size):
            products = rows[block] @ bank.T
            nearest = np.argsort(-products, axis=1, kind="stable")[:, :count]
            kept = np.take_along_axis(products, nearest, axis=1)
            found[block] = np.einsum("rk,rkd->rd", kept, bank[nearest]) / count
        return found
