"""Missing and masked values of windows."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import WindowZScore, errors
from tests.unit.series.windows.window_z_score.samples import NAN, expected


def test_missing_values_are_left_out_and_stay_missing() -> None:
    answer = WindowZScore().apply_to(x=[[[1.0], [2.0], [4.0], [None]], [[1.0], [2.0], [3.0], [4]]])
    assert answer["y"][0, :3, 0] == pytest.approx(expected(np.array([[1.0, 2.0, 4.0]]))[0])
    assert np.isnan(answer["y"][0, 3, 0])
    assert answer.flags["missing"].tolist() == [[0, 0]]
    with pytest.raises(errors.NonFiniteError) as caught:
        WindowZScore(nan_policy="reject").apply_to(x=[[1.0, 2.0], [3.0, None]], layout="NT")
    assert caught.value.path == "input.x[1][1]"


def test_infinities_are_refused_with_their_place_in_the_request() -> None:
    with pytest.raises(errors.NonFiniteError) as caught:
        WindowZScore().apply_to(x=[[1.0, 2.0], [np.inf, 3.0]], layout="TC")
    assert caught.value.path == "input.x[1][0]"
    answer = WindowZScore(inf_policy="as_nan").apply_to(x=[1.0, np.inf, 3.0])
    assert answer["y"].tolist() == pytest.approx([-1.0, NAN, 1.0], nan_ok=True)


def test_neuralforecast_299_an_empty_window_leaves_its_neighbours_alone() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(4, 5, 2))
    mask = np.ones((4, 5, 2))
    mask[2] = 0
    answer = WindowZScore().apply_to(x=x, mask=mask)
    assert answer.flags["empty"].tolist() == [[2, 0], [2, 1]]
    assert answer["loc"][2].tolist() == [[0.0, 0.0]]
    assert answer["scale"][2].tolist() == [[1.0, 1.0]]
    assert np.isnan(answer["y"][2]).all()
    others = WindowZScore().transform(x[[0, 1, 3]])
    assert answer["y"][[0, 1, 3]].tobytes() == others.tobytes()


def test_masked_values() -> None:
    x, mask = [1.0, 2.0, 3.0, 100.0], [1, 1, 1, 0]
    hidden = WindowZScore().apply_to(x=x, mask=mask)
    assert hidden["y"].tolist() == pytest.approx([-(1.5**0.5), 0.0, 1.5**0.5, NAN], nan_ok=True)
    shown = WindowZScore(masked_output="transform").apply_to(x=x, mask=[True, True, True, False])
    assert shown["y"][3] == pytest.approx(98 * 1.5**0.5)
    assert "missing" not in shown.flags
    for bad in ([1, 1, 1, 2], [1, 1, 1, None], [1, 1, 1]):
        with pytest.raises(errors.InvalidInput):
            WindowZScore().apply_to(x=x, mask=bad)


def test_masks_in_nested_lists() -> None:
    answer = WindowZScore().apply_to(
        x=[[[1.0, 5.0], [3.0, 7.0]]], mask=[[[True, False], [True, True]]]
    )
    assert answer["y"][0, :, 0].tolist() == [-1.0, 1.0]
    assert answer.flags["missing"].tolist() == [[0, 1]]


def test_zeros_may_be_missing_and_stay_zero() -> None:
    answer = WindowZScore(mask_zero=True).apply_to(x=[0.0, 1.0, 3.0, 0.0])
    assert answer["y"].tolist() == [0.0, -1.0, 1.0, 0.0]
    assert answer["loc"].tolist() == [2.0]
    assert answer.flags == {}
