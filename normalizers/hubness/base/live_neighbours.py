"""The nearest items of live queries, by the scores sent and by corrected ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from normalizers.bases.embedded_bank import EmbeddedBank, Similarity
from normalizers.contract import Batch, Fields, floats, optional
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput
from normalizers.hubness.base.hub_report import best, row_blocks
from normalizers.hubness.base.live import Live
from normalizers.kernels.digests import digest_of_rows
from normalizers.statistics.base.items import ItemStatistic

EMBEDDED = ("query_embeddings", "gallery_embeddings")


def live_fields(takes: Fields) -> Fields:
    """Return what a transform takes, or embeddings of live queries and of the gallery."""
    return Fields(
        (*takes.one_of, EMBEDDED),
        **takes,
        query_embeddings=optional(floats("q d", flat="row", native=True, help="live queries")),
        gallery_embeddings=optional(
            floats("g d", flat="row", native=True, help="the gallery of the fit, in its order")
        ),
    )


def require_gallery(kept: ItemStatistic, gallery: Array) -> None:
    """Refuse a gallery with other vectors than those of the fit, where the fit knows them."""
    if kept.gallery_digest is None:
        return
    found = digest_of_rows(gallery, kept.item_ids, in_order=kept.item_ids is None)
    if found != kept.gallery_digest:
        raise InvalidInput(
            "these are not the vectors of the gallery of the fit, or they stand in another order",
            path="input.gallery_embeddings",
        )


def embedded_lives(batch: Batch, similarity: Similarity) -> Iterable[Live]:
    """Yield the similarities of live queries to the whole gallery, some queries at a time."""
    queries, gallery = (batch.array(name) for name in EMBEDDED)
    bank = EmbeddedBank(queries, gallery, similarity, device=batch.device)
    return (Live.whole_gallery(sims) for sims in row_blocks(bank))


class Nearest:
    """The `k` nearest items of queries, before and after a correction, the nearest first.

    Ties go to the item that stands first. A missing score is near to nothing.

    Parameters
    ----------
    k : int
        How many of each query.
    corrected : callable
        From live scores to corrected ones, flat, higher is better.
    """

    def __init__(self, k: int, corrected: Callable[[Live], Array]) -> None:
        self.k, self._corrected = k, corrected
        self._before: list[Array] = []
        self._after: list[Array] = []
        self.ties = 0

    def add(self, live: Live) -> None:
        """Add queries."""
        after = live.scores.with_values(self._corrected(live))
        for query, (raw, adjusted) in enumerate(zip(live.scores, after, strict=True)):
            start = int(live.scores.offsets[query])
            found = best(raw, self.k)
            self.ties += _tied(raw, found, self.k)
            for kept, places in ((self._before, found), (self._after, best(adjusted, self.k))):
                items = places if live.items is None else live.items[start + places]
                kept.append(np.asarray(items, dtype=np.int64))

    def lists(self) -> tuple[Ragged, Ragged]:
        """Return the items before and after."""
        return Ragged.of(self._before, np.int64), Ragged.of(self._after, np.int64)


def _tied(scores: Array, found: Array, k: int) -> bool:
    """Return whether an item that is left out has the score of the last that is in."""
    return len(found) == k and int(np.count_nonzero(scores >= scores[found[-1]])) > k
