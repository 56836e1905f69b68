"""The carried state: what it holds, and what it is bound to."""

from __future__ import annotations

import json

import numpy as np
import pytest

from normalizers import RollingZScore, errors
from tests.unit.series.causal.rolling_z_score.samples import NAN, STREAM, carried


def test_the_state_holds_the_last_rows_missing_ones_included() -> None:
    state = RollingZScore(window=3).apply_to(x=[1.0, 2.0, NAN, 4.0])["state"]
    assert set(state) == {"method", "binding", "step", "rows"}
    assert (state["method"], state["step"]) == ("rolling_z_score", 4)
    assert state["rows"].tolist() == [[[pytest.approx(NAN, nan_ok=True)], [4.0]]]
    longer = RollingZScore(window=3, include_current=False).apply_to(x=[1.0, 2.0, NAN, 4.0])
    assert longer["state"]["rows"].shape == (1, 3, 1)
    assert RollingZScore(window=9).apply_to(x=[1.0, 2.0])["state"]["rows"].shape == (1, 2, 1)
    float32 = RollingZScore(window=2).apply_to(x=np.ones(3, dtype=np.float32))
    assert (float32["y"].dtype, float32["state"]["rows"].dtype) == (np.float32, np.float64)


def test_the_state_survives_json() -> None:
    method = RollingZScore(window=4, min_periods=2)
    first = method.apply_to(x=STREAM[:5])
    rows = [[[None if np.isnan(v) else v for v in row] for row in part] for part in
            first["state"]["rows"].tolist()]  # fmt: skip
    sent = json.loads(json.dumps({**first["state"], "rows": rows}))
    again = method.apply_to(x=STREAM[5:], state=sent)["y"]
    assert again.tobytes() == method.transform(STREAM)[5:].tobytes()
    alone = RollingZScore(window=1)
    state = {**alone.apply_to(x=[1.0])["state"], "rows": [[]]}
    assert alone.apply_to(x=[2.0], state=state)["y"].tolist() == [0.0]


def test_the_same_state_and_chunk_give_the_same_answer() -> None:
    method = RollingZScore(window=4, min_periods=2)
    state = method.apply_to(x=STREAM[:5])["state"]
    first = method.apply_to(x=STREAM[5:], state=state)
    again = method.apply_to(x=STREAM[5:], state=state)
    assert first["y"].tobytes() == again["y"].tobytes()


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"method": "expanding_z_score"}, "input.state.method"),
        ({"binding": "0" * 64}, "input.state.binding"),
        ({"binding": None}, "input.state.binding"),
        ({"step": -1}, "input.state.step"),
        ({"step": 1.5}, "input.state.step"),
        ({"step": True}, "input.state.step"),
        ({"step": 10**400}, "input.state.step"),
        ({"step": 1}, "input.state.rows"),
        ({"rows": [[[1.0]]]}, "input.state.rows"),
        ({"rows": [[[1.0], [2.0], [3.0]]]}, "input.state.rows"),
        ({"rows": [[[1.0, 2.0]]]}, "input.state.rows"),
        ({"rows": []}, "input.state.rows"),
        ({"hidden": 1}, "input.state"),
    ],
)
def test_a_posted_state_is_checked(changed: dict[str, object], path: str) -> None:
    with pytest.raises(errors.IncompatibleState) as caught:
        RollingZScore(window=3).apply_to(x=[1.0], state={**carried(), **changed})
    assert caught.value.path == path


@pytest.mark.parametrize("name", ["method", "binding", "step", "rows"])
def test_a_state_that_lacks_a_member(name: str) -> None:
    state = carried()
    del state[name]
    with pytest.raises(errors.IncompatibleState, match=f"lacks '{name}'"):
        RollingZScore(window=3).apply_to(x=[1.0], state=state)


@pytest.mark.parametrize("rows", [[[["1"], [2.0]]], [[[True], [2.0]]], [[[np.inf], [2.0]]], "x"])
def test_rows_of_a_state_are_numbers(rows: object) -> None:
    with pytest.raises(errors.InvalidInput) as caught:
        RollingZScore(window=3).apply_to(x=[1.0], state={**carried(), "rows": rows})
    assert caught.value.path.startswith("input.state.rows")


@pytest.mark.parametrize(
    ("params", "x"),
    [
        ({"window": 4}, [1.0]),
        ({"window": 3, "include_current": False}, [1.0]),
        ({"window": 3}, np.ones((2, 1, 1))),
        ({"window": 3}, np.ones((1, 1, 2))),
    ],
)
def test_a_state_is_bound_to_parameters_windows_and_channels(
    params: dict[str, object], x: object
) -> None:
    with pytest.raises(errors.IncompatibleState) as caught:
        RollingZScore(**params).apply_to(x=x, state=carried())
    assert caught.value.path == "input.state.binding"


def test_a_state_is_not_bound_to_what_does_not_shape_it() -> None:
    method = RollingZScore(window=3, ddof=1, min_periods=2, constant_value=0.5)
    assert method.apply_to(x=[4.0], state=carried())["state"]["step"] == 4


def test_start_step() -> None:
    method = RollingZScore(window=3)
    assert method.apply_to(x=[1.0], state=carried(), start_step=3)["state"]["step"] == 4
    for fields in ({"state": carried(), "start_step": 2}, {"start_step": 1}):
        with pytest.raises(errors.IncompatibleState) as caught:
            method.apply_to(x=[1.0], **fields)
        assert caught.value.path == "options.start_step"
    assert method.apply_to(x=[1.0], start_step=0)["state"]["step"] == 1
