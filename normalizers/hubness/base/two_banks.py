"""Fits on two banks: queries against the gallery, and a bank of items against it."""

from __future__ import annotations

from normalizers.bases.banks import Bank
from normalizers.bases.read_bank import read_bank
from normalizers.contract import Batch, Fields, Fitted, floats, ids, optional
from normalizers.data.arrays import Array
from normalizers.hubness.base.bank_fit import BankNormalizer

TWO_BANKS = Fields.in_parts(
    "b m",
    any_of=(
        ("bank_sims",),
        ("gallery_bank_sims",),
        ("bank_embeddings", "gallery_embeddings"),
        ("gallery_bank_embeddings", "gallery_embeddings"),
    ),
    one_of=(
        ("bank_sims", "gallery_bank_sims"),
        ("bank_embeddings", "gallery_bank_embeddings", "gallery_embeddings"),
    ),
    bank_sims=optional(floats("b g", flat="row", help="bank queries against the gallery")),
    gallery_bank_sims=optional(floats("m g", flat="row", help="bank items against the gallery")),
    bank_embeddings=optional(floats("b d", flat="row", native=True, help="bank queries")),
    gallery_bank_embeddings=optional(floats("m d", flat="row", native=True, help="bank items")),
    gallery_embeddings=optional(floats("g d", flat="row", native=True, help="gallery items")),
    gallery_ids=optional(ids("g", help="names of the items")),
)


class TwoBankNormalizer(BankNormalizer):
    """Base of the methods whose item bias comes from a bank of queries and a bank of items.

    Notes
    -----
    The banks are parts of a fit: each may come alone, in as many pieces as it likes.
    """

    fits = TWO_BANKS

    def decide(self, source):  # type: ignore[no-untyped-def]
        """Compare embeddings as the kind of scores asks."""
        if "gallery_embeddings" not in source:
            return {}
        return {"similarity": self.similarity or self.compared_by}

    def banks(self, batch: Batch) -> dict[str, Bank]:
        """Return the banks that a part of a fit has, by the word before their fields."""
        present = [
            name for name in ("bank", "gallery_bank")
            if f"{name}_sims" in batch or f"{name}_embeddings" in batch
        ]  # fmt: skip
        return {
            name: read_bank(
                batch,
                score_type=self.score_type or "similarity",
                similarity=self.similarity or self.compared_by,
                omit=self.nan_policy == "omit",
                bank=name,
                deduplicate=bool(self.deduplicate),
            )
            for name in present
        }

    def live_biases(self, fitted: Fitted, batch: Batch) -> tuple[Array, ...]:
        """Return none: live queries are one bank, and the bias comes from two."""
        return ()

    def report(self, batch, fitted):  # type: ignore[no-untyped-def]
        """Return the sizes of the banks."""
        return {f"{name}_rows": bank.n for name, bank in self.banks(batch).items()}
