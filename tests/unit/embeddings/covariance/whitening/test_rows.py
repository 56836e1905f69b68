"""Rows of every size, type and number, missing ones too."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Whitening
from normalizers.errors import (
    InvalidInput,
    NonFiniteError,
    NotEnoughData,
    RankDeficient,
    ShapeError,
    UnsupportedOperation,
)
from tests.unit.embeddings.covariance.whitening.samples import FULL, rows, warning_codes


def test_bert_whitening_11_rows_given_as_columns_are_warned_about() -> None:
    method = Whitening().fit(rows(50, 5).T)
    assert (method.report_["n"], method.report_["d"]) == (5, 50)
    assert "fewer_rows_than_dims" in warning_codes(method)
    assert "few_rows_per_dim" in warning_codes(Whitening().fit(rows(24, 5)))
    assert not warning_codes(Whitening().fit(rows(25, 5)))


def test_bert_whitening_1_one_new_row_is_the_row_inside_a_batch() -> None:
    x = rows(100, 4)
    method = Whitening().fit(x)
    one = method.transform(x[7])
    assert one.shape == (4,)
    np.testing.assert_allclose(one, method.transform(x)[7], atol=1e-12)


@pytest.mark.parametrize("offset", [0.0, 5.0, 300.0])
def test_float32_rows_do_not_depend_on_their_batch(offset: float) -> None:
    x = rows(300, 64, offset=offset).astype(np.float32)
    method = Whitening().fit(x)
    batch = method.transform(x)
    assert batch.dtype == np.float32
    alone = np.stack([method.transform(row) for row in x[:20]])
    scale = np.linalg.norm(batch[:20], axis=1, keepdims=True)
    assert np.max(np.abs(alone - batch[:20]) / scale) < 1e-6 * max(1.0, offset)


def test_float32_with_a_long_mean_stays_close_to_float64() -> None:
    x = (rows(2000, 16) + 1000.0).astype(np.float32)
    method = Whitening(**FULL).fit(x)
    exact = method.transform(x.astype(np.float64))
    served = method.transform(x)
    cosine = np.sum(exact * served, axis=1) / (
        np.linalg.norm(exact, axis=1) * np.linalg.norm(served, axis=1)
    )
    assert np.all(1 - cosine < 1e-5)
    np.testing.assert_allclose(np.cov(exact.T), np.eye(16), atol=1e-6)


def test_float16_is_computed_in_float32() -> None:
    x = rows(100, 8).astype(np.float16)
    method = Whitening().fit(x)
    y = method.transform(x)
    assert y.dtype == np.float16
    np.testing.assert_array_equal(y, method.transform(x.astype(np.float32)).astype(np.float16))


def test_tiny_float32_rows_whose_matrix_would_overflow_float32() -> None:
    x = (rows(50, 3) * 1e-37).astype(np.float32)
    y = Whitening(**FULL).fit(x).transform(x)
    assert np.isfinite(y).all()
    np.testing.assert_allclose(np.cov(y.T), np.eye(3), atol=1e-3)


@pytest.mark.parametrize("size", [1e-139, 1e-30, 1e30, 1e139])
@pytest.mark.parametrize("params", [{}, FULL, {"strength": 0.5}])
def test_the_scale_of_the_rows_does_not_matter(size: float, params: dict[str, object]) -> None:
    x = rows(40, 4)
    x = np.where(np.abs(x) < 0.1, 0.1, x)
    base, scaled = Whitening(**params).fit(x), Whitening(**params).fit(x * size)
    strength = params.get("strength", 1.0)
    np.testing.assert_allclose(
        scaled.transform(x * size), base.transform(x) * size ** (1 - strength), rtol=1e-9
    )
    np.testing.assert_allclose(
        scaled.report_["participation_ratio"], base.report_["participation_ratio"]
    )


def test_rows_beyond_the_range_are_refused_in_a_fit_but_transformed() -> None:
    with pytest.raises(InvalidInput, match="1e140"):
        Whitening().fit(rows() * 1e200)
    y = Whitening().fit(rows()).transform([[1e300, 0, 0, 0, 0]])
    assert np.isfinite(y).all()


def test_order_and_shards_do_not_change_the_fit() -> None:
    x = rows(120, 6, offset=3.0)
    whole = Whitening(**FULL).fit(x).fitted_["W"]
    shuffled = np.random.default_rng(5).permutation(x)
    np.testing.assert_allclose(Whitening(**FULL).fit(shuffled).fitted_["W"], whole, atol=1e-10)
    parts = [Whitening(**FULL).fit(x[a:b]) for a, b in ((0, 5), (5, 60), (60, 120))]
    np.testing.assert_allclose(parts[2].merge(*parts[:2]).fitted_["W"], whole, atol=1e-10)
    stream = Whitening(**FULL)
    for row in x:
        stream.partial_fit(row)
    np.testing.assert_allclose(stream.fitted_["W"], whole, atol=1e-10)


def test_scikit_learn_12234_short_parts_merge() -> None:
    x = rows(12, 4)
    method = Whitening(**FULL).fit(x[:5]).partial_fit(x[5:6]).partial_fit(x[6:]).partial_fit(x[:0])
    np.testing.assert_allclose(
        method.fitted_["W"], Whitening(**FULL).fit(x).fitted_["W"], atol=1e-10
    )


def test_too_few_rows_and_rows_that_do_not_differ() -> None:
    with pytest.raises(NotEnoughData):
        Whitening().fit([1.0, 2.0, 3.0])
    with pytest.raises(NotEnoughData):
        Whitening(ddof=0).fit([[1.0, 2.0, 3.0]])
    with pytest.raises(NotEnoughData):
        Whitening().fit([])
    with pytest.raises(RankDeficient) as caught:
        Whitening(eps=1.0).fit([[0.1, 2.0]] * 7)
    assert caught.value.rank == 0


def test_no_rows_give_no_rows_and_another_width_is_refused() -> None:
    method = Whitening().fit(rows())
    assert method.transform(np.zeros((0, 5))).shape == (0, 5)
    assert method.transform([]).shape == (0,)
    assert method.inverse_transform(np.zeros((0, 5))).shape == (0, 5)
    with pytest.raises(ShapeError):
        method.transform([[1.0, 2.0]])


def test_unit_length_after_whitening_keeps_the_mean_at_zero_and_flags_it() -> None:
    x = rows(offset=1.0)
    method = Whitening(post="l2").fit(x)
    answer = method.apply_to(x=np.vstack([x[:2], x.mean(axis=0)]))
    y = answer.output["y"]
    np.testing.assert_allclose(np.linalg.norm(y[:2], axis=1), 1.0)
    np.testing.assert_array_equal(y[2], 0.0)
    assert answer.flags["zero_norm"].tolist() == [2]
    with pytest.raises(UnsupportedOperation):
        method.inverse_transform(y)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", [1e-30, 1.0, 1e30])
def test_unit_length_after_whitening_at_any_size(dtype: str, size: float) -> None:
    x = (rows(offset=2.0) * size).astype(dtype)
    method = Whitening(post="l2", strength=0.1).fit(x)
    beside = np.vstack([x, np.mean(x, axis=0, dtype=np.float64).astype(dtype)])
    y = method.transform(beside)
    np.testing.assert_allclose(np.linalg.norm(y[:-1], axis=1), 1.0, rtol=1e-5)
    np.testing.assert_array_equal(y[-1], 0.0)
    np.testing.assert_array_equal(method.transform(beside[-3:])[-1], 0.0)


def test_unit_length_before_whitening() -> None:
    x = rows()
    method = Whitening(pre="l2", **FULL).fit(x)
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    np.testing.assert_allclose(method.transform(x * 7), method.transform(unit), atol=1e-12)
    np.testing.assert_allclose(method.inverse_transform(method.transform(x)), unit, atol=1e-10)
    answer = method.apply_to(x=[[0.0] * 5, [1.0] * 5])
    assert answer.flags["zero_norm"].tolist() == [0]


def test_missing_values() -> None:
    x = rows()
    x[3, 2] = np.nan
    with pytest.raises(NonFiniteError) as caught:
        Whitening().fit(x)
    assert caught.value.path == "fit.x[3][2]"
    method = Whitening(nan_policy="omit").fit(x)
    np.testing.assert_array_equal(
        method.fitted_["W"], Whitening(nan_policy="omit").fit(np.delete(x, 3, axis=0)).fitted_["W"]
    )
    answer = method.apply_to(x=x[2:5])
    assert answer.flags["missing"].tolist() == [1]
    assert np.isnan(answer.output["y"][1]).all()
    assert np.isfinite(answer.output["y"][[0, 2]]).all()
    with pytest.raises(NonFiniteError, match=r"fit.x\[3\]\[2\]"):
        Whitening(nan_policy="propagate").fit(x)
