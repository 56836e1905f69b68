"""Scores of whole galleries: finite, missing, empty, taken back, explained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.special import logsumexp

from normalizers import InvertedSoftmax
from normalizers.catalogue.catalogue import Catalogue
from normalizers.errors import (
    InvalidInput,
    NonFiniteError,
    NotEnoughData,
    ShapeError,
    UnsupportedOperation,
)
from normalizers.versions.file import read


def test_qb_norm_logit_scales_stay_finite() -> None:
    bank = np.array([[30.0, 20.0], [25.0, 28.0]], dtype=np.float32)
    y = InvertedSoftmax(beta=20.0, output="log").fit(bank).transform(bank[:1])
    assert y.dtype == np.float32
    np.testing.assert_allclose(y, 20 * bank[:1] - logsumexp(20.0 * bank, axis=0), rtol=1e-6)
    hot = InvertedSoftmax(beta=2000.0).fit(np.array([[0.9, 0.1]], dtype=np.float32))
    assert np.isfinite(hot.transform([[0.5, 0.4]])).all()
    assert np.isfinite(InvertedSoftmax(beta=20.0).fit([[100.0, -100.0]]).fitted_["item_bias"]).all()


def test_an_overflowing_ratio_is_refused_with_the_hint_log() -> None:
    method = InvertedSoftmax(beta=1000.0, output="ratio").fit([[0.0, 0.0]])
    with pytest.raises(InvalidInput, match="'log'"):
        method.transform([[0.9, 0.1]])


def test_qb_norm_inputs_stay_as_they_are_and_integers_are_promoted() -> None:
    bank = np.array([[5, 1], [1, 4]])
    bank.flags.writeable = False
    method = InvertedSoftmax(beta=1.0).fit(bank)
    first, second = method.transform(bank), method.transform(bank)
    assert first.dtype == np.float64
    np.testing.assert_array_equal(first, second)
    np.testing.assert_allclose(first, bank - logsumexp(bank, axis=0), atol=1e-14)


def test_a_score_depends_on_its_own_query_alone(bank: np.ndarray, sims: np.ndarray) -> None:
    method = InvertedSoftmax().fit(bank)
    np.testing.assert_array_equal(
        method.transform(np.vstack([sims[2:3]] * 100))[50], method.transform(sims)[2]
    )
    assert method.transform(sims[2]).shape == (6,)


def test_empty_banks_galleries_and_lists(bank: np.ndarray) -> None:
    for params in ({}, {"beta": 2.0}):
        with pytest.raises(NotEnoughData):
            InvertedSoftmax(**params).fit(np.zeros((0, 4)))
        with pytest.raises(NotEnoughData):
            InvertedSoftmax(**params).fit([])
        with pytest.raises(NotEnoughData):
            InvertedSoftmax(**params).fit(bank_embeddings=[], gallery_embeddings=[[1.0]])
    nothing = InvertedSoftmax().fit(np.zeros((3, 0)))
    assert nothing.transform(np.zeros((2, 0))).shape == (2, 0)
    assert nothing.report_["bias_min"] is None
    answer = (
        InvertedSoftmax(beta=2.0)
        .fit(bank)
        .apply_to(candidate_ids=[[], ["1"]], candidate_scores=[[], [0.5]])
    )
    assert [len(part) for part in answer.output["scores"]] == [0, 1]
    assert answer.report["min_margin"][0] is None
    assert answer.report["certified"][0] is False
    assert InvertedSoftmax(beta=2.0).fit(bank).transform([]).shape == (0,)


def test_missing_values() -> None:
    bank = np.array([[0.1, 0.2], [np.nan, 0.3], [0.4, 0.0]])
    with pytest.raises(NonFiniteError) as caught:
        InvertedSoftmax().fit(bank)
    assert caught.value.path == "fit.bank_sims[1][0]"
    method = InvertedSoftmax(nan_policy="omit").fit(bank)
    kept = InvertedSoftmax().fit(bank[[0, 2]])
    np.testing.assert_array_equal(method.fitted_["item_bias"], kept.fitted_["item_bias"])
    assert method.report_["bank_rows"] == 2
    answer = method.apply_to(sims=[[0.1, None], [0.5, 0.5]])
    assert np.isnan(answer.output["scores"][0, 1])
    assert answer.flags["missing"].tolist() == [0]
    with pytest.raises(NonFiniteError, match="gallery vector"):
        InvertedSoftmax(nan_policy="omit").fit(
            bank_embeddings=np.eye(2), gallery_embeddings=[[1.0, np.nan]]
        )
    embedded = InvertedSoftmax(nan_policy="omit").fit(
        bank_embeddings=[[1.0, np.inf], [1.0, 0.0]], gallery_embeddings=np.eye(2)
    )
    assert embedded.report_["bank_rows"] == 1


def test_inverse_adds_the_bias_back(bank: np.ndarray, sims: np.ndarray) -> None:
    method = InvertedSoftmax(strength=0.7, center_bias=True).fit(bank)
    np.testing.assert_allclose(method.inverse_transform(method.transform(sims)), sims, atol=1e-14)
    candidates = [["0", "5"], ["x"]]
    corrected = method.apply_to(candidate_ids=candidates, candidate_scores=[[0.1, 0.2], [0.3]])
    back = method.version_.inverse(
        {"scores": corrected.output["scores"], "candidate_ids": candidates}
    )
    np.testing.assert_allclose(np.concatenate(back.output["candidate_scores"]), [0.1, 0.2, 0.3])
    assert back.flags["unknown_item"].tolist() == [[1, 0]]
    with pytest.raises(ShapeError):
        method.inverse_transform([[0.1, 0.2]])
    with pytest.raises(UnsupportedOperation):
        InvertedSoftmax(output="log").fit(bank).inverse_transform(sims)


def test_folded_into_an_index_the_inner_product_is_the_served_score(
    generator: np.random.Generator,
) -> None:
    items, queries = generator.normal(size=(9, 5)), generator.normal(size=(3, 5))
    method = InvertedSoftmax(strength=0.5, similarity="dot").fit(
        bank_embeddings=generator.normal(size=(20, 5)), gallery_embeddings=items
    )
    index = np.hstack([items, method.fitted_["item_bias"][:, None]])
    asked = np.hstack([queries, np.full((3, 1), -0.5)])
    np.testing.assert_allclose(asked @ index.T, method.transform(queries @ items.T), atol=1e-12)


def test_explain_gives_what_was_subtracted(bank: np.ndarray, sims: np.ndarray) -> None:
    method = InvertedSoftmax(strength=0.5).fit(bank)
    parts = method.apply_to(sims=sims, explain=True).explain
    np.testing.assert_allclose(sims - parts["item_bias"], method.transform(sims), atol=1e-15)
    listed = method.apply_to(
        candidate_ids=[["2"], []], candidate_scores=[[0.3], []], explain=True
    ).explain
    assert listed["item_bias"] == [[parts["item_bias"][2]], []]


def test_a_stored_version_serves_the_same_numbers(tmp_path: Path) -> None:
    method = InvertedSoftmax().fit(
        bank_embeddings=np.eye(3), gallery_embeddings=np.eye(3)[:2], gallery_ids=["a", "b"]
    )
    path = tmp_path / "hub.safetensors"
    method.save(path)
    loaded = read(path, Catalogue([InvertedSoftmax]))
    given = {"candidate_ids": [["b", "c"]], "candidate_scores": [[0.5, 0.4]]}
    np.testing.assert_array_equal(
        loaded.transform(given).output["scores"][0], method.apply_to(**given).output["scores"][0]
    )
    assert loaded.report["beta"] == method.report_["beta"]
