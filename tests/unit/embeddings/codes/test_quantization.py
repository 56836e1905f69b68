"""Vectors as codes of 8 bits, or bits."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Quantization
from normalizers.errors import InvalidParams, NotFitted, UnsupportedOperation

CALIBRATION = [[1.0, 20.0, -3.0], [4.0, 5.0, -60.0]]


def test_sentence_transformers_3159_what_is_beyond_the_range_saturates_and_is_counted() -> None:
    answer = Quantization().fit(CALIBRATION).apply_to([[-1.0, 15.0, 1.0], [2.5, 12.5, -31.5]])
    assert answer["y"].tolist() == [[-128, 42, 127], [-1, -1, -1]]
    assert answer["y"].dtype == np.int8
    assert answer.report == {"saturated": 2}
    assert answer.flags["clipped"].tolist() == [0]


@pytest.mark.parametrize("precision", ["int8", "uint8"])
def test_codes_come_back_within_half_a_step(precision: str) -> None:
    x = np.random.default_rng(0).normal(size=(50, 4)) * [1.0, 10.0, 1e3, 1e-3]
    method = Quantization(precision=precision).fit(x)
    answer = method.inverse_to(method.transform(x))
    step = np.ptp(x, axis=0) / 255
    # The largest value is the end of the last step.
    assert np.all(np.abs(answer["x"] - x) <= 0.5 * step * (1 + 1e-9))
    assert [noted.code for noted in answer.warnings] == ["approximate"]


def test_a_constant_dim_has_step_1() -> None:
    method = Quantization(precision="uint8").fit([[0.0, 7.0], [255.0, 7.0]])
    assert method.transform([[255.0, 7.0], [0.0, 9.5]]).tolist() == [[255, 0], [0, 2]]
    assert method.report_["constant_dims"] == 1


def test_one_range_for_all_dims_comes_from_the_quantiles_of_all_values() -> None:
    x = np.arange(101.0).reshape(-1, 1) * np.ones((1, 2))
    method = Quantization(precision="uint8", calibration="global", quantile=0.9).fit(x)
    codes = method.transform([[10.0, 90.0], [0.0, 100.0]])
    assert codes.tolist() == [[0, 255], [0, 255]]
    with pytest.raises(InvalidParams, match="global"):
        Quantization(quantile=0.9).fit(x)


def test_bits_need_no_fit_and_do_not_come_back() -> None:
    x = [[0.1, -0.2, 0.0, 0.3, -1.0, 5.0, 6.0, 7.0, 1.0], [-1.0] * 9]
    assert Quantization(precision="ubinary").transform(x).tolist() == [[0b10010111, 128], [0, 0]]
    signed = Quantization(precision="binary").transform(x)
    assert signed.tolist() == [[0b10010111 - 128, 0], [-128, -128]]
    with pytest.raises(UnsupportedOperation):
        Quantization(precision="binary").inverse_transform(signed)


def test_codes_of_8_bits_need_ranges() -> None:
    with pytest.raises(NotFitted):
        Quantization().transform([[1.0]])
