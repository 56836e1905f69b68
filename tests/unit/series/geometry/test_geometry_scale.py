from __future__ import annotations

import numpy as np
import pytest

from normalizers import GeometryScale
from normalizers.errors import InvalidParams, ShapeError

SCENES = np.random.default_rng(0).normal(size=(2, 3, 4, 5, 3)) + np.array([0.0, 0.0, 9.0])
VARIANTS = ("centroid", "camera", "first_frame_range", "depth_relative")


@pytest.mark.parametrize("variant", VARIANTS)
def test_points_come_back(variant: str) -> None:
    method = GeometryScale(variant=variant)
    answer = method.apply_to(SCENES)
    back = method.inverse_transform(answer["y"], loc=answer["loc"], scale=answer["scale"])
    np.testing.assert_allclose(back, SCENES, rtol=1e-12)


def test_motioncrafter_centres_and_divides_by_the_mean_distance() -> None:
    answer = GeometryScale(eps=0.0).apply_to(SCENES)
    points = answer["y"].reshape(2, -1, 3)
    np.testing.assert_allclose(points.mean(axis=1), 0.0, atol=1e-14)
    np.testing.assert_allclose(np.linalg.norm(points, axis=2).mean(axis=1), 1.0, rtol=1e-13)


def test_motioncrafter_in_front_of_the_camera_has_mean_depth_one() -> None:
    answer = GeometryScale(variant="camera").apply_to(SCENES)
    np.testing.assert_allclose(answer["y"][..., 2].mean(axis=(1, 2, 3)), 1.0, rtol=1e-13)


def test_more4d_measures_motion_by_the_first_depth() -> None:
    answer = GeometryScale(variant="depth_relative", fx=2.0).apply_to(SCENES)
    first = SCENES[:, :1]
    expected = (SCENES - first) / (first[..., 2:] / np.array([2.0, 1.0, 1.0]))
    np.testing.assert_allclose(answer["y"], expected, rtol=1e-12)
    np.testing.assert_array_equal(answer["y"][:, 0], 0.0)


def test_more4d_divides_by_the_range_of_the_first_frame() -> None:
    answer = GeometryScale(variant="first_frame_range", max_range=1.0).apply_to(SCENES)
    width = np.ptp(SCENES[:, 0].reshape(2, -1, 3), axis=1).max(axis=1)
    np.testing.assert_allclose(answer["scale"], width, rtol=1e-15)
    assert answer.flags["out_of_range"].tolist() == [0, 1]


def test_invalid_points_are_left_out_and_missing() -> None:
    valid = np.ones(SCENES.shape[:-1], dtype=bool)
    valid[0, :, 1] = False
    hidden = SCENES.copy()
    hidden[0, :, 1] = 1e9
    answer = GeometryScale().apply_to(hidden, mask=valid)
    plain = np.where(valid[..., None], SCENES, np.nan)
    np.testing.assert_array_equal(answer["y"], GeometryScale().transform(plain))
    assert np.isnan(answer["y"][0, :, 1]).all()


def test_a_scene_without_points_or_size_is_flagged() -> None:
    scenes = SCENES.copy()
    scenes[0], scenes[1] = np.nan, 2.0
    for variant in VARIANTS[:3]:
        answer = GeometryScale(variant=variant, **({"eps": 0.0} if variant == "centroid" else {}))
        told = answer.apply_to(scenes)
        assert told.flags["empty"].tolist() == [0]
        assert np.isfinite(told["scale"]).all()
    assert GeometryScale().apply_to(scenes).flags["constant"].tolist() == [1]


def test_words_of_another_variant_and_points_of_another_space_are_refused() -> None:
    with pytest.raises(InvalidParams, match="belongs to variant 'depth_relative'"):
        GeometryScale(fx=2.0).transform(SCENES)
    with pytest.raises(ShapeError, match="3 coordinates"):
        GeometryScale().transform(SCENES[..., :2])
