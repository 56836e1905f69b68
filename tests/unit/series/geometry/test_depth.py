from __future__ import annotations

import numpy as np
import pytest

from normalizers import DepthAffineInvariant, DepthLog3

MAPS = np.random.default_rng(0).uniform(0.5, 60.0, size=(3, 4, 5))


def test_defm_serves_the_constant_its_weights_were_trained_with() -> None:
    # The paper says 10 m and log1p; the code took log(10), which is log1p(9).
    y = DepthLog3().transform([[[9.0, 10.0, 3.0]]])
    assert y[0, 0, 0, 1] == 1.0
    np.testing.assert_allclose(y[0, 0, 2, 1], np.log1p(3.0) / np.log(10.0), rtol=1e-15)
    paper = DepthLog3(max_depth_c2=10.0).transform([[[9.0, 10.0, 3.0]]])
    assert paper[0, 0, 1, 1] == 1.0
    assert paper[0, 0, 0, 1] < 1.0


def test_what_is_no_depth_is_zero_flagged_and_counted() -> None:
    maps = MAPS.copy()
    maps[1, 0, 0], maps[2, 1, 1] = np.nan, np.inf
    answer = DepthLog3().apply_to(maps)
    assert answer["y"].shape == (3, 4, 5, 3)
    assert answer.flags["missing"].tolist() == [1, 2]
    assert answer.report["missing"] == 2
    np.testing.assert_array_equal(answer["y"][1, 0, 0, :2], 0.0)


def test_a_flat_map_is_zero_in_the_relative_channel() -> None:
    answer = DepthLog3().apply_to(np.full((1, 2, 2), 4.0))
    np.testing.assert_array_equal(answer["y"][..., 2], 0.0)
    assert answer.flags["constant"].tolist() == [0]


def test_published_statistics_of_channels_are_on_request() -> None:
    plain, standard = (DepthLog3(standardize=choice).transform(MAPS) for choice in (False, True))
    np.testing.assert_allclose(standard[..., 0], (plain[..., 0] - 0.248880) / 0.139357)


def test_one_map_alone_is_answered_as_one_map() -> None:
    y = DepthLog3().transform(MAPS[0])
    assert y.shape == (4, 5, 3)
    np.testing.assert_array_equal(y, DepthLog3().transform(MAPS)[0])


@pytest.mark.parametrize(("factor", "shift"), [(3.0, 0.0), (0.25, 7.0), (1e6, -5.0)])
def test_cross_context_depth_forgets_shift_and_scale(factor: float, shift: float) -> None:
    method = DepthAffineInvariant(eps=0.0)
    moved = method.transform(MAPS * factor + shift)
    np.testing.assert_allclose(moved, method.transform(MAPS), rtol=1e-8, atol=1e-9)


def test_depth_comes_back_and_gaps_stay_gaps() -> None:
    maps = MAPS.copy()
    maps[0, 1, 1] = np.nan
    method = DepthAffineInvariant()
    answer = method.apply_to(maps)
    back = method.inverse_transform(answer["y"], loc=answer["loc"], scale=answer["scale"])
    np.testing.assert_allclose(back, maps, rtol=1e-12)


def test_maps_without_spread_or_pixels_are_flagged() -> None:
    maps = MAPS.copy()
    maps[0] = 3.0
    answer = DepthAffineInvariant().apply_to(maps, mask=np.arange(3)[:, None, None] != 1 + 0 * maps)
    np.testing.assert_array_equal(answer["y"][0], 0.0)
    assert answer.flags["constant"].tolist() == [0]
    assert answer.flags["empty"].tolist() == [1]
    assert (answer["loc"][1], answer["scale"][1]) == (0.0, 1.0)
