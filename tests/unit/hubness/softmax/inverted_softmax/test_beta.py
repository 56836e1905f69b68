"""The temperature: given, as its inverse, taken from the bank, refused."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import InvertedSoftmax
from normalizers.errors import InvalidParams
from tests.unit.hubness.softmax.inverted_softmax.codes import warning_codes


def test_auto_is_two_and_a_half_over_the_mean_row_deviation(bank: np.ndarray) -> None:
    method = InvertedSoftmax().fit(bank)
    deviation = bank.std(axis=1).mean()
    assert method.report_["beta"] == pytest.approx(2.5 / deviation, rel=1e-13)
    assert method.report_["mean_row_std"] == pytest.approx(deviation, rel=1e-13)
    assert method.version_.resolved["beta"] == method.report_["beta"]
    assert InvertedSoftmax(beta="auto").fit(bank).report_["beta"] == method.report_["beta"]


def test_a_temperature_is_one_over_beta(bank: np.ndarray, sims: np.ndarray) -> None:
    by_temperature = InvertedSoftmax(temperature=0.05).fit(bank)
    by_beta = InvertedSoftmax(beta=1 / 0.05).fit(bank)
    np.testing.assert_array_equal(by_temperature.transform(sims), by_beta.transform(sims))
    assert by_temperature.version_.resolved["beta"] == 20.0
    assert by_temperature.merge(by_beta).report_["n"] == 24
    stream = InvertedSoftmax(temperature=0.05).partial_fit(bank)
    assert by_beta.merge(stream).report_["n"] == 24
    with pytest.raises(InvalidParams, match="one of beta, temperature"):
        InvertedSoftmax(beta=1.0, temperature=1.0).fit(bank)


@pytest.mark.parametrize("wrong", [0.0, -1.0, True, "automatic", float("inf")])
def test_a_beta_that_cannot_be(bank: np.ndarray, wrong: object) -> None:
    with pytest.raises(InvalidParams) as caught:
        InvertedSoftmax(beta=wrong).fit(bank)
    assert caught.value.path == "params.beta"


def test_a_bank_without_deviation_gives_beta_one_and_changes_no_ranking() -> None:
    method = InvertedSoftmax().fit([[0.3, 0.3, 0.3], [0.1, 0.1, 0.1]])
    assert method.report_["beta"] == 1.0
    assert "constant_bank" in warning_codes(method)
    assert np.argsort(method.transform([[0.2, 0.9, 0.5]])[0]).tolist() == [0, 2, 1]


def test_a_gallery_of_one_vector_has_no_deviation_beyond_rounding(
    generator: np.random.Generator,
) -> None:
    gallery = np.tile(generator.normal(size=20), (5, 1))
    method = InvertedSoftmax().fit(
        bank_embeddings=generator.normal(size=(9, 20)), gallery_embeddings=gallery
    )
    assert method.report_["beta"] == 1.0
    assert "constant_bank" in warning_codes(method)


def test_streams_need_a_number(bank: np.ndarray, sims: np.ndarray) -> None:
    with pytest.raises(InvalidParams, match="fit once with auto, then use this value"):
        InvertedSoftmax().partial_fit(bank)
    stream = InvertedSoftmax(beta=9.0)
    for row in bank:
        stream.partial_fit(row)
    whole = InvertedSoftmax(beta=9.0).fit(bank)
    np.testing.assert_allclose(stream.transform(sims), whole.transform(sims), atol=1e-12)
    settled = InvertedSoftmax().fit(bank[:6])
    going_on = InvertedSoftmax(beta=settled.report_["beta"]).fit(bank)
    np.testing.assert_allclose(
        settled.partial_fit(bank[6:]).transform(sims), going_on.transform(sims), atol=1e-12
    )


def test_the_bias_is_the_mean_and_a_constant_for_small_beta_and_the_largest_for_great() -> None:
    bank = np.array([[0.9, 0.2, 0.1], [0.8, 0.4, 0.3], [0.1, 0.7, 0.6], [0.5, 0.6, 0.2]])
    small, great = (InvertedSoftmax(beta=beta).fit(bank).fitted_ for beta in (1e-6, 1e4))
    constant = np.log(len(bank)) / 1e-6
    np.testing.assert_allclose(small["item_bias"] - constant, bank.mean(axis=0), atol=1e-6)
    np.testing.assert_allclose(great["item_bias"], bank.max(axis=0), atol=1e-3)
