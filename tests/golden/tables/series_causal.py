"""Golden words of the causal methods of series."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.golden import derive, plays
from tests.golden.answers import entries, read
from tests.golden.case import Case, column
from tests.golden.request import Members
from tests.golden.tables.entry import Entry, Rule
from tests.golden.tables.rules import constant_value, implied, same
from tests.golden.tables.series_words import SPREAD, layout, mask_settings, windows

LAYOUTS = ("NTC", "NT", "T", "TC", "NCT", "ragged")


def _stream(case: Case) -> Members:
    if "data" not in case.input:
        return windows(case)
    (name,) = entries(case.input["columns"])
    rows = [int(str(row)) for row in entries(case.input["rows"])]
    return {"x": column(str(case.input["data"]), str(name), rows)}


def _changes(case: Case) -> Members:
    """Return the forecast; one of ragged series is split evenly."""
    if "forecast" not in case.input:
        return {}
    values = np.ravel(np.asarray(case.input["forecast"]))
    if "indptr" not in case.input:
        return {"y": values}
    parts = len(entries(case.input["indptr"])) - 1
    return {"y": values, "offsets": np.linspace(0, len(values), parts + 1).astype(np.int64)}


COMMON: dict[str, Rule] = {
    "include_current": same("include_current"),
    "zero_variance_output": constant_value,
    "layout": implied(*LAYOUTS),
}
READINGS = {
    "y": (read("output.y"), read("pieces.y")),
    "probe_index": (read("expected.probe_index"),),
    "y_at_probe": (read("output.y", "expected.probe_index", by=derive.at),),
    "nan_count": (read("output.y", by=derive.missing_count),),
    "loc": (read("output.loc"),),
    "scale": (read("output.scale"),),
    "error": (read("output"),),
}


def _scaler(method: str, params: Mapping[str, Rule]) -> Entry:
    return Entry(
        method=method,
        play=plays.streamed,
        params={**COMMON, **params},
        off={},
        settings=mask_settings,
        given=_stream,
        options=layout,
        readings=READINGS,
    )


def _change(method: str, params: Mapping[str, Rule]) -> Entry:
    return Entry(
        method=method,
        play=plays.continued,
        params={"lag": same("lag"), "layout": implied(*LAYOUTS), **params},
        off={},
        given=windows,
        options=layout,
        back=_changes,
        readings={
            "y": (read("output.y", "params", by=derive.dropped),),
            "forecast_denormalized": (read("forecast.x"),),
            "error": (read("output"),),
        },
    )


TABLE: Mapping[str, Entry] = {
    "rolling_zscore": _scaler(
        "rolling_z_score",
        SPREAD | {"window": same("window"), "min_periods": same("min_periods")},
    ),
    "expanding_zscore": _scaler("expanding_z_score", SPREAD | {"min_periods": same("min_periods")}),
    "expanding_minmax": _scaler("expanding_min_max", {"min_periods": same("min_periods")}),
    "ewm_zscore": _scaler(
        "ewm_z_score",
        {
            "alpha": same("alpha"),
            "adjust": same("adjust"),
            "bias": same("bias"),
            "min_periods": same("min_periods"),
            # The variance of the weighted values themselves.
            "variance": lambda value, params: {"bias": True},
        },
    ),
    "difference": _change("difference", {"drop": implied(True, False)}),
    "log_return": _change("log_return", {}),
    "pct_change": _change("pct_change", {}),
}
