"""Rolling z-scores: causality, chunks, the carried state, and spikes."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
import pytest

from normalizers import errors
from normalizers.answer import Options
from normalizers.series import RollingZScore

NAN = float("nan")
STREAM = np.array(
    [11.082, 1.889, 7.836, NAN, 6.095, 6.569, 2.96, 6.536, 5.27, 13.646, 7.452, 6.295]
)


def one_by_one(x: np.ndarray, window: int, ddof: int, least: int, *, current: bool) -> np.ndarray:
    y = np.full(len(x), NAN)
    for step in range(len(x)):
        end = step + 1 if current else step
        part = x[max(0, end - window) : end]
        part = part[~np.isnan(part)]
        if len(part) >= max(least, ddof + 1) and np.std(part) > 0:
            y[step] = (x[step] - part.mean()) / part.std(ddof=ddof)
    return y


@pytest.mark.parametrize("current", [True, False])
@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize("window", [2, 3, 4, 7, 12, 40])
def test_formula(window: int, ddof: int, current: bool) -> None:
    method = RollingZScore(window=window, min_periods=2, ddof=ddof, include_current=current)
    expected = one_by_one(STREAM, window, ddof, 2, current=current)
    assert method.transform(STREAM) == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


def test_min_periods_is_the_window_unless_it_is_given() -> None:
    x = [1.0, 2.0, 4.0, 8.0]
    assert np.isnan(RollingZScore(window=3).transform(x)).tolist() == [True, True, False, False]
    loose = RollingZScore(window=3, min_periods=1).apply_to(x=x)
    assert np.isnan(loose["y"]).tolist() == [False] * 4
    assert loose["y"][0] == 0.0


def test_pandas_54518_a_spike_leaves_no_trace() -> None:
    x = [1.2e3, 1.3e17, 1.5e17, 1.995e3, 1.990e3, 1.8e3, 2.5e3]
    answer = RollingZScore(window=2, ddof=1).apply_to(x=x)
    assert answer["scale"][-3:] == pytest.approx([3.5355339, 134.3502884, 494.9747468], rel=1e-8)
    assert answer["y"][1:] == pytest.approx(np.array([1, 1, -1, -1, -1, 1]) / 2**0.5, rel=1e-12)
    alone = RollingZScore(window=2, ddof=1).transform(x[-2:])
    assert answer["y"][-1:].tobytes() == alone[-1:].tobytes()


def test_polars_4301_a_large_offset_keeps_its_digits() -> None:
    x = 1e6 + np.sin(np.arange(200.0))
    expected = one_by_one(x, 20, 0, 20, current=True)
    y = RollingZScore(window=20).transform(x)
    assert y == pytest.approx(expected, rel=1e-7, nan_ok=True)


@pytest.mark.parametrize("factor", [1e-300, 1e-200, 1e250, 1e300])
def test_any_magnitude(factor: float) -> None:
    plain = RollingZScore(window=4, min_periods=2).transform(STREAM)
    scaled = RollingZScore(window=4, min_periods=2).transform(STREAM * factor)
    assert scaled == pytest.approx(plain, rel=1e-9, abs=1e-12, nan_ok=True)


def chunked(method: RollingZScore, x: np.ndarray, sizes: list[int], **options: object) -> bytes:
    state: Mapping[str, object] | None = None
    parts, start = [], 0
    for size in sizes:
        fields = (
            {"x": x[start : start + size]} if x.ndim == 1 else {"x": x[:, start : start + size]}
        )
        answer = method.apply_to(**fields, **({} if state is None else {"state": state}), **options)
        state = answer["state"]
        parts.append(answer["y"])
        start += size
    assert state is not None
    assert state["step"] == start
    return np.concatenate(parts, axis=int(x.ndim > 1)).tobytes()


@pytest.mark.parametrize("sizes", [[12], [3, 1, 6, 2], [1] * 12, [0, 5, 0, 7], [11, 1]])
@pytest.mark.parametrize("current", [True, False])
@pytest.mark.parametrize("window", [1, 2, 4, 5, 30])
def test_any_chunks_give_the_same_bits(window: int, current: bool, sizes: list[int]) -> None:
    method = RollingZScore(window=window, min_periods=1, ddof=0, include_current=current)
    assert chunked(method, STREAM, sizes) == method.transform(STREAM).tobytes()


def test_chunks_of_several_windows_and_channels() -> None:
    x = np.random.default_rng(2).normal(size=(3, 20, 2)) * [1.0, 1e9]
    method = RollingZScore(window=6, min_periods=3)
    whole = np.ascontiguousarray(method.transform(x)).tobytes()
    assert chunked(method, x, [4, 1, 9, 6]) == whole


def test_ts_library_819_a_prefix_is_the_prefix_of_the_whole() -> None:
    method = RollingZScore(window=5, min_periods=2, include_current=False)
    whole = method.transform(STREAM)
    for stop in range(1, len(STREAM)):
        assert method.transform(STREAM[:stop]).tobytes() == whole[:stop].tobytes()


def test_a_column_depends_on_nothing_but_itself() -> None:
    x = np.random.default_rng(4).normal(size=(3, 15, 2))
    method = RollingZScore(window=4)
    together = method.transform(x)
    for window in range(3):
        for channel in range(2):
            alone = method.transform(x[window, :, channel])
            assert alone.tobytes() == together[window, :, channel].tobytes()


def test_blocks_of_columns_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.random.default_rng(6).normal(size=(4, 9, 3))
    whole = RollingZScore(window=3).apply_to(x=x)
    monkeypatch.setattr("normalizers.series.rolled.BLOCK", 30)
    blocks = RollingZScore(window=3).apply_to(x=x)
    for name in ("y", "loc", "scale"):
        assert blocks[name].tobytes() == whole[name].tobytes()


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


def carried() -> dict[str, object]:
    return dict(RollingZScore(window=3).apply_to(x=[1.0, 2.0, 4.0])["state"])


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


def test_windows_without_spread() -> None:
    x = [3.0, 3.0, 3.0, 4.0]
    answer = RollingZScore(window=2).apply_to(x=x)
    assert answer["y"].tolist() == pytest.approx([NAN, 0.0, 0.0, 1.0], nan_ok=True)
    assert answer.flags["constant"].tolist() == [[0, 0]]
    prior = RollingZScore(window=2, include_current=False).transform(x)
    assert prior.tolist() == pytest.approx([NAN, NAN, 0.0, 1.0], nan_ok=True)
    kept = RollingZScore(window=2, on_constant="keep").transform(x)
    assert kept.tolist() == pytest.approx([NAN, 3.0, 3.0, 1.0], nan_ok=True)
    half = RollingZScore(window=2, on_constant="half").transform(x)
    assert half.tolist() == pytest.approx([NAN, 0.5, 0.5, 1.0], nan_ok=True)
    with pytest.raises(errors.InvalidParams, match="error"):
        RollingZScore(window=2, on_constant="error").transform(x)


def test_a_named_constant_value_covers_steps_without_statistics() -> None:
    answer = RollingZScore(window=2, constant_value=-9.0).apply_to(x=[3.0, 3.0, NAN, 4.0])
    assert answer["y"].tolist() == pytest.approx([-9.0, -9.0, NAN, -9.0], nan_ok=True)
    assert answer.flags["insufficient"].tolist() == [[0, 0]]
    assert np.isnan(answer["loc"]).tolist() == [True, False, True, True]


def test_seven_times_a_tenth_is_exactly_zero() -> None:
    y = RollingZScore(window=3).transform([0.1] * 7)
    assert y[2:].tolist() == [0.0] * 5


def test_flags_name_window_and_channel() -> None:
    x = np.array([[[1.0, 5.0], [2.0, 5.0], [4.0, 5.0]]])
    for layout, sent in (("NTC", x), ("NCT", x.transpose(0, 2, 1))):
        answer = RollingZScore(window=2).apply_to(x=sent, layout=layout)
        assert answer["y"].shape == answer["loc"].shape == sent.shape
        assert answer.flags["constant"].tolist() == [[0, 1]]
        assert answer.flags["insufficient"].tolist() == [[0, 0], [0, 1]]
        assert answer.flags["missing"].tolist() == [[0, 0], [0, 1]]


def test_infinities_are_refused() -> None:
    with pytest.raises(errors.NonFiniteError) as caught:
        RollingZScore(window=2).transform([1.0, np.inf])
    assert caught.value.path == "input.x[1]"


def test_uncentred() -> None:
    x = [3.0, 5.0]
    assert RollingZScore(window=2, center="none").transform(x)[1] == 5.0


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
