"""Normalize, shift, normalize: there and back, zero rows, chunks without spread."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Nsn
from normalizers.errors import InvalidInput

X = np.concatenate([np.random.default_rng(2).normal(1.0, 2.0, size=(50, 16)), np.zeros((1, 16))])


@pytest.mark.parametrize("shift", ["fitted", "request"])
@pytest.mark.parametrize("length", ["sqrt_d", 1.0])
def test_rows_and_a_zero_row_come_back(shift: str, length: float | str) -> None:
    method = Nsn(shift=shift, target_norm=length)
    if shift == "fitted":
        method.fit(X)
    answer = method.apply_to(X)
    t = 4.0 if length == "sqrt_d" else 1.0
    np.testing.assert_allclose(np.linalg.norm(answer.output["y"], axis=1), t, rtol=1e-14)
    back = method.inverse_to(**answer.output).output["x"]
    np.testing.assert_allclose(back, X, atol=1e-13)


def test_a_chunk_of_one_row_or_of_equal_rows_is_zero_and_comes_back() -> None:
    method = Nsn(shift="request")
    for rows in (X[:1], np.repeat(X[:1], 3, axis=0)):
        answer = method.apply_to(rows)
        assert not np.any(answer.output["y"])
        assert len(answer.flags["zero_norm"]) == len(rows)
        np.testing.assert_allclose(method.inverse_to(**answer.output).output["x"], rows, rtol=1e-13)


def test_the_shift_of_parts_is_that_of_the_whole() -> None:
    whole = Nsn().fit(X)
    merged = Nsn().fit(X[:20]).merge(Nsn().fit(X[20:]))
    np.testing.assert_allclose(merged.fitted_["shift"], whole.fitted_["shift"], rtol=1e-12)


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_rows_of_any_magnitude_have_their_direction(size: float) -> None:
    method = Nsn().fit(X)
    np.testing.assert_allclose(method.transform(X * size), method.transform(X), rtol=1e-12)


def test_a_row_that_misses_a_value_is_left_out() -> None:
    gappy = X.copy()
    gappy[3, 2] = np.nan
    method = Nsn(nan_policy="omit").fit(gappy)
    assert method.apply_to(gappy).flags["missing"].tolist() == [3]
    whole = Nsn().fit(np.delete(X, 3, axis=0))
    np.testing.assert_array_equal(method.fitted_["shift"], whole.fitted_["shift"])
    here = Nsn(shift="request", nan_policy="omit").apply_to(gappy)
    assert np.isfinite(here.output["shift"]).all()


@pytest.mark.parametrize("shift", ["fitted", "request"])
def test_turned_rows_come_back(shift: str) -> None:
    method = Nsn(shift=shift, rotation="hadamard")
    plain = Nsn(shift=shift)
    if shift == "fitted":
        method.fit(X)
        plain.fit(X)
    answer = method.apply_to(X)
    y = plain.transform(X)
    np.testing.assert_allclose(answer.output["y"] @ answer.output["y"].T, y @ y.T, atol=1e-10)
    np.testing.assert_allclose(method.inverse_to(**answer.output).output["x"], X, atol=1e-12)


def test_dims_without_a_hadamard_matrix_are_refused() -> None:
    with pytest.raises(InvalidInput, match="no Hadamard matrix of 6 dims"):
        Nsn(rotation="hadamard").fit(X[:, :6]).transform(X[:, :6])
