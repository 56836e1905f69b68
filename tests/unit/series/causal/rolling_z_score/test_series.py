"""The way back, ragged series, and parameters that are refused."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import RollingZScore, errors
from normalizers.contract.answer import Options
from tests.unit.series.causal.rolling_z_score.samples import NAN, STREAM


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
    assert answer.flags["constant"].tolist() == [[2, 0]]
    assert answer.flags["insufficient"].tolist() == [[0, 0], [2, 0]]
    back = method.inverse_transform(answer["y"], loc=answer["loc"], scale=answer["scale"])
    assert back.values[[1, 3, 4, 5]].tolist() == [2.0, 5.0, 5.0, 7.0]


def test_k14_ragged_series_carry_a_state_each() -> None:
    method = RollingZScore(window=3, min_periods=2)
    series = [STREAM[:7], STREAM[:0], STREAM[2:], STREAM[3:4]]
    whole = method.apply_to(x=series, layout="ragged")
    cuts = [(2, 0, 6, 0), (3, 0, 9, 1), (7, 0, 10, 1)]
    state, parts = {}, []
    for start, stop in zip([(0, 0, 0, 0), *cuts[:-1]], cuts, strict=True):
        chunk = [x[a:b] for x, a, b in zip(series, start, stop, strict=True)]
        answer = method.apply_to(x=chunk, layout="ragged", **state)
        parts.append(answer)
        state = {"state": answer["state"]}
    for name in ("y", "loc", "scale"):
        for index in range(4):
            joined = np.concatenate([part[name][index] for part in parts])
            assert joined.tobytes() == whole[name][index].tobytes()
    assert answer["state"]["step"].tolist() == [7, 0, 10, 1]
    assert answer["state"]["binding"] == whole["state"]["binding"]
    np.testing.assert_array_equal(answer["state"]["rows"], whole["state"]["rows"])
    alone = method.apply_to(x=STREAM[2:])
    np.testing.assert_array_equal(answer["state"]["rows"][2], alone["state"]["rows"][0])


def test_k14_the_state_of_ragged_series_is_not_that_of_windows() -> None:
    method = RollingZScore(window=3)
    state = method.apply_to(x=[STREAM[:4]], layout="ragged")["state"]
    with pytest.raises(errors.IncompatibleState) as caught:
        method.apply_to(x=STREAM[4:], state=state)
    assert caught.value.path == "input.state.binding"
    for wrong in (4, [4, 4], [4.5]):
        with pytest.raises(errors.IncompatibleState) as caught:
            method.apply_to(x=[STREAM[4:]], layout="ragged", state={**state, "step": wrong})
        assert caught.value.path == "input.state.step"
    two = method.apply_to(x=[STREAM[:4], STREAM[:1]], layout="ragged")["state"]
    rows = two["rows"].copy()
    rows[1, 0] = 5.0
    with pytest.raises(errors.IncompatibleState, match="series 1 holds 1 rows"):
        method.apply_to(x=[[1.0], [1.0]], layout="ragged", state={**two, "rows": rows})


def test_k14_start_step_is_that_of_every_series() -> None:
    method = RollingZScore(window=3)
    state = method.apply_to(x=[STREAM[:4], STREAM[:3]], layout="ragged")["state"]
    with pytest.raises(errors.IncompatibleState, match="stands at step 3"):
        method.apply_to(x=[[1.0], [1.0]], layout="ragged", state=state, start_step=4)
    with pytest.raises(errors.IncompatibleState):
        method.version_.transform({"x": [1.0], "offsets": [0, 1]}, Options(start_step=3))


def test_k14_masks_hide_values_from_the_statistics() -> None:
    mask = np.ones(len(STREAM))
    mask[[1, 6]] = 0
    gappy = np.where(mask == 1, STREAM, NAN)
    hidden = RollingZScore(window=4, min_periods=2).apply_to(x=STREAM, mask=mask)
    missing = RollingZScore(window=4, min_periods=2).apply_to(x=gappy)
    for name in ("y", "loc", "scale"):
        assert hidden[name].tobytes() == missing[name].tobytes()
    np.testing.assert_array_equal(hidden["state"]["rows"], missing["state"]["rows"])
    method = RollingZScore(window=4, min_periods=2, masked_output="transform")
    shown = method.apply_to(x=STREAM, mask=mask)
    expected = (STREAM[6] - shown["loc"][6]) / shown["scale"][6]
    assert shown["y"][6] == expected
    ragged = method.apply_to(x=STREAM, mask=mask, offsets=[0, len(STREAM)])
    assert ragged["y"].values.tobytes() == shown["y"].tobytes()


def test_k14_peers_epsilons_and_floors() -> None:
    x = [1.0, 2.0, 4.0]
    floored = RollingZScore(window=3, min_periods=1, ddof=1, ddof_floor=1).apply_to(x=x)
    assert floored["y"][0] == 0.0
    added = RollingZScore(window=3, min_periods=1, eps=0.5, eps_mode="add_std").apply_to(x=x)
    assert added["scale"].tolist() == pytest.approx([0.5, 1.0, 0.5 + np.std(x)])
    with pytest.raises(errors.InvalidParams, match="eps_mode"):
        RollingZScore(window=3, eps=0.1).transform(x)


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
