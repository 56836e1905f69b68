"""Z-scores of windows: exact at any magnitude, each window by itself."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import WindowZScore, errors
from tests.unit.series.windows.window_z_score.samples import NAN, PAIR, expected


@pytest.mark.parametrize("ddof", [0, 1])
def test_formula(ddof: int) -> None:
    answer = WindowZScore(ddof=ddof).apply_to(x=PAIR)
    assert answer["y"] == pytest.approx(expected(PAIR, ddof), rel=1e-14)
    assert answer["loc"] == pytest.approx(PAIR.mean(axis=1, keepdims=True))
    assert answer["scale"].shape == (2, 1, 2)
    assert answer.flags == {}


def test_scikit_learn_17794_a_constant_gives_exact_zeros() -> None:
    answer = WindowZScore().apply_to(x=[0.1] * 7)
    assert answer["y"].tolist() == [0.0] * 7
    assert answer["loc"].tolist() == [0.1]
    assert answer["scale"].tolist() == [1.0]
    assert answer.flags["constant"].tolist() == [[0, 0]]
    assert "low_precision" not in answer.flags


@pytest.mark.parametrize("factor", [1e-300, 1e-200, 1e-9, 1.0, 1e200, 1e300])
def test_any_magnitude_is_as_exact_as_another(factor: float) -> None:
    answer = WindowZScore().apply_to(x=np.array([1.0, -1.0, 3.0]) * factor)
    assert answer["y"] == pytest.approx([0.0, -(1.5**0.5), 1.5**0.5], rel=1e-12, abs=1e-15)


def test_a_large_offset_costs_no_digits() -> None:
    answer = WindowZScore().apply_to(x=[1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3])
    assert answer["y"] == pytest.approx(np.array([-3, -1, 1, 3]) / 5**0.5, rel=1e-14)


def test_pytorch_forecasting_1063_and_750_small_spreads_stay_true() -> None:
    spike = WindowZScore().transform([0.0] * 11 + [1e5])
    assert spike == pytest.approx([-(11**-0.5)] * 11 + [11**0.5], rel=1e-12)
    near = WindowZScore().transform([5.0, 5.0, 5.0, 5.0, 5.0000001])
    assert near == pytest.approx([-0.5, -0.5, -0.5, -0.5, 2.0], rel=1e-6)


def test_spreads_near_rounding_are_flagged() -> None:
    above = np.nextafter(1.0, 2.0)
    answer = WindowZScore().apply_to(x=[[1.0, above], [1.0, 2.0]], layout="NT")
    assert answer.flags["low_precision"].tolist() == [[0, 0]]
    assert np.isfinite(answer["y"]).all()
    tiny = WindowZScore().apply_to(x=[0.0, 5e-324])
    assert tiny.flags["low_precision"].tolist() == [[0, 0]]
    assert np.isfinite(tiny["y"]).all()


def test_chronos_193_and_autogluon_5013_statistics_are_float64() -> None:
    x = (1e9 + np.array([0, 64, 128, 192])).astype(np.float32)
    answer = WindowZScore().apply_to(x=x)
    assert answer["y"].dtype == np.float32
    assert answer["y"] == pytest.approx(np.array([-3, -1, 1, 3]) / 5**0.5, rel=1e-6)
    assert answer["loc"].dtype == answer["scale"].dtype == np.float64
    assert WindowZScore().transform(np.full(7, 0.1, np.float32)).tolist() == [0.0] * 7


def test_a_window_depends_on_nothing_but_itself() -> None:
    x = np.random.default_rng(5).normal(size=(6, 9, 3))
    together = WindowZScore().transform(x)
    for index in range(6):
        assert (
            WindowZScore().transform(x[index : index + 1]).tobytes()
            == together[index : index + 1].tobytes()
        )


def test_explain_gives_the_statistics() -> None:
    answer = WindowZScore().apply_to(x=[[1.0, 3.0], [NAN, NAN]], layout="NT", explain=True)
    assert answer.explain == {
        "n": [[[2]], [[0]]],
        "loc": [[[2.0]], [[0.0]]],
        "spread": [[[1.0]], [[None]]],
    }


def test_strict_makes_flags_errors() -> None:
    with pytest.raises(errors.InvalidInput, match="constant"):
        WindowZScore().apply_to(x=[1.0, 1.0], strict=True)


def test_no_windows_and_no_steps() -> None:
    assert WindowZScore().transform(np.empty((0, 3, 2))).shape == (0, 3, 2)
    empty = WindowZScore().apply_to(x=np.empty((2, 0, 1)))
    assert empty["y"].shape == (2, 0, 1)
    assert empty.flags["empty"].tolist() == [[0, 0], [1, 0]]


def test_inputs_are_not_modified() -> None:
    x = PAIR.copy()
    x.flags.writeable = False
    WindowZScore(constant_value=1.0, mask_zero=True).transform(x)
    big_endian = x.astype(">f8")[:, ::-1]
    assert WindowZScore().transform(big_endian) == pytest.approx(expected(PAIR[:, ::-1]))


@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize("unit", [1e-320, 1e-200, 1.0, 1e300, 1.7e308])
def test_a_window_alone_has_the_bits_that_it_has_beside_others(unit: float, ddof: int) -> None:
    steps = np.random.default_rng(3).uniform(-0.4, 0.4, 50) * unit
    method = WindowZScore(ddof=ddof)
    alone = method.apply_to(steps)
    beside = method.apply_to(np.stack([steps, np.arange(50.0)]), layout="NT")
    assert alone["y"].tobytes() == beside["y"][0].tobytes()
    for name in ("loc", "scale"):
        assert alone[name].ravel().tolist() == beside[name][0].tolist()
    # The flags of the first window, of one channel.
    assert set(alone.flags) == {n for n, places in beside.flags.items() if [0, 0] in places}


@pytest.mark.parametrize(
    "steps", [[2.0], [2.0, 2.0], [2.0, None, 1.0], [1.0, 1.0 + 2.0**-52], [1.7e308, -1.7e308]]
)
def test_a_window_that_is_a_case_of_its_own_is_answered_as_beside_others(
    steps: list[float | None],
) -> None:
    method = WindowZScore()
    alone = method.apply_to(steps)
    beside = method.apply_to([steps, [1.0] * len(steps)], layout="NT")
    np.testing.assert_array_equal(alone["y"], beside["y"][0])
    assert set(alone.flags) == {n for n, places in beside.flags.items() if 0 in places[..., 0]}
