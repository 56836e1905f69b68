"""Published systems of windows, frames and labels, each written down again beside the method.

MotionCrafter, MoRe4D, DeFM, cross-context depth and TOKON stand with their methods.
"""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Bin, GroupMinMax, MinMax, PercentileMinMax, Pipeline, WindowZScore

X = np.random.default_rng(9).normal(20.0, 4.0, size=(5, 7, 3))
FRAMES = np.random.default_rng(1).gamma(2.0, 3.0, size=(243, 6, 4))
CLIP, STRIDE = 81, 80


def test_bin_of_the_paper_scales_each_branch_along_its_own_statistics() -> None:
    rng = np.random.default_rng(0)
    weights = {
        **{name: rng.random(3) for name in ("gamma_feature", "beta_feature")},
        **{name: rng.random(7) for name in ("gamma_time", "beta_time")},
        "lambda_feature": 0.8,
        "lambda_time": 0.4,
    }
    y = Bin(variant="paper").fit_weights(weights).transform(X)
    for window, found in zip(X, y, strict=True):
        over_time = (window - window.mean(0)) / window.std(0)
        over_channels = ((window.T - window.mean(1)) / window.std(1)).T
        feature = weights["gamma_feature"] * over_time + weights["beta_feature"]
        step = weights["gamma_time"] * over_channels.T + weights["beta_time"]
        np.testing.assert_allclose(found, 0.8 * feature + 0.4 * step.T, rtol=1e-12)


def test_bin_of_the_authors_class_scales_each_branch_across_its_statistics() -> None:
    rng = np.random.default_rng(0)
    weights = {
        **{name: rng.random((1, 7, 1)) for name in ("gamma1", "beta1")},
        **{name: rng.random((1, 1, 3)) for name in ("gamma2", "beta2")},
        "lambda1": [0.8],
        "lambda2": [0.4],
    }
    y = Bin(variant="mlproject").fit_weights(weights).transform(X)
    over_time = (X - X.mean(1, keepdims=True)) / X.std(1, keepdims=True, ddof=1)
    over_channels = (X - X.mean(2, keepdims=True)) / X.std(2, keepdims=True, ddof=1)
    first = weights["gamma1"] * over_time + weights["beta1"]
    second = weights["gamma2"] * over_channels + weights["beta2"]
    np.testing.assert_allclose(y, 0.8 * first + 0.4 * second, rtol=1e-12)


def test_the_bimodal_z_score_needs_no_training_and_is_two_window_z_scores() -> None:
    ones = {
        **{name: np.ones(3) for name in ("gamma_feature", "lambda_feature")},
        "gamma_time": np.ones(7),
        "beta_feature": np.zeros(3),
        "beta_time": np.zeros(7),
        "lambda_time": 1.0,
    }
    y = Bin(variant="paper").fit_weights({**ones, "lambda_feature": 1.0}).transform(X)
    # The other branch has the axes the other way around: steps are its channels.
    across = WindowZScore().transform(X.swapaxes(1, 2)).swapaxes(1, 2)
    np.testing.assert_allclose(y, WindowZScore().transform(X) + across, rtol=1e-12)
    turned = WindowZScore().transform(X, layout="NCT")
    np.testing.assert_allclose(turned, across, rtol=1e-12)


def test_longvie_depth_is_cut_at_percentiles_of_all_frames_and_turned_around() -> None:
    depth = FRAMES.reshape(-1, 1)
    method = PercentileMinMax(quantile_range=[5, 95], invert=True).fit(depth)
    low, high = np.percentile(FRAMES, [5, 95])
    expected = (high - np.clip(FRAMES, low, high)) / (high - low)
    whole = method.transform(depth).reshape(FRAMES.shape)
    np.testing.assert_allclose(whole, expected, rtol=1e-10, atol=1e-13)
    for start in range(0, len(FRAMES) - CLIP + 1, STRIDE):
        page = FRAMES[start : start + CLIP]
        served = method.transform(page.reshape(-1, 1)).reshape(page.shape)
        assert served.tobytes() == whole[start : start + CLIP].tobytes()


def test_longvie_a_fit_on_each_clip_would_stretch_a_quiet_one() -> None:
    quiet = np.array([[1.0], [1.01], [1.02], [1.03]])
    whole = PercentileMinMax(invert=True).fit(np.concatenate([quiet, 100 * quiet]))
    alone = PercentileMinMax(invert=True).fit(quiet)
    assert np.ptp(whole.transform(quiet)) < 0.001
    assert np.ptp(alone.transform(quiet)) == 1.0


OBJECTS = np.array(["mug", "mug", "mug", "box", "box", "cap", "cap"])
GRASPNESS = np.array([0.2, 0.6, 0.3, 0.1, 0.9, 0.3, 0.3])


def test_finegrasp_labels_are_scaled_in_their_object_and_then_in_the_scene() -> None:
    method = Pipeline(steps=[
        {"method": "group_min_max", "params": {"scope": "request", "on_constant": "zero"}},
        {"method": "channel_min_max", "params": {"scope": "request"}},
    ])  # fmt: skip
    y = method.transform(GRASPNESS, groups=OBJECTS)
    assert y.tolist() == pytest.approx([0.0, 1.0, 0.25, 0.0, 1.0, 0.0, 0.0])
    stored = GroupMinMax(on_constant="zero").fit(GRASPNESS, groups=OBJECTS)
    apart = stored.transform(GRASPNESS, groups=OBJECTS)
    np.testing.assert_allclose(MinMax().transform(apart), y)


def test_finegrasp_points_of_the_background_are_left_out_and_stay_zero() -> None:
    labels = np.append(OBJECTS, "background")
    values = np.append(GRASPNESS, 5.0)
    there = labels != "background"
    y = np.zeros(len(values))
    y[there] = GroupMinMax(scope="request", on_constant="zero").transform(
        values[there], groups=labels[there]
    )
    assert y[-1] == 0.0
    assert y.max() == 1.0
