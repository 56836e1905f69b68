"""Fits against hubs, beside the product of their embeddings and beside what is published."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.figure import Effort, Measured
from benchmarks.pairs import alternate, busy
from benchmarks.references.query_bank import corrections
from benchmarks.rows import SEED
from benchmarks.server import ROOT
from normalizers import Csls, DynamicInvertedSoftmax, InvertedSoftmax, Nnn, Sinkhorn
from normalizers.data.arrays import Array
from normalizers.normalizer import Normalizer

BANK, ITEMS, DIMS = 4_000, 10_000, 384
LARGE_BANK, LARGE_ITEMS = 20_000, 200_000
ONE_ITEM_BANK = 60_000
MEBIBYTE = 1024 * 1024
ALLOWANCE = 100 * MEBIBYTE
FIT_PAIRS, ITEM_PAIRS = 9, 15
BETA = 20.0


def csls_fit(effort: Effort) -> Measured:
    """Fit `csls` from embeddings, on one thread, against their float32 product."""
    return _beside_product(Csls(), effort)


def nnn_fit(effort: Effort) -> Measured:
    """Fit `nnn` from embeddings, against the same product."""
    return _beside_product(Nnn(), effort)


def inverted_softmax_fit(effort: Effort) -> Measured:
    """Fit `inverted_softmax` of a stated beta, against the same product."""
    return _beside_product(InvertedSoftmax(beta=BETA), effort)


def dynamic_fit(effort: Effort) -> Measured:
    """Fit `dynamic_inverted_softmax`, two statistics, against the same product."""
    return _beside_product(DynamicInvertedSoftmax(), effort)


def sinkhorn_fit(effort: Effort) -> Measured:
    """Fit `sinkhorn` as it is by default, two passes, against one product."""
    return _beside_product(Sinkhorn(), effort)


def official(effort: Effort) -> Measured:
    """Fit `dynamic_inverted_softmax` from embeddings, against the dense published arithmetic."""
    bank, gallery = _vectors(BANK), _vectors(ITEMS)
    method = DynamicInvertedSoftmax(beta=BETA)
    with threadpool_limits(1):
        return alternate(
            lambda: busy(lambda: method.fit(bank_embeddings=bank, gallery_embeddings=gallery)),
            lambda: busy(lambda: corrections(bank @ gallery.T, BETA)),
            effort.of(FIT_PAIRS),
        )


def one_item(effort: Effort) -> Measured:
    """Fit one new item on a large bank and join it, against one pass over the bank."""
    bank, gallery = _vectors(ONE_ITEM_BANK), _vectors(ONE_ITEM_BANK // 60)
    method = InvertedSoftmax(beta=BETA)
    names = [f"item-{place}" for place in range(len(gallery))]
    stored = InvertedSoftmax(beta=BETA).fit(
        bank_embeddings=bank, gallery_embeddings=gallery, gallery_ids=names
    )
    item = _vectors(1)

    def add() -> object:
        new = method.fit(bank_embeddings=bank, gallery_embeddings=item, gallery_ids=["new"])
        return stored.join(new)

    with threadpool_limits(1):
        return alternate(
            lambda: busy(add), lambda: busy(lambda: bank @ item[0]), effort.of(ITEM_PAIRS)
        )


def memory(effort: Effort) -> Measured:
    """Fit the default on a large bank and gallery; all but the embeddings has an allowance."""
    items = LARGE_ITEMS // 10 if effort.quick else LARGE_ITEMS
    command = [sys.executable, "-m", "benchmarks.large_gallery", str(LARGE_BANK), str(items)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    embeddings = (LARGE_BANK + items) * DIMS * np.dtype(np.float32).itemsize
    ours, allowed = int(done.stdout), embeddings + ALLOWANCE
    return Measured(ours / MEBIBYTE, allowed / MEBIBYTE, ours / allowed, "MB")


def _beside_product(method: Normalizer, effort: Effort) -> Measured:
    bank, gallery = _vectors(BANK), _vectors(ITEMS)
    with threadpool_limits(1):
        return alternate(
            lambda: busy(lambda: method.fit(bank_embeddings=bank, gallery_embeddings=gallery)),
            lambda: busy(lambda: bank @ gallery.T),
            effort.of(FIT_PAIRS),
        )


def _vectors(count: int) -> Array:
    rows = np.random.default_rng([SEED, count]).standard_normal((count, DIMS), dtype=np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))
