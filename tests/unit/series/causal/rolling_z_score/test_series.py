"""The way back, ragged series, and parameters that are refused."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import RollingZScore, errors
from normalizers.contract.answer import Options
from tests.unit.series.causal.rolling_z_score.samples import NAN, STREAM, carried


def test_rows_come_back_with_their_loc_and_scale() -> None:
    method = RollingZScore(window=4, min_periods=1)
    answer = method.apply_to(x=STREAM)
    back = method.inverse_transform(answer["y"], loc=answer["loc"], scale=answer["scale"])
    assert back == pytest.approx(STREAM, rel=1e-12, nan_ok=True)


def test_a_forecast_with_the_last_loc_and_scale() -> None:
    method = RollingZScore(window=4, min_periods=1)
    answer = method.apply_to(x=STREAM)
    loc, scale = answer["loc"][-1:], answer["scale"][-1:]
    restored = method.version_.inverse(
        {"y": [0.0, 1.0], "std": [1.0, 2.0], "loc": loc, "scale": scale}
    )
    assert restored["x"].tolist() == [loc[0], loc[0] + scale[0]]
    assert restored["std"].tolist() == [scale[0], 2 * scale[0]]
    with pytest.raises(errors.ShapeError, match="one step for all"):
        method.inverse_transform([0.0, 1.0, 2.0], loc=[1.0, 2.0], scale=[1.0, 1.0])


def test_ragged_series_begin_at_their_beginning() -> None:
    method = RollingZScore(window=2)
    answer = method.apply_to(x=[1.0, 2.0, 5.0, 5.0, 5.0, 7.0], offsets=[0, 2, 2, 6])
    parts = [part.tolist() for part in answer["y"]]
    assert parts[0] == pytest.approx([NAN, 1.0], nan_ok=True)
    assert parts[1] == []
    assert parts[2][1:] == [0.0, 0.0, 1.0]
    assert "state" not in answer.output
    assert answer.flags["constant"].tolist() == [[2, 0]]
    assert answer.flags["insufficient"].tolist() == [[0, 0], [2, 0]]
    back = method.inverse_transform(answer["y"], loc=answer["loc"], scale=answer["scale"])
    assert back.values[[1, 3, 4, 5]].tolist() == [2.0, 5.0, 5.0, 7.0]
    with pytest.raises(errors.InvalidInput, match="carry no state"):
        method.apply_to(x=[1.0], offsets=[0, 1], state=carried())
    with pytest.raises(errors.IncompatibleState):
        method.version_.transform({"x": [1.0], "offsets": [0, 1]}, Options(start_step=3))


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({}, "params.window"),
        ({"window": 0}, "params.window"),
        ({"window": 2.5}, "params.window"),
        ({"window": 10**9}, "params.window"),
        ({"window": 3, "min_periods": 4}, "params.min_periods"),
        ({"window": 3, "min_periods": 0}, "params.min_periods"),
        ({"window": 3, "constant_value": 1.0, "on_constant": "keep"}, "params.constant_value"),
    ],
)
def test_parameters_that_are_refused(params: dict[str, object], path: str) -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        RollingZScore(**params).transform([1.0, 2.0])
    assert caught.value.path == path


def test_explain_counts_the_observed_values() -> None:
    answer = RollingZScore(window=3).apply_to(x=[1.0, NAN, 3.0, 4.0], explain=True)
    assert answer.explain == {"n": [[[1], [1], [2], [2]]]}


def test_no_rows() -> None:
    answer = RollingZScore(window=3).apply_to(x=np.empty((2, 0, 3)))
    assert answer["y"].shape == (2, 0, 3)
    assert answer["state"]["step"] == 0
    assert RollingZScore(window=3).transform(np.empty((0, 4, 2))).shape == (0, 4, 2)


def test_inputs_are_not_modified() -> None:
    x = STREAM.copy()
    x.flags.writeable = False
    method = RollingZScore(window=3, constant_value=1.0)
    state = method.apply_to(x=x)["state"]
    assert not state["rows"].flags.writeable
    method.apply_to(x=x, state=state)
