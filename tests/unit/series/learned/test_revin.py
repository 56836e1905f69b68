"""Reversible instance normalization: its variants, its way back, windows it cannot scale."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Revin, WindowZScore
from normalizers.errors import InvalidInput, ShapeError

WEIGHTS = {"affine_weight": np.array([2.0, -0.5]), "affine_bias": np.array([0.5, 1.0])}
X = np.random.default_rng(1).normal(3.0, 2.0, size=(3, 5, 2))
FORECAST = np.random.default_rng(2).normal(size=(3, 2, 2))


def layer(**params: object) -> Revin:
    return Revin(affine=True, **params).fit_weights(WEIGHTS)


def back(method: Revin, **fields: object) -> dict[str, np.ndarray]:
    answer = method.apply_to(X)
    return dict(method.inverse_to(loc=answer["loc"], scale=answer["scale"], **fields).output)


def test_without_affine_it_is_a_window_z_score_with_an_epsilon() -> None:
    plain = WindowZScore(eps=1e-5, eps_mode="add_var")
    assert np.array_equal(Revin().transform(X), plain.transform(X))


def test_original_is_led_back_by_the_weight_and_the_squared_epsilon() -> None:
    method = layer(eps=1e-2)
    answer = method.apply_to(X)
    before = (FORECAST - WEIGHTS["affine_bias"]) / (WEIGHTS["affine_weight"] + 1e-4)
    expected = before * answer["scale"] + answer["loc"]
    np.testing.assert_allclose(back(method, y=FORECAST)["x"], expected, rtol=1e-13)


def test_fan_divides_by_the_weight_alone_and_refuses_one_of_0() -> None:
    method = layer(variant="fan", ddof=1, eps=1e-8)
    np.testing.assert_allclose(method.inverse_transform(**method.apply_to(X).output), X, rtol=1e-12)
    with pytest.raises(InvalidInput, match="weight of 0") as refused:
        Revin(affine=True, variant="fan").fit_weights({**WEIGHTS, "affine_weight": [0.0, 1.0]})
    assert refused.value.path == "weights.affine_weight"


def test_scale_decouple_leaves_the_map_to_the_way_back() -> None:
    method = layer(variant="scale_decouple")
    assert np.array_equal(method.transform(X), Revin().transform(X))
    answer = method.apply_to(X)
    factor = np.maximum(WEIGHTS["affine_weight"], 0) + 1e-6
    expected = FORECAST * answer["scale"] * factor + answer["loc"] + WEIGHTS["affine_bias"]
    np.testing.assert_allclose(back(method, y=FORECAST)["x"], expected, rtol=1e-13)


def test_spreads_of_a_forecast_are_not_shifted_and_never_negative() -> None:
    method = layer()
    scale = method.apply_to(X)["scale"]
    found = back(method, std=np.ones((3, 2, 2)), variance=np.ones((3, 2, 2)))
    expected = np.broadcast_to(scale / np.abs(WEIGHTS["affine_weight"] + 1e-10), (3, 2, 2))
    np.testing.assert_allclose(found["std"], expected, rtol=1e-13)
    np.testing.assert_allclose(found["variance"], expected**2, rtol=1e-13)


def test_quantiles_beside_a_negative_weight_are_refused() -> None:
    with pytest.raises(InvalidInput, match="channel 1 is negative"):
        back(layer(), quantiles=np.zeros((3, 2, 2, 2)), levels=[0.1, 0.9])


def test_a_constant_window_comes_out_as_the_bias_and_is_flagged() -> None:
    x = X.copy()
    x[0, :, 0] = 0.1
    answer = layer().apply_to(x)
    assert np.array_equal(answer["y"][0, :, 0], np.full(5, 0.5))
    assert answer.flags["constant"].tolist() == [[0, 0]]
    np.testing.assert_allclose(layer().inverse_transform(**answer.output), x, rtol=1e-8)


def test_a_missing_value_stays_missing_and_the_rest_is_right() -> None:
    x = X.copy()
    x[1, 2, 1] = np.nan
    y = layer().transform(x)
    assert np.argwhere(np.isnan(y)).tolist() == [[1, 2, 1]]
    seen = np.delete(x[1, :, 1], 2)
    expected = -0.5 * (seen - seen.mean()) / np.sqrt(seen.var() + 1e-5) + 1.0
    np.testing.assert_allclose(np.delete(y[1, :, 1], 2), expected, rtol=1e-12)


def test_series_of_unequal_length_have_one_channel_each() -> None:
    one = Revin(affine=True).fit_weights({"affine_weight": [2.0], "affine_bias": [1.0]})
    parts = [X[0, :, 0], X[1, :3, 0]]
    y = one.transform(parts, layout="ragged")
    for part, found in zip(parts, y, strict=True):
        assert np.array_equal(found, one.transform(part, layout="T"))
    with pytest.raises(ShapeError, match="'x' has 1 for c"):
        layer().transform(parts, layout="ragged")
