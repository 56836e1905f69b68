"""What no fit and no answer comes from, and where it is."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import InvertedSoftmax, Nnn, Sinkhorn
from normalizers.errors import (
    IncompatibleStatistics,
    InvalidInput,
    InvalidParams,
    NonFiniteError,
    NormalizerError,
    NotEnoughData,
    ShapeError,
)
from tests.unit.hubness.test_public_reports import BANK, IDS, LIVE, WITH_BETA, bank_methods, fresh

RNG = np.random.default_rng(3)
QUERIES, ITEMS = RNG.normal(size=(12, 4)), RNG.normal(size=(9, 4))


@pytest.mark.parametrize("name", WITH_BETA)
def test_a_beta_that_overflows_is_refused_where_it_does(name: str) -> None:
    with pytest.raises((InvalidParams, NonFiniteError, NormalizerError), match="beta"):
        fresh(name, beta=1e308).fit(10 * BANK)


@bank_methods
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_number_that_is_none_is_refused_with_its_place(name: str, value: float) -> None:
    place = np.arange(30 * 9).reshape(30, 9) == 22  # row 2, column 4
    with pytest.raises(InvalidInput, match=r"bank_sims\[2\]\[4\]"):
        fresh(name).fit(np.where(place, value, BANK))
    with pytest.raises(InvalidInput, match=r"sims\[2\]\[4\]"):
        fresh(name).fit(BANK).transform(np.where(place[:6], value, LIVE))


@bank_methods
def test_bank_rows_without_a_number_are_left_out_where_that_is_asked_for(name: str) -> None:
    place = np.arange(30 * 9).reshape(30, 9) == 22
    hub = fresh(name, nan_policy="omit").fit(np.where(place, np.nan, BANK))
    expected = fresh(name).fit(np.delete(BANK, 2, axis=0))
    assert hub.report_["bank_rows"] == 29
    np.testing.assert_array_equal(hub.transform(LIVE), expected.transform(LIVE))


@bank_methods
def test_an_empty_bank_fits_nothing(name: str) -> None:
    with pytest.raises(NotEnoughData):
        fresh(name).fit(np.zeros((0, 9)))


@bank_methods
def test_an_empty_gallery_gives_an_empty_answer(name: str) -> None:
    hub = fresh(name).fit(BANK)
    assert hub.transform(np.zeros((0, 9))).shape == (0, 9)
    lists = hub.transform(candidate_positions=[[]], candidate_scores=[[]])
    assert [len(part) for part in lists] == [0]


@bank_methods
def test_one_candidate_is_enough(name: str) -> None:
    hub = fresh(name).fit(BANK, gallery_ids=IDS)
    (found,) = hub.transform(candidate_ids=[["i4"]], candidate_scores=[[0.5]])
    assert np.isfinite(found).all()


@bank_methods
def test_a_candidate_twice_and_an_item_twice_are_refused(name: str) -> None:
    hub = fresh(name).fit(BANK, gallery_ids=IDS)
    with pytest.raises(InvalidInput, match="twice"):
        hub.transform(candidate_ids=[["i1", "i2", "i1"]], candidate_scores=[[3.0, 2.0, 1.0]])
    with pytest.raises(InvalidInput):
        fresh(name).fit(BANK, gallery_ids=[*IDS[:8], "i0"])


@bank_methods
def test_a_gallery_of_another_size_is_refused(name: str) -> None:
    hub = fresh(name).fit(BANK)
    with pytest.raises(ShapeError):
        hub.transform(LIVE[:, :5])
    with pytest.raises(InvalidInput):
        fresh(name).fit(bank_embeddings=QUERIES, gallery_embeddings=ITEMS[:, :3])


def test_a_gallery_of_other_vectors_does_not_merge() -> None:
    fits = [
        Nnn(k=3).fit(bank_embeddings=QUERIES, gallery_embeddings=items, gallery_ids=IDS)
        for items in (ITEMS, ITEMS + 0.1)
    ]
    with pytest.raises(IncompatibleStatistics, match="other vectors"):
        fits[0].merge(fits[1])


@pytest.mark.parametrize("method", [InvertedSoftmax, Sinkhorn])
def test_another_beta_than_that_of_the_fit_is_refused(method) -> None:  # type: ignore[no-untyped-def]
    fits = [method(beta=beta).fit(BANK, gallery_ids=IDS) for beta in (9.0, 10.0)]
    with pytest.raises(IncompatibleStatistics, match="beta"):
        fits[0].merge(fits[1])
    with pytest.raises(NormalizerError, match="beta"):
        method(beta=10.0).fit_statistics(**fits[0].statistics_.to_arrays())
    with pytest.raises(NormalizerError, match="beta"):
        fits[0].set_params(beta=10.0).partial_fit(BANK[:3], gallery_ids=IDS)
