"""Vectors of any size brought to length 1, and back with their lengths."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import UnitNorm


@pytest.mark.parametrize("size", [1e-323, 1e-300, 1.0, 1e300])
def test_rows_of_any_magnitude_come_out_with_length_1(size: float) -> None:
    y = UnitNorm().transform(np.array([[3.0, 4.0, 0.0]]) * size)
    np.testing.assert_allclose(np.linalg.norm(y, axis=1), 1.0, rtol=1e-15)


def test_ngpt_a_zero_row_stays_zero_and_is_flagged() -> None:
    answer = UnitNorm().apply_to([[0.0, 0.0], [3.0, 4.0]])
    assert answer.output["y"].tolist() == [[0.0, 0.0], [0.6, 0.8]]
    assert answer.flags["zero_norm"].tolist() == [0]


def test_the_way_back_takes_the_lengths() -> None:
    x = np.random.default_rng(0).normal(size=(5, 4)) * 10.0 ** np.arange(-2, 3)[:, None]
    method = UnitNorm()
    answer = method.apply_to(x)
    back = method.inverse_transform(answer.output["y"], scale=answer.output["scale"])
    np.testing.assert_allclose(back, x, rtol=1e-14)


def test_one_row_is_the_row_of_a_batch_with_its_scale_alone() -> None:
    alone = UnitNorm().apply_to(np.array([3.0, 4.0], dtype=np.float32))
    assert alone.output["y"].dtype == np.float32
    assert (alone.output["y"].tolist(), alone.output["scale"].tolist()) == (
        [pytest.approx(0.6), pytest.approx(0.8)],
        [5.0],
    )


def test_a_length_beyond_the_largest_float_is_flagged() -> None:
    answer = UnitNorm().apply_to([[1.5e308] * 4, [1.0, 0.0, 0.0, 0.0]])
    assert answer.output["y"][0].tolist() == [0.5] * 4
    assert answer.flags["out_of_range"].tolist() == [0]


def test_a_row_with_a_missing_value_is_missing() -> None:
    answer = UnitNorm(nan_policy="omit").apply_to([[np.nan, 1.0], [0.0, 2.0]])
    assert np.isnan(answer.output["y"][0]).all()
    assert answer.flags["missing"].tolist() == [0]
