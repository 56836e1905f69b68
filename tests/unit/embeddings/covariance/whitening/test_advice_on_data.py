"""Advice on vectors where it is known what whitening does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_digits

from normalizers import Whitening
from tests.unit.embeddings.covariance.whitening.samples import advice_codes

FOLDER = Path(__file__).parents[6] / "shared" / "data" / "embeddings"


@pytest.fixture(scope="module")
def minilm() -> np.ndarray:
    path = FOLDER / "minilm_stsb_fit.npz"
    if not path.exists():
        pytest.skip("the embeddings are not here")
    with np.load(path) as file:
        return np.asarray(file[file.files[0]], dtype=np.float64)


@pytest.mark.parametrize("n", [20, 50, 400])
def test_r12_few_sentences_are_not_told_to_be_whitened(minilm: np.ndarray, n: int) -> None:
    found = advice_codes(Whitening().fit(minilm[:n]))
    assert "whiten" not in found
    assert ("try" in found) == (n < 0.1 * minilm.shape[1])


def test_r12_the_unbiased_ratio_of_few_rows_is_near_that_of_many(minilm: np.ndarray) -> None:
    few, many = (Whitening().fit(minilm[:n]).report_ for n in (100, 2000))
    assert few["unbiased_isoscore"] == pytest.approx(many["unbiased_isoscore"], rel=0.3)
    assert few["isoscore"] < 0.7 * many["isoscore"]


def test_r12_twenty_rows_have_the_unbiased_ratio_of_two_thousand(minilm: np.ndarray) -> None:
    few, many = (Whitening().fit(minilm[:n]).report_ for n in (20, 2000))
    assert many["unbiased_isoscore"] == pytest.approx(0.29, abs=0.03)
    assert few["unbiased_isoscore"] == pytest.approx(0.33, abs=0.05)
    assert few["isoscore"] < 0.06


def test_r12_nothing_is_advised_where_n_is_not_known() -> None:
    posted = {"mean": [0.0, 0.0], "cov": [[9.0, 0.0], [0.0, 1.0]]}
    assert "try" in advice_codes(Whitening(shrinkage="none").fit_statistics(scatter=posted))


def test_r12_advice_names_the_data_it_was_measured_on() -> None:
    narrow = np.random.default_rng(3).normal(size=(500, 20)) * [30.0, *[1.0] * 19]
    told = [one["message"] for one in Whitening().fit(narrow).report_["advice"]]
    assert "sentence embeddings" in " ".join(told)
    assert "likely to help" not in " ".join(told)


def test_r12_the_digits_are_not_told_to_be_whitened_nor_is_their_transpose() -> None:
    images = load_digits(return_X_y=True)[0]
    for rows in (images, images.T):
        assert "whiten" not in advice_codes(Whitening().fit(rows))
