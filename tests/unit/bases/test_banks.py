"""Banks: one pass in blocks, in the type of the embeddings."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from normalizers.bases import embedded_bank, votes
from normalizers.bases.bank_statistics import log_sum_exp_of, top_k_of
from normalizers.bases.banks import SentBank
from normalizers.bases.embedded_bank import EmbeddedBank
from normalizers.bases.folds import ItemLargest
from normalizers.bases.row_folds import RowLargest, RowSums

EPS = float(np.finfo(np.float32).eps)


@pytest.fixture
def vectors() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(6)
    items = rng.normal(size=(900, 384)).astype(np.float32)
    # Equal vectors are the worst case of a float32 product: every term has one sign.
    return np.concatenate([items[:50], rng.normal(size=(250, 384)).astype(np.float32)]), items


@pytest.mark.parametrize("similarity", ["cosine", "dot"])
@pytest.mark.parametrize("beta", [1e-3, 1.0, 20.0, 150.0, 2000.0])
def test_k18_float32_blocks_keep_their_bound(vectors, similarity: str, beta: float) -> None:  # type: ignore[no-untyped-def]
    bank, gallery = vectors
    single = log_sum_exp_of(EmbeddedBank(bank, gallery, similarity), beta, None)
    wide = EmbeddedBank(bank.astype(float), gallery.astype(float), similarity)
    double = log_sum_exp_of(wide, beta, None)
    lengths = np.linalg.norm(bank, axis=1).max() * np.linalg.norm(gallery, axis=1)
    bound = 4 * beta * EPS * (1.0 if similarity == "cosine" else lengths)
    assert (np.abs(single.item_lse - double.item_lse) <= bound).all()


@pytest.mark.parametrize("beta", [1.0, 20.0, 150.0, 2000.0])
def test_float32_votes_of_rows_keep_the_bound_of_both_of_their_sums(vectors, beta: float) -> None:  # type: ignore[no-untyped-def]
    bank, gallery = vectors
    single = log_sum_exp_of(EmbeddedBank(bank, gallery), beta, None, normalized=True)
    wide = EmbeddedBank(bank.astype(float), gallery.astype(float))
    double = log_sum_exp_of(wide, beta, None, normalized=True)
    assert (np.abs(single.item_lse - double.item_lse) <= 8 * beta * EPS).all()


@pytest.mark.parametrize("similarity", ["cosine", "dot"])
def test_votes_in_one_pass_are_those_of_two(vectors, similarity: str, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    bank, gallery = vectors
    bank, gallery = bank / 20, np.concatenate([gallery / 20, np.zeros((1, 384), np.float32)])
    embedded = EmbeddedBank(bank, gallery, similarity, block_items=100)  # type: ignore[arg-type]
    monkeypatch.setattr(votes, "WAITING_BYTES", 4 * len(gallery) * 70)
    found = votes.votes_of(embedded, 20.0)
    assert found is not None
    wide = EmbeddedBank(bank.astype(float), gallery.astype(float), similarity)  # type: ignore[arg-type]
    expected = log_sum_exp_of(wide, 20.0, None, normalized=True).item_lse
    np.testing.assert_allclose(found, expected, rtol=0, atol=8 * 20 * EPS)


def test_votes_that_float32_does_not_hold_take_two_passes(vectors) -> None:  # type: ignore[no-untyped-def]
    bank, gallery = vectors
    assert votes.votes_of(EmbeddedBank(bank, gallery), 1.0) is None  # rounding would show
    assert votes.votes_of(EmbeddedBank(bank, gallery), 5000.0) is None  # some items have no vote
    assert votes.votes_of(EmbeddedBank(bank, gallery.astype(float)), 20.0) is None
    far = EmbeddedBank(bank, gallery * np.float32(1e-20))
    assert votes.votes_of(far, 20.0) is None  # products of such items would lose digits
    near = EmbeddedBank(bank, gallery)
    assert np.isfinite(log_sum_exp_of(near, 5000.0, None, normalized=True).item_lse).all()


def test_k18_blocks_are_in_the_type_of_the_embeddings(vectors) -> None:  # type: ignore[no-untyped-def]
    bank, gallery = vectors
    assert top_k_of(EmbeddedBank(bank, gallery), 3, None).values.dtype == np.float32
    assert top_k_of(EmbeddedBank(bank, gallery.astype(float)), 3, None).values.dtype == np.float64
    far = EmbeddedBank(bank, gallery, "euclidean")
    assert top_k_of(far, 3, None).values.dtype == np.float64


def test_k18_a_fit_holds_no_matrix_of_all_similarities() -> None:
    rng = np.random.default_rng(0)
    bank, gallery = rng.normal(size=(4000, 8)), rng.normal(size=(20_000, 8))
    tracemalloc.start()
    top_k_of(EmbeddedBank(bank, gallery), 4, None)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4000 * 20_000 * 8 / 8


@pytest.mark.parametrize("k", [1, 3, 400])
def test_the_largest_of_items_are_those_of_a_sort(k: int) -> None:
    sims = np.random.default_rng(1).integers(0, 50, size=(300, 40)).astype(float)
    expected = -np.sort(-sims, axis=0)[:k].T
    for rows in (7, 64, 1000):
        kept = ItemLargest(k)
        SentBank(sims, block_rows=rows, block_items=13).fold(kept)
        assert np.array_equal(kept.values(), expected)
        ascending = ItemLargest(k)
        SentBank(np.sort(sims, axis=0), block_rows=rows).fold(ascending)
        assert np.array_equal(ascending.values(), expected)


@pytest.mark.parametrize("spread", [9, 10_000])
@pytest.mark.parametrize("k", [1, 3, 600])
def test_the_best_items_of_rows_are_those_of_a_stable_sort(k: int, spread: int) -> None:
    sims = np.random.default_rng(2).integers(0, spread, size=(30, 500)).astype(float)
    expected = np.argsort(-sims, axis=1, kind="stable")[:, :k]
    best = RowLargest(k, 30)
    SentBank(sims, block_rows=8, block_items=13).fold(best)
    assert np.array_equal(best.items(), expected)
    assert np.array_equal(best.values(), np.take_along_axis(sims, expected, axis=1))


def test_sums_of_rows_do_not_depend_on_blocks() -> None:
    sims = np.random.default_rng(3).normal(size=(30, 50))
    sums = RowSums(700.0, 30)
    SentBank(sims, block_rows=8, block_items=13).fold(sums)
    np.testing.assert_allclose(sums.values(), 700 * sims.max(axis=1), rtol=1e-3)
    whole = RowSums(700.0, 30)
    SentBank(sims).fold(whole)
    np.testing.assert_allclose(sums.values(), whole.values(), rtol=1e-14)


@pytest.mark.parametrize("similarity", ["cosine", "dot", "euclidean"])
def test_deviations_of_rows_are_those_of_their_similarities(similarity: str) -> None:
    rng = np.random.default_rng(5)
    bank, gallery = rng.normal(size=(9, 4)), rng.normal(size=(70, 4))
    unit = [x / np.linalg.norm(x, axis=1, keepdims=True) for x in (bank, gallery)]
    sims = {
        "cosine": unit[0] @ unit[1].T,
        "dot": bank @ gallery.T,
        "euclidean": -np.linalg.norm(bank[:, None] - gallery[None], axis=2),
    }[similarity]
    found = EmbeddedBank(bank, gallery, similarity, 4, 20).row_deviations()  # type: ignore[arg-type]
    np.testing.assert_allclose(found, sims.std(axis=1), rtol=1e-12)
    flat = EmbeddedBank(bank, np.repeat(gallery[:1], 3, axis=0), similarity)  # type: ignore[arg-type]
    assert flat.row_deviations().tolist() == [0.0] * 9


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_deviations_that_a_pass_takes_along_are_those_of_the_covariance(  # type: ignore[no-untyped-def]
    vectors, dtype: str
) -> None:
    bank, gallery = (part.astype(dtype) for part in vectors)
    passed = EmbeddedBank(bank, gallery)
    passed.fold(*passed.beside())
    assert passed.beside() == ()
    found = EmbeddedBank(bank, gallery)
    found.__dict__["_covariance_cost"] = lambda: 0.0
    share = 1e-5 if dtype == "float32" else 1e-12
    np.testing.assert_allclose(passed.row_deviations(), found.row_deviations(), rtol=share)


def test_a_bank_too_large_to_be_held_gives_the_same_sums(vectors, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    bank, gallery = vectors
    held = log_sum_exp_of(EmbeddedBank(bank, gallery), 20.0, None)
    monkeypatch.setattr(embedded_bank, "HELD_BYTES", 0)
    again = log_sum_exp_of(EmbeddedBank(bank, gallery), 20.0, None)
    np.testing.assert_allclose(again.item_lse, held.item_lse, rtol=0, atol=4 * 20 * EPS)


def test_one_item_is_fitted_on_a_bank_of_any_size(vectors) -> None:  # type: ignore[no-untyped-def]
    bank, gallery = vectors
    assert EmbeddedBank(bank, gallery[:1]).row_deviations().tolist() == [0.0] * len(bank)


def test_similarities_that_were_sent_are_not_written_over() -> None:
    sims = np.random.default_rng(4).normal(size=(6, 1))
    before = sims.copy()
    log_sum_exp_of(SentBank(sims), 20.0, None)
    log_sum_exp_of(SentBank(sims), 20.0, None, normalized=True)
    assert np.array_equal(sims, before)


def test_a_pass_finds_the_nearest_items_of_every_so_many_rows(vectors, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    bank, gallery = vectors
    monkeypatch.setattr(embedded_bank, "SAMPLE_PAIRS", 900 * 60)
    monkeypatch.setattr(embedded_bank, "SAMPLE_SHARE", 10**9)
    passed = EmbeddedBank(bank, gallery, block_rows=64, block_items=100)
    top_k_of(passed, 3, None)
    sims = bank[::5].astype(float) @ (gallery / np.linalg.norm(gallery, axis=1)[:, None]).T
    assert np.array_equal(passed.sample.items(), np.argsort(-sims, axis=1, kind="stable")[:, :10])
    assert passed.nearest() == ()
