"""The rows of the tables: each a method with its parameters, as scores of a set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias
from unittest.mock import patch

import numpy as np

from benchmarks.hubs.collection import Collection
from normalizers import (
    Csls,
    DistributionNormalization,
    DualBankSinkhorn,
    DualDynamicInvertedSoftmax,
    DualInvertedSoftmax,
    DualSoftmax,
    DynamicInvertedSoftmax,
    GlobalCorrection,
    InvertedSoftmax,
    InvGC,
    LocalScaling,
    MutualProximity,
    Nicdm,
    Nnn,
    Sinkhorn,
)
from normalizers.data.arrays import Array
from normalizers.normalizer import Normalizer
from normalizers.statistics import item_quantiles

Row: TypeAlias = Callable[[Collection], Array]
EVERY_ROW = 2**14  # more values than a bank has: its distributions are exact


def banked(method: Normalizer) -> Row:
    """Return the scores that a method gives after a fit on the bank."""
    return lambda one: np.asarray(method.fit(bank_sims=one.bank_sims).transform(one.sims))


def two_banked(method: Normalizer) -> Row:
    """Return the scores after a fit on both banks."""

    def scores(one: Collection) -> Array:
        method.fit(bank_sims=one.bank_sims, gallery_bank_sims=one.item_sims)
        return np.asarray(method.transform(one.sims))

    return scores


def beside_items(method: Normalizer) -> Row:
    """Return the scores after a fit on the bank with the bank of items beside the gallery."""

    def scores(one: Collection) -> Array:
        beside = one.bank @ one.bank_items.T
        method.fit(bank_sims=one.bank_sims, bank_gallery_bank_sims=beside)
        return np.asarray(method.transform(one.sims))

    return scores


def apart(method: Normalizer) -> Row:
    """Return the negatives of secondary distances, of 1 less the cosines."""
    return lambda one: -np.asarray(method.fit(bank_sims=1 - one.bank_sims).transform(1 - one.sims))


def whole(row: Row) -> Row:
    """Return the scores by whole distributions of the items, not by sketches of them."""

    def scores(one: Collection) -> Array:
        with patch.object(item_quantiles, "LIMIT", EVERY_ROW):
            return row(one)

    return scores


def live(method: Normalizer) -> Row:
    """Return the scores after a fit on the live queries themselves: no result to be had."""
    return lambda one: np.asarray(method.fit(bank_sims=one.sims).transform(one.sims))


def of_centred(row: Row) -> Row:
    """Return the scores of the centred set."""
    return lambda one: row(one.centred)


def less_means(one: Collection) -> Array:
    """Return the products after `distribution_normalization` of 0.75."""
    method = DistributionNormalization(strength=0.75)
    method.fit(bank_embeddings=one.bank, gallery_bank_embeddings=one.bank_items)
    queries = np.asarray(method.transform(query_embeddings=one.queries))
    return np.asarray(queries @ np.asarray(method.transform(gallery_embeddings=one.items)).T)


def less_adjacent(one: Collection) -> Array:
    """Return the products after `invgc` of 10."""
    method = InvGC(r_gallery=10.0, r_query=10.0).fit(
        bank_embeddings=one.bank,
        gallery_bank_embeddings=one.bank_items,
        gallery_embeddings=one.items,
    )
    return np.asarray(one.queries @ np.asarray(method.transform(one.items)).T)


def _common() -> dict[str, Row]:
    return {
        "raw": lambda one: one.sims,
        "centering": lambda one: one.centred.sims,
        "DIS beta 20": banked(DynamicInvertedSoftmax(beta=20.0)),
        "GC": banked(GlobalCorrection()),
        "GC of whole distributions": whole(banked(GlobalCorrection())),
        "NNN k=128 0.75": banked(Nnn(k=128, strength=0.75)),
        "NNN k=16 0.5": banked(Nnn(k=16, strength=0.5)),
        "NNN k=16 0.75": banked(Nnn(k=16, strength=0.75)),
        "IS beta auto": banked(InvertedSoftmax()),
        "IS beta auto, strength 0.5": banked(InvertedSoftmax(strength=0.5)),
        "DIS beta auto": banked(DynamicInvertedSoftmax(beta="auto")),
        "SN beta auto, 1 it, prior 0.1": banked(Sinkhorn()),
        "SN beta auto, 1 it": banked(Sinkhorn(prior=0.0)),
        "SN beta auto, 10 it": banked(Sinkhorn(iterations=10)),
        "SN beta auto, 10 it, strength 0.75": banked(Sinkhorn(iterations=10, strength=0.75)),
        "MP Gauss": apart(MutualProximity(variant="gauss")),
        "MP empirical": apart(MutualProximity(variant="empirical")),
        "MP empirical of whole distributions": whole(apart(MutualProximity(variant="empirical"))),
        "InvGC r=10": less_adjacent,
        "transductive DSL": lambda one: np.asarray(
            DualSoftmax(temperature=0.01).transform(one.sims)
        ),
    }


def _strong() -> dict[str, Row]:
    return {
        "DN lambda 0.75": less_means,
        "IS beta 100": banked(InvertedSoftmax(beta=100.0)),
        "DIS k=1 beta 150": banked(DynamicInvertedSoftmax(beta=150.0)),
        "CSLS k=3": banked(Csls(k=3)),
        "NNN k=4 0.75": banked(Nnn(k=4, strength=0.75)),
        "DualIS 100/1": two_banked(DualInvertedSoftmax(beta_query=100.0, beta_gallery=1.0)),
        "DualDIS": two_banked(
            DualDynamicInvertedSoftmax(beta_query=100.0, beta_gallery=1.0, output="ratio")
        ),
        "SN tau 0.005, 10 it": banked(Sinkhorn(temperature=0.005, iterations=10)),
        "SN tau 0.01, 10 it": banked(Sinkhorn(temperature=0.01, iterations=10)),
        "DBSN tau 0.005, 10 it": beside_items(DualBankSinkhorn(temperature=0.005)),
        "local scaling k=2": apart(LocalScaling(k=2)),
        "NICDM k=2": apart(Nicdm(k=2)),
        "centering + NNN k=4 0.75": of_centred(banked(Nnn(k=4, strength=0.75))),
        "centering + DBSN beta 20": of_centred(beside_items(DualBankSinkhorn(beta=20.0))),
        "transductive IS": live(InvertedSoftmax(beta=100.0)),
        "transductive SN": live(Sinkhorn(temperature=0.005, iterations=10)),
    }


def _mild() -> dict[str, Row]:
    return {
        "IS beta 20": banked(InvertedSoftmax(beta=20.0)),
        "CSLS k=20": banked(Csls(k=20)),
        "DualIS 20/1": two_banked(DualInvertedSoftmax(beta_query=20.0, beta_gallery=1.0)),
        "DualDIS": two_banked(
            DualDynamicInvertedSoftmax(beta_query=20.0, beta_gallery=1.0, output="ratio")
        ),
        "SN tau 0.02, 1 it": banked(Sinkhorn(temperature=0.02, prior=0.0)),
        "DBSN tau 0.02, 1 it": beside_items(DualBankSinkhorn(temperature=0.02, iterations=1)),
        "local scaling k=10": apart(LocalScaling(k=10)),
        "NICDM k=10": apart(Nicdm(k=10)),
        "centering + SN beta 20": of_centred(banked(Sinkhorn(beta=20.0, iterations=10))),
        "transductive IS": live(InvertedSoftmax(beta=20.0)),
        "transductive SN": live(Sinkhorn(temperature=0.02, prior=0.0)),
    }


ROWS: Mapping[str, Mapping[str, Row]] = {
    "ui_en_zh_e5": {**_common(), **_strong()},
    "doc_code_minilm": {**_common(), **_mild()},
}
