"""Equal rows of a bank count once where that is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Csls, DualBankSinkhorn, InvertedSoftmax
from normalizers.bases.read_bank import distinct_rows

RANDOM = np.random.default_rng(8)
BANK, GALLERY = RANDOM.normal(size=(12, 4)), RANDOM.normal(size=(9, 4))
TWICE = np.vstack([BANK, BANK[[3, 3, 7]]])


@pytest.mark.parametrize("cls", [Csls, InvertedSoftmax])
def test_equal_rows_of_a_bank_count_once(cls) -> None:  # type: ignore[no-untyped-def]
    once = cls().fit(bank_embeddings=BANK, gallery_embeddings=GALLERY)
    fitted = cls(deduplicate=True).fit(bank_embeddings=TWICE, gallery_embeddings=GALLERY)
    sims = BANK[:2] @ GALLERY.T
    assert np.array_equal(fitted.transform(sims), once.transform(sims))
    assert fitted.report_["dropped_rows"] == 3
    assert fitted.report_["bank_rows"] == 12
    all_of_them = cls().fit(bank_embeddings=TWICE, gallery_embeddings=GALLERY)
    assert not np.array_equal(all_of_them.transform(sims), once.transform(sims))


def test_similarities_and_second_banks_too() -> None:
    sims = TWICE @ GALLERY.T
    fitted = InvertedSoftmax(deduplicate=True).fit(bank_sims=sims)
    assert fitted.report_["dropped_rows"] == 3
    both = DualBankSinkhorn(deduplicate=True).fit(
        bank_embeddings=TWICE, gallery_embeddings=GALLERY, gallery_bank_embeddings=TWICE
    )
    assert both.report_["bank_rows"] == 12


def test_rows_of_two_galleries_are_equal_where_both_are() -> None:
    sims, beside = TWICE @ GALLERY.T, TWICE @ BANK.T
    found = DualBankSinkhorn(deduplicate=True).fit(bank_sims=sims, bank_gallery_bank_sims=beside)
    once = DualBankSinkhorn().fit(bank_sims=sims[:12], bank_gallery_bank_sims=beside[:12])
    beta = {"beta": once.version_.resolved["beta"]}
    again = DualBankSinkhorn(deduplicate=True, **beta).fit(
        bank_sims=sims, bank_gallery_bank_sims=beside
    )
    np.testing.assert_allclose(again.fitted_["item_bias"], once.fitted_["item_bias"], rtol=1e-12)
    assert found.report_["bank_rows"] == 12


def test_both_zeros_are_equal_and_the_first_stays() -> None:
    rows = np.array([[0.0, 1.0], [-0.0, 1.0], [2.0, 1.0], [2.0, 1.0]], dtype=np.float32)
    assert distinct_rows(rows).tolist() == [[0.0, 1.0], [2.0, 1.0]]
