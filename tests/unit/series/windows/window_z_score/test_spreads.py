"""Windows of few or equal values, epsilons, other locations and spreads."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import WindowZScore, errors
from tests.unit.series.windows.window_z_score.samples import NAN


def test_pytorch_forecasting_1321_one_value_without_a_spread() -> None:
    x = [[1.0, 2.0, 4.0], [7.0, NAN, NAN]]
    answer = WindowZScore(ddof=1).apply_to(x=x, layout="NT")
    assert answer.flags["insufficient"].tolist() == [[1, 0]]
    assert "constant" not in answer.flags
    assert (answer["loc"][1, 0], answer["scale"][1, 0]) == (7.0, 1.0)
    assert answer["y"][1, 0] == 0.0
    one = WindowZScore().apply_to(x=[7.0])
    assert one["y"].tolist() == [0.0]
    assert one.flags["constant"].tolist() == [[0, 0]]


@pytest.mark.parametrize(
    ("rule", "y", "loc"), [("scale_one", 0.0, 7.0), ("zero", 0.0, 7.0), ("identity", 7.0, 0.0)]
)
def test_too_few_values(rule: str, y: float, loc: float) -> None:
    answer = WindowZScore(ddof=1, on_few=rule).apply_to(x=[7.0])
    assert answer["y"].tolist() == [y]
    assert answer["loc"].tolist() == [loc]


def test_too_few_values_may_be_an_error() -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        WindowZScore(ddof=1, on_few="error").transform([7.0])
    assert caught.value.path == "params.on_few"


def test_a_floor_of_the_divisor() -> None:
    answer = WindowZScore(ddof=1, ddof_floor=1, eps=0.1, eps_mode="add_var").apply_to(x=[7.0])
    assert answer["scale"].tolist() == [pytest.approx(0.1**0.5)]
    assert "insufficient" not in answer.flags


@pytest.mark.parametrize(
    ("params", "y"),
    [
        ({}, 0.0),
        ({"on_constant": "zero"}, 0.0),
        ({"on_constant": "half"}, 0.5),
        ({"on_constant": "value"}, 0.0),
        ({"constant_value": -2.0}, -2.0),
        ({"on_constant": "keep"}, 5.0),
    ],
)
def test_constant_windows(params: dict[str, object], y: float) -> None:
    method = WindowZScore(**params)
    answer = method.apply_to(x=[5.0, None, 5.0])
    assert answer["y"].tolist() == pytest.approx([y, NAN, y], nan_ok=True)
    assert answer.flags["constant"].tolist() == [[0, 0]]
    back = method.inverse_transform(answer["y"], loc=answer["loc"], scale=answer["scale"])
    assert back.tolist() == pytest.approx([5.0, NAN, 5.0], nan_ok=True)


def test_a_constant_may_be_an_error() -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        WindowZScore(on_constant="error").transform([1.0, 1.0])
    assert caught.value.path == "params.on_constant"


@pytest.mark.parametrize(
    ("mode", "constant", "other"),
    [
        ("add_var", 0.5, 1.25**0.5),
        ("add_std", 0.25, 1.25),
        ("floor", 0.25, 1.0),
        ("zero_to_one", 1.0, 1.0),
        ("zero_to_eps", 0.25, 1.0),
        ("zero_to_one_then_add", 1.25, 1.25),
        ("below_to_one", 1.0, 1.0),
    ],
)
def test_places_of_an_epsilon(mode: str, constant: float, other: float) -> None:
    answer = WindowZScore(eps=0.25, eps_mode=mode).apply_to(x=[[3.0, 3.0], [1.0, 3.0]], layout="NT")
    assert answer["scale"].reshape(-1) == pytest.approx([constant, other], rel=1e-15)
    assert answer["y"][0].tolist() == [0.0, 0.0]
    assert answer.flags["constant"].tolist() == [[0, 0]]


def test_on_constant_acts_where_the_scale_is_still_zero() -> None:
    answer = WindowZScore(eps=1e-5, eps_mode="add_std", constant_value=9.0).apply_to(x=[2.0, 2.0])
    assert answer["y"].tolist() == [0.0, 0.0]


def test_other_locations_and_spreads() -> None:
    x = [3.0, 4.0, 5.0]
    uncentred = WindowZScore(center="none").apply_to(x=x)
    assert uncentred["y"] == pytest.approx(np.array(x) / np.std(x))
    assert uncentred["loc"].tolist() == [0.0]
    rms = WindowZScore(center="none", scale="rms").apply_to(x=x)
    assert rms["scale"] == pytest.approx([(50 / 3) ** 0.5], rel=1e-15)
    assert WindowZScore(scale="none").transform(x).tolist() == [-1.0, 0.0, 1.0]
    huge = WindowZScore(scale="rms").apply_to(x=[3e300, 4e300])
    assert huge["scale"] == pytest.approx([12.5**0.5 * 1e300])


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({"eps": 1e-5}, "params.eps"),
        ({"eps": 1e-5, "eps_mode": "none"}, "params.eps"),
        ({"eps": -1.0, "eps_mode": "floor"}, "params.eps"),
        ({"eps": 1.0, "eps_mode": "floor", "scale": "none"}, "params.eps"),
        ({"ddof": -1}, "params.ddof"),
        ({"constant_value": 1.0, "on_constant": "keep"}, "params.constant_value"),
        ({"center": "median"}, "params.center"),
    ],
)
def test_parameters_that_are_refused(params: dict[str, object], path: str) -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        WindowZScore(**params).transform([1.0, 2.0])
    assert caught.value.path == path
