"""Sinkhorn normalization over a bank of queries, with the items of a bank beside the gallery."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np

from normalizers.bases.bank_statistics import item_bias_of, transport_bias
from normalizers.bases.banks import Bank, SentBank
from normalizers.bases.direction import as_similarities
from normalizers.bases.embedded_bank import EmbeddedBank
from normalizers.bases.read_bank import distinct_rows
from normalizers.contract import (
    Batch,
    Example,
    Fields,
    Fitted,
    Statistic,
    Statistics,
    floats,
    optional,
    param,
    unwrap,
)
from normalizers.hubness.base.bank_fit import BANK_FIELDS, fitted_bias, item_ids
from normalizers.hubness.base.tempered import TemperedNormalizer
from normalizers.statistics import ItemBias


class DualBankSinkhorn(TemperedNormalizer):
    """Subtract the bias that rounds of Sinkhorn's scaling give an item beside a bank of items.

    As `sinkhorn` of many rounds on the bank's similarities with the columns of the gallery bank
    appended, ``[S, bank against gallery bank]``; ``s - strength h_j`` with the h of the gallery.

    Notes
    -----
    Fitted at once: all rounds need both banks whole. From similarities the gallery bank comes as
    ``bank_gallery_bank_sims``, bank queries against bank items.

    See Also
    --------
    Sinkhorn : Without a gallery bank.

    References
    ----------
    Pan et al.: Dual bank Sinkhorn normalization, 2025. Code: ppanzx/DBSN (Image_Retrieval/dbsn.py).

    Examples
    --------
    >>> from normalizers import DualBankSinkhorn
    >>> bank = {"bank_sims": [[0.9, 0.2], [0.9, 0.4]], "bank_gallery_bank_sims": [[0.5], [0.4]]}
    >>> hub = DualBankSinkhorn(beta=20.0).fit(**bank)
    >>> hub.transform([[0.8, 0.6]]).shape
    (1, 2)
    """

    name = "dual_bank_sinkhorn"
    aliases = {"dbsn": {}}
    fits = Fields(
        (
            ("bank_sims", "bank_gallery_bank_sims"),
            ("bank_embeddings", "gallery_embeddings", "gallery_bank_embeddings"),
        ),
        **{name: field for name, field in BANK_FIELDS.items() if name != "gallery_ids"},
        bank_gallery_bank_sims=optional(
            floats("b m", flat="row", help="bank queries against bank items")
        ),
        gallery_bank_embeddings=optional(floats("m d", flat="row", native=True, help="bank items")),
        gallery_ids=BANK_FIELDS["gallery_ids"],
    )
    example = Example(
        params={"beta": 20.0},
        fit={
            "bank_sims": [[0.9, 0.2, 0.1], [0.8, 0.4, 0.3]],
            "bank_gallery_bank_sims": [[0.5], [0.4]],
            "gallery_ids": ["a", "b", "c"],
        },
        input={"candidate_ids": [["a", "b"], ["c"]], "candidate_scores": [[0.8, 0.7], [0.5]]},
    )

    iterations: int | None = param(
        default=None, default_value=10, ge=1, affects="statistics", help="rounds of the scaling"
    )

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The bias of every item."""
        return {"item_bias": ItemBias(self.similarity is not None)}

    @property
    def streams(self) -> bool:
        """Whether a fit may be added up: it may not."""
        return False

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Find the bias of all rounds."""
        bank, whole = self.bank(batch), self._beside_the_gallery_bank(batch)
        rounds = unwrap(self.iterations)
        bias = transport_bias(whole, self.settled_beta(), rounds, bank.items)
        kept = cast(ItemBias, statistics["item_bias"])
        return statistics.replace(item_bias=kept.merge(item_bias_of(bank, bias, item_ids(batch))))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the bias of every item."""
        kept, beta = cast(ItemBias, statistics["item_bias"]), self.settled_beta()
        return fitted_bias(kept.item_bias, kept, {"beta": np.asarray(beta)}, {"beta": beta})

    def _beside_the_gallery_bank(self, batch: Batch) -> Bank:
        bank = self.bank(batch)
        if isinstance(bank, EmbeddedBank):
            items = batch.array("gallery_bank_embeddings")
            gallery = np.concatenate([bank.gallery, items])
            return EmbeddedBank(bank.queries, gallery, bank.similarity)
        sims = [batch.array(name) for name in ("bank_sims", "bank_gallery_bank_sims")]
        both = as_similarities(
            np.concatenate(sims, axis=1), unwrap(self.score_type), "fit.bank_gallery_bank_sims"
        )
        seen = both[~np.isnan(both).any(axis=1)]
        return SentBank(distinct_rows(seen) if self.deduplicate else seen)
