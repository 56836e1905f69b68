"""InvGC over the nearest of banks that come with the request."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import InvGC
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.hubness.background import invgc

RNG = np.random.default_rng(2)


def unit(*shape: int) -> np.ndarray:
    x = RNG.normal(size=shape)
    return np.asarray(x / np.linalg.norm(x, axis=-1, keepdims=True))


GALLERY, BANK, ITEMS = unit(9, 4), unit(20, 4), unit(30, 4)
SENT = {"gallery_embeddings": GALLERY, "bank_embeddings": BANK, "gallery_bank_embeddings": ITEMS}


def published(rate: float, r_query: float, r_gallery: float) -> np.ndarray:
    total = np.zeros_like(GALLERY)
    for bank, share in ((BANK, r_query), (ITEMS, r_gallery)):
        count = max(1, int(rate * len(bank)))
        for row, x in enumerate(GALLERY):
            products = bank @ x
            nearest = np.argsort(-products, kind="stable")[:count]
            moved = x - share / count * sum(products[i] * bank[i] for i in nearest)
            total[row] += moved / np.linalg.norm(moved)
    return total / np.linalg.norm(total, axis=1, keepdims=True)


@pytest.mark.parametrize("rate", [0.01, 0.1, 0.5, 1.0])
def test_the_local_form_sums_the_nearest_of_each_bank(rate: float) -> None:
    method = InvGC(local_adj=True, pool_rate=rate, r_query=0.4, r_gallery=0.7)
    found = method.transform(**SENT)
    np.testing.assert_allclose(found, published(rate, 0.4, 0.7), rtol=1e-12, atol=1e-14)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = InvGC(local_adj=True, pool_rate=0.2).transform(**SENT)
    monkeypatch.setattr(invgc, "BLOCK_PRODUCTS", 40)
    found = InvGC(local_adj=True, pool_rate=0.2).transform(**SENT)
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_what_the_local_form_cannot_use_is_refused() -> None:
    with pytest.raises(InvalidInput, match="bank is empty"):
        InvGC(local_adj=True).transform(**{**SENT, "bank_embeddings": np.zeros((0, 4))})
    with pytest.raises(InvalidInput):
        InvGC(local_adj=True).transform(gallery_embeddings=GALLERY)
    with pytest.raises(InvalidInput, match="too large"):
        InvGC(local_adj=True).transform(**{**SENT, "bank_embeddings": 1e200 * BANK})
    with pytest.raises(InvalidParams):
        InvGC(local_adj=True, pool_rate=0.0).transform(**SENT)
