"""Long frames of pandas and polars: id, time, value in, the same rows normalized out."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from normalizers import (
    ChannelMinMax,
    Difference,
    GroupZScore,
    MinMax,
    RollingZScore,
    Seasonal,
    Standardization,
    WindowZScore,
    errors,
)

ROWS = {
    "id": ["b", "a", "b", "a", "b", "c", "a", "c"],
    "time": [3, 1, 1, 2, 2, 1, 3, 2],
    "value": [400.0, 1.0, 100.0, 2.0, 200.0, 7.0, 4.0, 5.0],
    "note": list("abcdefgh"),
}
SERIES = {"b": [100.0, 200.0, 400.0], "a": [1.0, 2.0, 4.0], "c": [7.0, 5.0]}


@pytest.fixture(params=["pandas", "polars"])
def made(request: pytest.FixtureRequest):
    package = pytest.importorskip(request.param, reason=f"{request.param} is not installed")
    return package.DataFrame


def placed(parts: dict[str, np.ndarray]) -> list[float]:
    return [
        float(parts[label][step - 1]) for label, step in zip(ROWS["id"], ROWS["time"], strict=True)
    ]


@pytest.mark.parametrize("method", [WindowZScore(), RollingZScore(window=2), Difference()])
def test_every_series_is_answered_as_alone_in_the_rows_of_the_frame(made, method) -> None:
    frame = made(ROWS)
    z = method.transform_long(frame, "id", "value", "time")
    assert type(z) is made
    assert list(z["note"]) == ROWS["note"]
    alone = {label: method.transform(x) for label, x in SERIES.items()}
    np.testing.assert_array_equal(np.asarray(z["value"]), placed(alone))
    assert list(frame["value"]) == ROWS["value"]


def test_a_window_comes_back_by_the_columns_beside_it(made) -> None:
    z = WindowZScore().transform_long(made(ROWS), "id", "value", "time")
    assert list(z.columns) == ["id", "time", "value", "note", "loc", "scale"]
    back = WindowZScore().inverse_long(z, "id", "value", "time")
    assert list(back.columns) == list(ROWS)
    np.testing.assert_allclose(np.asarray(back["value"]), ROWS["value"])
    rolled = RollingZScore(window=2).transform_long(made(ROWS), "id", "value", "time")
    there = ~np.isnan(np.asarray(rolled["value"]))
    back = RollingZScore(window=2).inverse_long(rolled, "id", "value", "time")
    np.testing.assert_allclose(np.asarray(back["value"])[there], np.array(ROWS["value"])[there])


def test_several_columns_are_channels_of_one_window(made) -> None:
    frame = made({**ROWS, "other": [-value for value in ROWS["value"]]})
    z = WindowZScore().transform_long(frame, "id", ["value", "other"], "time")
    np.testing.assert_allclose(np.asarray(z["other"]), -np.asarray(z["value"]), rtol=1e-12)
    assert "scale_1" in z.columns
    back = WindowZScore().inverse_long(z, "id", ["value", "other"], "time")
    np.testing.assert_allclose(np.asarray(back["other"]), -np.array(ROWS["value"]))
    assert "scale_1" not in back.columns


def test_a_scaler_of_each_series_is_kept_by_its_id_and_serves_some_and_new_ones(made) -> None:
    method = GroupZScore(ddof=0, on_few="scale_one", unknown_group="median")
    method.fit_long(made(ROWS), "id", "value", "time")
    z = method.transform_long(made({"id": ["a", "new"], "value": [2.0, 3.0]}), "id", "value")
    x = np.array(SERIES["a"])
    assert float(z["value"][0]) == pytest.approx((2.0 - x.mean()) / x.std())
    assert np.isfinite(float(z["value"][1]))
    back = method.inverse_long(z, "id", "value")
    np.testing.assert_allclose(np.asarray(back["value"]), [2.0, 3.0])


def test_fits_of_rows_and_of_windows_take_long_frames_too(made) -> None:
    one = ChannelMinMax().fit_long(made(ROWS), "id", "value")
    assert one.transform_long(made(ROWS), "id", "value")["value"][0] == 1.0
    seasonal = Seasonal(period=2).fit_long(made(ROWS), "id", "value", "time")
    phase = (np.array(ROWS["time"]) - 1) % 2
    means = [np.mean(np.array(ROWS["value"])[phase == each]) for each in (0, 1)]
    z = seasonal.transform_long(made(ROWS), "id", "value", "time")
    expected = np.array(ROWS["value"]) - np.take(means, phase)
    np.testing.assert_allclose(np.asarray(z["value"]), expected)


def test_a_forecast_of_another_horizon_comes_back_with_its_spread_and_quantiles(made) -> None:
    forecast = {"id": ["b", "b", "a"], "loc": [200.0, 200.0, 2.0], "scale": [100.0, 100.0, 2.0]}
    values = {"yhat": [0.0, 1.0, -0.5], "std": [1.0, 2.0, 3.0], "q10": [-1.0, 0.0, -1.0],
              "q97.5": [1.0, 2.0, 0.5]}  # fmt: skip
    back = WindowZScore().inverse_long(made({**forecast, **values}), "id", "yhat")
    assert list(back["yhat"]) == [200.0, 300.0, 1.0]
    assert list(back["std"]) == [100.0, 200.0, 6.0]
    assert list(back["q10"]) == [100.0, 200.0, 0.0]
    assert list(back["q97.5"]) == [300.0, 400.0, 3.0]
    alone = WindowZScore().inverse_long(made({**forecast, "q50": values["yhat"]}), "id")
    assert list(alone["q50"]) == [200.0, 300.0, 1.0]


def test_a_missing_value_stays_one(made) -> None:
    frame = made({"id": ["a", "a", "a"], "value": [1.0, None, 3.0]})
    z = WindowZScore().transform_long(frame, "id", "value")
    np.testing.assert_allclose(np.asarray(z["value"]), [-1.0, np.nan, 1.0])


@pytest.mark.parametrize(
    ("change", "path", "told"),
    [
        ({"series": "ids"}, "ids", "did you mean 'id'"),
        ({"values": "valeu"}, "valeu", "did you mean 'value'"),
        ({"values": "note"}, "note", "numbers"),
        ({"frame": {**ROWS, "id": [*ROWS["id"][:2], None, *ROWS["id"][3:]]}}, "id[2]", "series"),
        ({"frame": {**ROWS, "time": [*ROWS["time"][:7], None]}}, "time[7]", "time"),
    ],
)
def test_what_a_frame_lacks_is_told_with_its_place(made, change, path, told) -> None:
    asked = {"frame": ROWS, "series": "id", "values": "value", "time": "time", **change}
    asked["frame"] = made(asked["frame"])
    with pytest.raises(errors.NormalizerError, match=told) as refused:
        WindowZScore().transform_long(**asked)
    assert refused.value.path == path


def test_several_scales_in_one_series_lead_nothing_back(made) -> None:
    frame = made({"id": ["a", "a"], "value": [1.0, 2.0], "loc": [0.0, 0.0], "scale": [1.0, 2.0]})
    with pytest.raises(errors.InvalidInput, match="'a' have several values") as refused:
        WindowZScore().inverse_long(frame, "id", "value")
    assert refused.value.path == "scale"
    with pytest.raises(errors.InvalidInput, match="data frame"):
        WindowZScore().inverse_long([[1.0]], "id", "value")


def test_methods_of_lists_say_what_they_take() -> None:
    pandas = importlib.import_module("pandas")
    frame = pandas.DataFrame(ROWS)
    assert Standardization().fit_long(frame, "id", "value").is_fitted
    with pytest.raises(errors.InvalidInput, match="for series, and for rows"):
        MinMax().transform_long(frame, "id", ["value", "time"])
