"""Fits on a bank of queries: its similarities to the gallery, or the embeddings of both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from normalizers.bases.banks import Bank
from normalizers.bases.embedded_bank import EmbeddedBank, Similarity
from normalizers.bases.read_bank import read_bank
from normalizers.contract import (
    NO_FIELDS,
    Batch,
    Fields,
    Fitted,
    LiveNeighbours,
    Notice,
    Statistics,
    floats,
    ids,
    notice,
    optional,
    param,
    unwrap,
)
from normalizers.contract.resolution import empty_statistics
from normalizers.data.arrays import Array
from normalizers.errors import FitError, InvalidInput
from normalizers.hubness.base.hub_report import (
    K,
    bias_report,
    gate_report,
    nearest_counts,
    occurrence_report,
)
from normalizers.hubness.base.item_bias import ItemBiasNormalizer
from normalizers.hubness.base.live import Live
from normalizers.hubness.base.live_neighbours import (
    Nearest,
    embedded_lives,
    live_fields,
    require_gallery,
)
from normalizers.statistics.base.items import ItemStatistic

FEWEST_HALVED = 4  # live queries of which each half is a bank
OCCURRENCES = "k_occurrence"
PICTURES = (
    {
        "title": "how often items are near",
        "x": "k_occurrence.p",
        "y": ["k_occurrence.count", "k_occurrence.random"],
    },
    {"title": "bias of items", "y": "fitted.item_bias"},
)
NO_SPREAD = 1e-14  # of the largest bias: what rounding leaves of equal ones

BANK_FIELDS = Fields(
    (("bank_sims",), ("bank_embeddings", "gallery_embeddings")),
    bank_sims=optional(floats("b g", flat="row", help="bank queries against the gallery")),
    bank_embeddings=optional(floats("b d", flat="row", native=True, help="bank queries")),
    gallery_embeddings=optional(floats("g d", flat="row", native=True, help="gallery items")),
    gallery_ids=optional(ids("g", help="names of the items")),
)


WEIGHTED_BANK = BANK_FIELDS.with_fields(
    sample_weights=optional(floats("b", help="weight of each bank query; 2 is the query twice"))
)


class BankNormalizer(ItemBiasNormalizer):
    """Base of the methods whose item bias comes from one bank of queries.

    Notes
    -----
    Fits from embeddings go block by block, in the type of the embeddings with sums in float64;
    no matrix of all similarities is made, so that memory-mapped files may be larger than memory.
    Zero vectors have cosine 0. With ``score_type: distance`` the bank holds distances, or
    embeddings compared by ``similarity: euclidean`` (in float64, since squared distances cancel);
    they are negated, and so are the answers. Missing values: refused; with ``omit`` bank rows are
    left out and scores stay missing. Without gallery ids an item is named by its position, ``"0"``
    and so on. New items: fit the same bank on them, and join both fits. Every score depends on its
    own query, its item and the fit alone; ties stay ties. A bank of queries unlike the live ones
    makes retrieval worse. Cost O(b g d) for a fit, O(1) a score.
    """

    kinds = ("fitted",)
    fits = BANK_FIELDS

    similarity: Similarity | None = param(
        default=None,
        resolves="when a fit takes embeddings: cosine, euclidean of distances",
        affects="statistics",
        help="how embeddings are compared",
    )

    deduplicate: bool | None = param(
        default=None,
        default_value=False,
        affects="statistics",
        help="of equal bank rows of a fit, or of a part of one, count the first only",
    )

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Take what the statistics show of how they were kept."""
        if not statistics:
            return {}
        kept = item_statistic(statistics)
        return {"similarity": self.compared_by if kept.from_embeddings else None}

    def decide(self, source: Batch | Statistics) -> dict[str, object]:
        """Compare embeddings as the kind of scores asks."""
        if isinstance(source, Statistics) or "bank_embeddings" not in source:
            return {}
        return {"similarity": self.similarity or self.compared_by}

    @property
    def compared_by(self) -> Similarity:
        """How embeddings are compared unless a similarity is named."""
        scores = self.score_type or self.parameters["score_type"].standard
        return "euclidean" if scores == "distance" else "cosine"

    def bank(self, batch: Batch) -> Bank:
        """Return the bank of a fit."""
        return batch.once(
            ("bank", self.nan_policy, self.similarity, self.deduplicate),
            lambda: read_bank(
                batch,
                score_type=str(self.score_type or self.parameters["score_type"].standard),
                similarity=self.similarity or self.compared_by,
                omit=self.nan_policy == "omit",
                deduplicate=bool(self.deduplicate),
            ),
        )

    @property
    def diagnoses(self) -> Fields:
        """Live queries, as scores or as embeddings."""
        return live_fields(self.takes) if self.fittable else NO_FIELDS

    def neighbours(
        self, fitted: Fitted, statistics: Statistics, batch: Batch, k: int
    ) -> LiveNeighbours:
        """Return the nearest items of live queries before and after the correction."""
        nearest = Nearest(k, lambda live: self.ranked(fitted, live))
        for live in self._lives(fitted, statistics, batch):
            if not live.whole and int(np.max(live.scores.lengths, initial=0)) <= k:
                raise InvalidInput(
                    f"the lists have at most {k} candidates: which of them are the {k} nearest no "
                    "correction changes; send longer lists, or diagnose by a smaller k",
                    path="input.candidate_scores",
                )
            nearest.add(live)
        before, after = nearest.lists()
        bias = fitted["item_bias"]
        return LiveNeighbours(
            len(bias), before, after, nearest.ties, bias, self.live_biases(fitted, batch)
        )

    def ranked(self, fitted: Fitted, live: Live) -> Array:
        """Return corrected scores that rank items, higher is better, flat."""
        return self.corrected(fitted, live)

    def live_biases(self, fitted: Fitted, batch: Batch) -> tuple[Array, ...]:
        """Return the biases of fits on all live queries and on two halves; none of candidates."""
        sent = "sims" if "sims" in batch else "query_embeddings"
        if sent not in batch or len(batch.array(sent)) < FEWEST_HALVED:
            return ()
        rows = batch.array(sent)
        return tuple(self._bias_of(part, batch) for part in (rows, rows[::2], rows[1::2]))

    def _bias_of(self, rows: Array, batch: Batch) -> Array:
        """Return the bias of a fit on some of the live queries of a batch."""
        if "sims" in batch:
            method, values = self.with_values({"similarity": None}), {"bank_sims": rows}
        else:
            method = self.with_values({"similarity": self.similarity or self.compared_by})
            gallery = batch.array("gallery_embeddings")
            values = {"bank_embeddings": rows, "gallery_embeddings": gallery}
        kept = method.accumulate(empty_statistics(method), Batch(values, device=batch.device))
        return method.solve(kept)["item_bias"]

    def newcomers(self, known: Fitted, new: Fitted) -> Mapping[str, object]:
        """Return how far the biases of new items are from those of the gallery.

        An item that is near to unusually many queries of the bank is a hub before it is served.
        """
        if "hubs" not in known.report and "hubs" not in new.report:
            return {}
        gate = gate_report(new["item_bias"], known["item_bias"], new.get("item_ids"))
        # Potentials of all rounds belong together: those of new items were found without the rest.
        return gate if self.streams else {**gate, "stale": len(new["item_bias"])}

    def _lives(self, fitted: Fitted, statistics: Statistics, batch: Batch) -> Iterable[Live]:
        if "query_embeddings" not in batch:
            return (self.live(fitted, batch),)
        require_gallery(item_statistic(statistics), batch.array("gallery_embeddings"))
        return embedded_lives(batch, self.similarity or self.compared_by)

    def report(self, batch: Batch, fitted: Fitted) -> dict[str, object]:
        """Return the size of the bank, and zero vectors."""
        bank = self.bank(batch)
        told: dict[str, object] = {"bank_rows": bank.n}
        if self.deduplicate:
            told["dropped_rows"] = _sent_rows(batch) - bank.n
        if bank.log_weights is not None:
            told["bank_weight"] = float(np.exp(bank.log_weights).sum())
        if isinstance(bank, EmbeddedBank):
            told["zero_vectors"] = bank.zero_vectors()
        return {**told, **occurrences_of(bank, fitted)}


def occurrences_of(bank: Bank, fitted: Fitted) -> dict[str, object]:
    """Return the k-occurrences of a bank, where the fit does not count them itself."""
    if OCCURRENCES in fitted.report:
        return {}
    found = nearest_counts(bank)
    if found is None:
        return {}
    told = occurrence_report(*found, K, fitted.get("item_ids"))
    return {OCCURRENCES: told, "pictures": list(PICTURES)}


def _sent_rows(batch: Batch) -> int:
    """Return how many bank rows a fit sent."""
    sent = "bank_sims" if "bank_sims" in batch else "bank_embeddings"
    return len(batch.array(sent))


def item_statistic(statistics: Statistics) -> ItemStatistic:
    """Return the first statistic of items."""
    return next(kept for kept in statistics.values() if isinstance(kept, ItemStatistic))


def item_ids(batch: Batch) -> Array | None:
    """Return the names of the items of a fit, None where it has none."""
    return batch.array("gallery_ids") if "gallery_ids" in batch else None


def fitted_bias(
    bias: Array,
    kept: ItemStatistic,
    arrays: Mapping[str, Array] | None = None,
    report: Mapping[str, object] | None = None,
    *,
    largest_is_hub: bool = True,
) -> Fitted:
    """Return what is fitted of the bias of every item: it, its mean, its range, the items."""
    if not np.isfinite(bias).all():
        raise FitError("the biases are not finite; rescale the similarities", path="fit")
    held = {
        "item_bias": np.asarray(bias, dtype=np.float64),
        "mean_bias": np.asarray(np.mean(bias) if len(bias) else 0.0),
        **(arrays or {}),
    }
    if kept.item_ids is not None:
        held["item_ids"] = kept.item_ids
    told = {**(report or {}), **bias_range(bias)}
    if largest_is_hub:
        told |= {**bias_report(bias, kept.item_ids), "pictures": [PICTURES[1]]}
    return Fitted(held, {"g": kept.items}, told, without_spread(bias))


def bias_range(bias: Array) -> dict[str, object]:
    """Return what a report says about the biases."""
    return {
        "items": len(bias),
        "bias_min": float(np.min(bias)) if len(bias) else None,
        "bias_max": float(np.max(bias)) if len(bias) else None,
        "bias_mean": float(np.mean(bias)) if len(bias) else None,
    }


def without_spread(bias: Array) -> tuple[Notice, ...]:
    """Return the warning that biases which are all equal change no ranking."""
    # Relative to the biases: they carry an offset, whose rounding is theirs.
    if len(bias) < 2 or np.ptp(bias) > NO_SPREAD * np.max(np.abs(bias)):
        return ()
    message = "the bank says nothing: every item has the same bias, and no ranking changes"
    return (notice("constant_bank", message),)


def clamped(k: int | None, k_effective: int) -> tuple[Notice, ...]:
    """Return the warning that a bank is smaller than k."""
    if not k_effective or k_effective >= unwrap(k):
        return ()
    message = f"k is {k}, but the bank has {k_effective} rows: all of them count"
    return (notice("k_clamped", message, k_effective=k_effective),)
