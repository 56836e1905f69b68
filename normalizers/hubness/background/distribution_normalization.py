"""Distribution normalization: embeddings less a share of the mean of their side."""

from __future__ import annotations

from typing import cast

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
from normalizers.errors import NotEnoughData
from normalizers.normalizer import Normalizer
from normalizers.statistics import Moments

KEPT = {"bank_embeddings": "moments", "gallery_bank_embeddings": "moments_gallery"}
MEANS = {"query_embeddings": "query_mean", "gallery_embeddings": "gallery_mean"}


class DistributionNormalization(Normalizer):
    """Subtract from embeddings a share of the mean of their side: ``y = x - strength mean``.

    Queries lose the mean of a bank of queries, gallery items that of a bank of items. The engine
    multiplies the corrected embeddings as before.

    Notes
    -----
    `strength` is the published lambda, 0.5. The products are those of before with an item bias and
    a constant of each query. Missing values are refused. Both banks are parts of a fit. A column
    that is constant needs no rule. Cost O(n d).

    See Also
    --------
    Centering : One side, all of the mean.

    References
    ----------
    Zhou et al.: Test-time distribution normalization for contrastively learned vision-language
    models, 2023. Code: multimodal-interpretability/nnn (DNRanker).

    Examples
    --------
    >>> from normalizers import DistributionNormalization
    >>> means = {"bank_embeddings": [[1.0, 0.0]], "gallery_bank_embeddings": [[0.0, 1.0]]}
    >>> fitted = DistributionNormalization().fit(**means)
    >>> fitted.transform(query_embeddings=[[1.0, 1.0]]).tolist()
    [[0.5, 1.0]]
    """

    name = "distribution_normalization"
    family = "hubness"
    kinds = ("fitted",)
    aliases = {"dn": {}}
    fits = Fields.in_parts(
        "b m",
        any_of=(("bank_embeddings",), ("gallery_bank_embeddings",)),
        bank_embeddings=optional(floats("b d", flat="row", help="bank queries")),
        gallery_bank_embeddings=optional(floats("m d", flat="row", help="bank items")),
    )
    takes = Fields(
        (("query_embeddings",), ("gallery_embeddings",)),
        query_embeddings=optional(floats("q d", flat="row", help="live queries")),
        gallery_embeddings=optional(floats("q d", flat="row", help="gallery items")),
    )
    gives = Fields(y=floats("q d", flat="row", help="corrected embeddings"))
    keeps = {"moments": Moments(), "moments_gallery": Moments()}
    example = Example(
        fit={"bank_embeddings": [[1.0, 0.0]], "gallery_bank_embeddings": [[0.0, 1.0]]},
        input={"query_embeddings": [[1.0, 1.0]]},
    )

    strength: float | None = param(
        default=None, default_value=0.5, ge=0, affects="answer", help="share of the mean subtracted"
    )

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows of each bank that is there."""
        for field, name in KEPT.items():
            if field in batch:
                kept = cast(Moments, statistics[name]).update(batch.array(field))
                statistics = statistics.replace(**{name: kept})
        return statistics

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the mean of each side."""
        mine, theirs = (cast(Moments, statistics[name]) for name in KEPT.values())
        for field, kept in zip(KEPT, (mine, theirs), strict=True):
            if kept.is_empty:
                raise NotEnoughData(f"there is no row of '{field}'", path="fit")
        arrays = dict(zip(MEANS.values(), (mine.mean, theirs.mean), strict=True))
        return Fitted(arrays, sizes={"d": len(mine.mean)})

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return corrected embeddings."""
        (name,) = (field for field in MEANS if field in batch)
        mean = fitted[MEANS[name]] * unwrap(self.strength)
        explain = {"subtracted": mean.tolist()} if options.explain else None
        return Answer({"y": batch.array(name) - mean}, explain=explain)
