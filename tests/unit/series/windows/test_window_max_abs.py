"""Windows divided by their largest size: zeros, constants, gaps, and the way back."""

from __future__ import annotations

import numpy as np
import pytest

from app.main import create_app
from docs.parameters import parameter_section
from normalizers import WindowMaxAbs, errors
from normd.cli.options.parameters import method_options
from normd.wire.descriptions import describe

NAN = float("nan")


def test_every_window_and_channel_by_itself() -> None:
    x = np.array([[[1.0, -10.0], [-2.0, 5.0]], [[0.5, 0.0], [0.0, -4.0]]])
    answer = WindowMaxAbs().apply_to(x=x)
    assert answer["y"].tolist() == [[[0.5, -1.0], [-1.0, 0.5]], [[1.0, 0.0], [0.0, -1.0]]]
    assert answer["loc"].tolist() == [[[0.0, 0.0]], [[0.0, 0.0]]]
    assert answer["scale"].tolist() == [[[2.0, 10.0]], [[0.5, 4.0]]]
    assert not answer.flags


@pytest.mark.parametrize("size", [5e-324, 1e-200, 1e300, np.finfo(np.float64).max])
def test_any_size(size: float) -> None:
    answer = WindowMaxAbs().apply_to(x=[0.0, -size, size])
    assert answer["y"].tolist() == [0.0, -1.0, 1.0]
    assert answer["scale"].tolist() == [size]


@pytest.mark.parametrize(
    ("params", "y", "loc"),
    [
        ({}, 0.0, 0.0),
        ({"on_constant": "zero"}, 0.0, 0.0),
        ({"on_constant": "half"}, 0.5, -0.5),
        ({"on_constant": "keep"}, 0.0, 0.0),
        ({"constant_value": -2.0}, -2.0, 2.0),
    ],
)
def test_zero_throughout(params: dict[str, object], y: float, loc: float) -> None:
    method = WindowMaxAbs(**params)
    answer = method.apply_to(x=[0.0, None, -0.0])
    assert answer["y"].tolist() == pytest.approx([y, NAN, y], nan_ok=True)
    assert (answer["loc"].tolist(), answer["scale"].tolist()) == ([loc], [1.0])
    assert answer.flags["constant"].tolist() == [[0, 0]]
    back = method.inverse_transform([y], loc=answer["loc"], scale=answer["scale"])
    assert back.tolist() == [0.0]


def test_zero_throughout_may_be_an_error() -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        WindowMaxAbs(on_constant="error").transform([0.0, 0.0])
    assert caught.value.path == "params.on_constant"


def test_another_constant_has_a_spread() -> None:
    answer = WindowMaxAbs(on_constant="error").apply_to(x=[-7.0, -7.0])
    assert answer["y"].tolist() == [-1.0, -1.0]
    assert answer.flags["constant"].tolist() == [[0, 0]]
    assert WindowMaxAbs().transform([7.0]).tolist() == [1.0]


def test_missing_and_masked_values_are_left_out() -> None:
    answer = WindowMaxAbs().apply_to(x=[None, 2.0, -8.0, 100.0], mask=[1, 1, 1, 0])
    assert answer["y"].tolist() == pytest.approx([NAN, 0.25, -1.0, NAN], nan_ok=True)
    with pytest.raises(errors.InvalidInput):
        WindowMaxAbs(nan_policy="reject").transform([None, 2.0])


def test_nothing_observed() -> None:
    answer = WindowMaxAbs().apply_to(x=[None, None])
    assert np.isnan(answer["y"]).all()
    assert (answer["loc"].tolist(), answer["scale"].tolist()) == ([0.0], [1.0])
    assert answer.flags["empty"].tolist() == [[0, 0]]


def test_a_forecast_of_another_length_comes_back() -> None:
    method = WindowMaxAbs()
    answer = method.apply_to(x=[[1.0, -4.0], [10.0, 5.0]], layout="NT")
    forecast = np.array([[0.5, 1.0, 1.5], [-1.0, 0.0, 2.0]])
    sizes = {name: answer[name] for name in ("loc", "scale")}
    back = method.inverse_transform(forecast, **sizes, layout="NT")
    assert back.tolist() == [[2.0, 4.0, 6.0], [-10.0, 0.0, 20.0]]


def test_an_epsilon_of_a_peer() -> None:
    answer = WindowMaxAbs(eps=1.0, eps_mode="add_std").apply_to(x=[3.0, -1.0])
    assert answer["scale"].tolist() == [4.0]
    assert answer["y"].tolist() == [0.75, -0.25]


def test_there_is_no_rule_for_too_few_since_one_value_is_enough() -> None:
    with pytest.raises(errors.InvalidParams, match="unknown parameter 'on_few'"):
        WindowMaxAbs(on_few="error")


def test_nothing_that_shows_parameters_shows_one_that_is_dropped() -> None:
    described = describe(WindowMaxAbs)
    shown = [
        described["affects"],
        described["parameters"]["properties"],
        [option.name for option in method_options(described)],
        parameter_section(WindowMaxAbs),
        create_app().openapi()["components"]["schemas"]["window_max_abs.params"]["properties"],
    ]
    for names in shown:
        assert "on_constant" in names
        assert "on_few" not in names
