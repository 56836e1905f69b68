"""Edge cases of bilinear input normalization, and the reports about its public classes."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Bin
from normalizers.errors import InvalidInput, InvalidParams, ShapeError

ONES = {
    "gamma_feature": [1.0] * 3, "beta_feature": [0.0] * 3, "lambda_feature": 1.0,
    "gamma_time": [1.0] * 4, "beta_time": [0.5, 0.0, 0.0, -0.5], "lambda_time": 0.5,
}  # fmt: skip
X = np.random.default_rng(0).normal(5.0, 2.0, size=(2, 4, 3))


def paper(**params: object) -> Bin:
    return Bin(variant="paper", **params).fit_weights(ONES)


def test_the_variant_is_required_for_shapes_cannot_tell() -> None:
    with pytest.raises(InvalidParams, match="shapes cannot tell") as refused:
        Bin().validated()
    assert refused.value.path == "params.variant"


def test_with_weights_of_one_it_is_the_sum_of_two_z_scores() -> None:
    over_time = (X - X.mean(1, keepdims=True)) / X.std(1, keepdims=True)
    over_channels = (X - X.mean(2, keepdims=True)) / X.std(2, keepdims=True)
    shift = np.array(ONES["beta_time"])[:, None]
    expected = over_time + 0.5 * (over_channels + shift)
    np.testing.assert_allclose(paper().transform(X), expected, rtol=1e-12)


def test_tlob_a_step_whose_channels_are_equal_gives_its_beta_not_nan() -> None:
    x = X.copy()
    x[0, 1] = 0.1
    y = paper().transform(x)
    over_time = (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)
    np.testing.assert_allclose(y[0, 1], over_time[0, 1] + 0.5 * ONES["beta_time"][1], rtol=1e-12)


def test_a_constant_channel_gives_its_beta_and_is_flagged() -> None:
    x = X.copy()
    x[1, :, 2] = 0.1
    answer = paper().apply_to(x)
    assert answer.flags["constant"].tolist() == [[1, 2]]
    assert np.isfinite(answer["y"]).all()


def test_tlob_a_negative_share_is_refused_with_what_tlob_does() -> None:
    with pytest.raises(InvalidInput, match=r"0\.01") as refused:
        Bin(variant="paper").fit_weights({**ONES, "lambda_time": -0.1})
    assert refused.value.path == "weights.lambda_time"


def test_tlob_names_are_those_of_the_paper() -> None:
    tlob = {
        "l2": np.ones((3, 1)), "B2": np.zeros((3, 1)), "l1": np.ones((4, 1)),
        "B1": np.array([[0.5], [0.0], [0.0], [-0.5]]), "y2": np.ones(1), "y1": np.full(1, 0.5),
    }  # fmt: skip
    named = Bin(variant="paper").fit_weights(tlob)
    assert np.array_equal(named.transform(X), paper().transform(X))


def test_missing_and_masked_values_are_out_of_both_statistics_and_missing() -> None:
    x = X.copy()
    x[0, 2, 1] = np.nan
    mask = np.ones_like(X)
    mask[0, 2, 1] = 0
    missing, masked = paper().apply_to(x), paper().apply_to(X, mask=mask)
    assert np.array_equal(missing["y"], masked["y"], equal_nan=True)
    assert np.argwhere(np.isnan(missing["y"])).tolist() == [[0, 2, 1]]
    assert missing.flags["missing"].tolist() == [[0, 1]]
    assert np.array_equal(missing["y"][1], paper().transform(X)[1])


def test_a_window_of_missing_values_is_empty_and_leaves_the_others_alone() -> None:
    x = X.copy()
    x[0] = np.nan
    answer = paper(ddof=1).apply_to(x)
    assert answer.flags["empty"].tolist() == [[0, 0], [0, 1], [0, 2]]
    assert np.array_equal(answer["y"][1], paper(ddof=1).transform(X)[1])


@pytest.mark.parametrize("factor", [2.0**996, 2.0**-996])
def test_paper_windows_of_any_size_are_as_exact(factor: float) -> None:
    np.testing.assert_allclose(paper().transform(X * factor), paper().transform(X), rtol=1e-12)


def test_k8_other_lengths_and_ragged_windows_are_refused_at_the_door() -> None:
    with pytest.raises(ShapeError, match="'x' has 3 for t"):
        paper().transform(X[:, :3])
    for given in ({"x": [[1.0, 2.0], [3.0]], "layout": "ragged"}, {"x": [[[1.0]], [[1.0], [2.0]]]}):
        with pytest.raises(ShapeError, match="windows of one length"):
            paper().transform(**given)
    with pytest.raises(ShapeError, match="windows of one length") as refused:
        paper().transform([1.0, 2.0, 3.0], offsets=[0, 2, 3])
    assert refused.value.path == "input.offsets"
