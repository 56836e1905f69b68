"""Golden words of the time series methods."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from normalizers.data.arrays import Array
from tests.golden import derive, plays
from tests.golden.answers import Reading, entries, read
from tests.golden.case import Case, column
from tests.golden.request import Members
from tests.golden.tables import series_causal, series_learned, series_signals, series_windows
from tests.golden.tables.entry import Entry, Rule
from tests.golden.tables.rules import implied, same, turned
from tests.golden.tables.series_words import SPREAD


def _rows(fields: Members) -> Members:
    return {"x": fields["x"], "groups": fields["groups"]}


def _source(case: Case) -> Members:
    return {"fit": _rows(case.fit)}


def _given(case: Case) -> Members:
    return _rows(case.input)


def _channels(values: Members) -> Members:
    """Return the channels that a case holds or names the columns of a table for."""
    if "data" not in values:
        return {"x": values["x"]}
    rows = [int(str(row)) for row in entries(values["rows"])]
    names = [str(name) for name in entries(values["columns"])]
    return {"x": np.column_stack([column(str(values["data"]), name, rows) for name in names])}


def _steps_of(series: object) -> Array:
    """Return the steps of one series, or of several one after the other, as rows of channels."""
    parts = entries(series)
    nested = isinstance(entries(parts[0])[0], list)
    return np.concatenate([np.asarray(part) for part in parts]) if nested else np.asarray(parts)


def _of_channels(method: str, params: Mapping[str, Rule], **readings: str) -> Entry:
    """Return the entry of a method that maps stored channels, there and back."""
    return Entry(
        method=method,
        play=plays.stored,
        params={"layout": implied("TC"), **params},
        off={},
        source=lambda case: {"fit": _channels(case.fit)},
        given=lambda case: _channels(case.input),
        back=lambda case: {"y": _channels(case.input)["x"]},
        readings={
            "y": (read("output.y"),),
            "inverse_of_x": (read("back.x"),),
            **{name: (read(path),) for name, path in readings.items()},
        },
    )


UNKNOWN: dict[object, str] = {
    "median of group statistics": "median",
    "error": "error",
    "global": "global",
    "pass": "pass",
}


def _chunks(case: Case) -> list[Members]:
    """Return chunks of series, each a column; what is hidden is missing."""
    values = np.where(np.asarray(case.input["mask"]) == 1, np.asarray(case.input["x"]), np.nan)
    lengths = [int(str(length)) for length in entries(case.input["chunks"])]
    parts = np.split(values, np.cumsum(lengths)[:-1], axis=1)
    return [{"fit": {"x": part.T}} for part in parts]


def _kept_moments(part: int) -> Reading:
    members = [f"part_{part}.moments.{name}" for name in ("n", "mean", "m2")]
    return read(*members, "params.ddof", by=derive.moment_summary)


TABLE: Mapping[str, Entry] = {
    "running_stats": Entry(
        method="running_standardization",
        play=plays.gone_on,
        params={"ddof": same("ddof"), "layout": implied("NT")},
        off={"nan_policy": "omit", "on_few": "scale_one"},
        parts=_chunks,
        readings={
            "after_chunk_1": (_kept_moments(1),),
            "after_chunk_2": (_kept_moments(2),),
        },
    ),
    "channel_minmax": Entry(
        method="channel_min_max",
        play=plays.stored,
        params={
            "range": same("range"),
            # Extrema have no degrees of freedom; all series are fitted together.
            "ddof": implied(0),
            "global_fit": implied(True),
            "layout": implied("TC", "list of TC"),
        },
        off={},
        source=lambda case: {"fit": {"x": _steps_of(case.fit["x"])}},
        given=lambda case: {"x": _steps_of(case.input["x"])},
        back=lambda case: {"y": _steps_of(case.input.get("forecast", case.input["x"]))},
        readings={
            "y": (read("output.y", "expected.y", by=derive.split_as),),
            "inverse_of_x": (read("back.x"),),
            "forecast_denormalized": (
                read("back.x", "expected.forecast_denormalized", by=derive.split_as),
            ),
        },
    ),
    "channel_maxabs": _of_channels("channel_max_abs", {}),
    "channel_decimal": _of_channels("decimal_scale", {}, exponent="fitted.exponent"),
    "channel_robust": _of_channels("robust_scaling", {"quantiles": same("quantile_range")}),
    **series_causal.TABLE,
    "channel_standard": _of_channels(
        "standardization", {"ddof": same("ddof")}, loc="fitted.loc", scale="fitted.scale"
    ),
    "channel_quantile": Entry(
        method="quantile_transform",
        play=plays.stored,
        params={
            "n_quantiles": same("n_quantiles"),
            "output": same("output"),
            "layout": implied("TC"),
        },
        off={},
        source=lambda case: {"fit": case.fit},
        given=lambda case: case.input,
        readings={"y": (read("output.y"),)},
    ),
    "group_zscore": Entry(
        method="group_z_score",
        play=plays.stored,
        params=SPREAD | {"unknown_group": turned("unknown_group", UNKNOWN)},
        off={},
        source=_source,
        given=_given,
        readings={
            "y": (read("output.y"),),
            "loc_scale": (read("fitted.loc", "fitted.scale", by=derive.pairs),),
            "error": (read("output"),),
        },
    ),
    **series_learned.TABLE,
    **series_windows.TABLE,
    **series_signals.TABLE,
}
