"""Row norms as layers have them: epsilons, weights, any magnitude, axes before the columns."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import LayerNorm, RmsNorm, ScaleNorm
from normalizers.errors import ShapeError, UnsupportedOperation

X = np.random.default_rng(1).normal(size=(6, 5))


def test_layer_norm_is_the_rms_norm_of_centred_rows() -> None:
    y = LayerNorm(eps=0.0).transform(X)
    centred = X - X.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(y, RmsNorm(eps=0.0).transform(centred), rtol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(y, axis=1), 5**0.5, rtol=1e-14)
    np.testing.assert_allclose(y.sum(axis=1), 0.0, atol=1e-14)


@pytest.mark.parametrize("size", [1e-300, 1e-20, 1e20, 1e300])
def test_rows_of_any_magnitude_are_normed_without_epsilons(size: float) -> None:
    for method in (LayerNorm(eps=0.0), RmsNorm(eps=0.0), ScaleNorm(eps=0.0)):
        np.testing.assert_allclose(method.transform(X * size), method.transform(X), rtol=1e-12)


def test_an_epsilon_of_the_layer_stays_absolute() -> None:
    for method, eps in ((LayerNorm(), 1e-5), (RmsNorm(), 1e-6)):
        y = method.transform(X * 1e-10)
        centred = X - X.mean(axis=1, keepdims=True) if method.centres else X
        np.testing.assert_allclose(y, centred * 1e-10 / eps**0.5, rtol=1e-6)
    short = ScaleNorm(g=1.0).transform(np.array([[3e-9, 4e-9]]))
    np.testing.assert_allclose(short, [[3e-4, 4e-4]], rtol=1e-12)
    assert np.isfinite(ScaleNorm().transform(np.array([[1e-320, 0.0]]))).all()


def test_equal_entries_are_no_direction() -> None:
    answer = LayerNorm(eps=0.0).apply_to([[7.1] * 3, [1.0, 2.0, 3.0]])
    assert answer.output["y"][0].tolist() == [0.0, 0.0, 0.0]
    assert answer.flags["zero_norm"].tolist() == [0]


def test_weights_and_biases_of_columns_come_back() -> None:
    weight, bias = [1.0, 2.0, -1.0, 0.5, 3.0], [0.1, 0.2, 0.3, 0.4, 0.5]
    method = LayerNorm(weight=weight, bias=bias)
    answer = method.apply_to(X)
    np.testing.assert_allclose(answer.output["y"], LayerNorm().transform(X) * weight + bias)
    back = method.inverse_to(**answer.output).output["x"]
    np.testing.assert_allclose(back, X, rtol=1e-12)
    with pytest.raises(UnsupportedOperation):
        RmsNorm(weight=[0.0, 1.0]).inverse_to(y=[[1.0, 1.0]], scale=[[1.0]])
    with pytest.raises(ShapeError, match="weight has 2 numbers, but rows have 5 columns"):
        RmsNorm(weight=[1.0, 1.0]).transform(X)


def test_k4_tokens_are_rows() -> None:
    tokens = X.reshape(2, 3, 5).astype(np.float32)
    answer = LayerNorm().apply_to(tokens)
    assert answer.output["y"].shape == (2, 3, 5)
    assert answer.output["scale"].shape == (2, 3, 1)
    back = LayerNorm().inverse_to(**answer.output).output["x"]
    np.testing.assert_allclose(back, tokens, rtol=1e-5)


def test_the_length_is_the_root_of_the_dims_unless_it_is_said() -> None:
    assert np.allclose(np.linalg.norm(ScaleNorm().transform(X), axis=1), 5**0.5)
    assert np.allclose(np.linalg.norm(ScaleNorm(g=2.0).transform(X), axis=1), 2.0)
