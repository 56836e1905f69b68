"""Missing values and infinities before a method's arithmetic."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.contract.fields import Fields, floats, labels, lists, series
from normalizers.data.batch import Batch, InputForm, Value
from normalizers.data.ragged import Ragged
from normalizers.errors import NonFiniteError
from normalizers.validation.missing import screen

NAN, INFINITY = float("nan"), float("inf")
FIELDS = Fields(x=floats("n d"), scores=lists(), passed=floats("n", screened=False), s=series())


def screened(
    values: dict[str, Value], nan: str = "reject", inf: str = "as_nan", **forms: InputForm
) -> Batch:
    batch = Batch(values, forms)
    return screen(FIELDS, batch, nan_policy=nan, inf_policy=inf, path="input", hint="; omit it")


@pytest.mark.parametrize("value", [NAN, INFINITY, -INFINITY])
def test_what_is_not_finite_is_refused_with_its_place(value: float) -> None:
    with pytest.raises(NonFiniteError, match=r"input\.x\[1\]\[0\]; omit it") as caught:
        screened({"x": np.array([[1.0, 2.0], [value, 3.0]])})
    assert caught.value.path == "input.x[1][0]"
    assert caught.value.positions == [(1, 0)]


def test_positions_are_counted_and_the_first_twenty_carried() -> None:
    with pytest.raises(NonFiniteError, match=r"\(50 of them\)") as caught:
        screened({"x": np.full((50, 1), NAN)})
    assert len(caught.value.positions) == 20
    assert caught.value.positions[:2] == [(0, 0), (1, 0)]


@pytest.mark.parametrize(
    ("form", "place"),
    [
        (InputForm("flat"), "input.scores[1]"),
        (InputForm("nested"), "input.scores[0][1]"),
        (InputForm("matrix"), "input.scores[0][1]"),
    ],
)
def test_a_place_is_named_as_the_request_wrote_it(form: InputForm, place: str) -> None:
    with pytest.raises(NonFiniteError) as caught:
        screened({"scores": Ragged.of([[1.0, NAN], [2.0]])}, scores=form)
    assert caught.value.path == place
    assert caught.value.positions == [(0, 1)]


@pytest.mark.parametrize(
    ("form", "place"),
    [
        (InputForm(order=(0, 1, 2)), "input.s[1][2][0]"),
        (InputForm(order=(0, 2, 1)), "input.s[1][0][2]"),
        (InputForm(order=(0, 1, 2), squeezed=(2,)), "input.s[1][2]"),
        (InputForm(order=(1, 0, 2), squeezed=(0, 2)), "input.s[2]"),
    ],
)
def test_a_place_of_a_series_is_named_in_its_layout(form: InputForm, place: str) -> None:
    windows = np.zeros((2, 3, 1))
    windows[1, 2, 0] = NAN
    with pytest.raises(NonFiniteError) as caught:
        screened({"s": windows}, s=form)
    assert caught.value.path == place


@pytest.mark.parametrize("policy", ["omit", "propagate", "last"])
def test_an_infinity_counts_as_missing(policy: str) -> None:
    x = np.array([[1.0, INFINITY], [NAN, -INFINITY]])
    found = screened({"x": x, "scores": Ragged.of([[INFINITY]])}, policy)
    np.testing.assert_array_equal(found.array("x"), [[1.0, NAN], [NAN, NAN]])
    np.testing.assert_array_equal(found.ragged("scores").values, [NAN])
    assert np.isinf(x[0, 1])


@pytest.mark.parametrize("policy", ["reject", "omit", "propagate"])
def test_an_infinity_is_refused_by_its_own_policy(policy: str) -> None:
    with pytest.raises(NonFiniteError, match=r"an infinity at input\.x\[0\]\[1\]") as caught:
        screened({"x": np.array([[NAN, INFINITY]])}, policy, "reject")
    assert caught.value.positions == [(0, 1)]


def test_fields_that_are_not_screened_pass() -> None:
    fields = Fields(passed=floats("n", screened=False), groups=labels("n j"))
    batch = Batch({"passed": np.array([NAN]), "groups": np.array([["a"]], dtype=object)})
    found = screen(fields, batch, nan_policy="reject", inf_policy="reject", path="input")
    np.testing.assert_array_equal(found.array("passed"), [NAN])
