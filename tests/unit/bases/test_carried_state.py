"""States as named arrays: declared with their shapes by step, checked when they are posted."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from normalizers.bases.carried_arrays import CarriedArray
from normalizers.bases.carried_state import Binding, Carried, read_carried
from normalizers.errors import IncompatibleState, InvalidInput

ARRAYS = {
    "rows": CarriedArray(lambda step: min(step, 2), missing=True),
    "n": CarriedArray(least=0, whole=True),
    "m2": CarriedArray(least=0),
    "mean": CarriedArray(missing=True, start=np.nan),
    "share": CarriedArray(least=0, most=1),
}
BINDING = Binding("sample", {"window": 3}, windows=1, channels=2, arrays=ARRAYS)


def state(**changed: object) -> Mapping[str, object]:
    arrays = {
        "rows": np.array([[[1.0, np.nan], [2.0, 3.0]]]),
        "n": np.array([[5.0, 4.0]]),
        "m2": np.array([[0.5, 0.0]]),
        "mean": np.array([[np.nan, 1.0]]),
        "share": np.array([[0.0, 1.0]]),
    }
    return {**Carried(np.array([5]), arrays).members(BINDING), **changed}


def test_k14_a_state_comes_back_as_it_was_given() -> None:
    read = read_carried(state(), BINDING, None)
    assert read.steps.tolist() == [5]
    for name in ARRAYS:
        np.testing.assert_array_equal(read.arrays[name], state()[name])


def test_k14_a_series_begins_with_what_is_declared() -> None:
    begun = read_carried(None, BINDING, 0)
    assert begun.steps.tolist() == [0]
    assert begun.arrays["rows"].shape == (1, 0, 2)
    assert begun.arrays["n"].tolist() == [[0.0, 0.0]]
    assert np.isnan(begun.arrays["mean"]).all()


@pytest.mark.parametrize(
    ("name", "value", "path"),
    [
        ("m2", [[0.5, -1e-300]], "input.state.m2[0][1]"),
        ("m2", [[None, 0.0]], "input.state.m2[0][0]"),
        ("n", [[5.5, 4.0]], "input.state.n[0][0]"),
        ("n", [[-1.0, 4.0]], "input.state.n[0][0]"),
        ("n", [[1e300, 4.0]], "input.state.n[0][0]"),
        ("share", [[0.5, 1.5]], "input.state.share[0][1]"),
        ("mean", [[np.inf, 0.0]], "input.state.mean"),
    ],
)
def test_k14_numbers_that_no_steps_give_are_refused(name: str, value: object, path: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_carried(state(**{name: value}), BINDING, None)
    assert caught.value.path == path


@pytest.mark.parametrize(
    ("name", "value"),
    [("m2", [0.5, 0.0]), ("rows", [[[1.0, 2.0]]]), ("n", []), ("step", 1), ("binding", "0" * 64)],
)
def test_k14_another_shape_step_or_binding_is_a_conflict(name: str, value: object) -> None:
    with pytest.raises(IncompatibleState) as caught:
        read_carried(state(**{name: value}), BINDING, None)
    assert caught.value.path.startswith("input.state.")


def test_k14_a_state_bound_to_no_parameter_says_so() -> None:
    plain = Binding("sample", {}, windows=1, channels=2, arrays=ARRAYS)
    with pytest.raises(IncompatibleState, match="belongs to another number of windows"):
        read_carried(state(), plain, None)
