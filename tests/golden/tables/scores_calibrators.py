"""Golden words of the calibrators."""

from __future__ import annotations

from collections.abc import Mapping

from tests.golden import plays
from tests.golden.answers import Reading, read
from tests.golden.case import Case
from tests.golden.request import Members
from tests.golden.tables.entry import Entry, Rule
from tests.golden.tables.rules import implied, remark, same


def _source(case: Case) -> Members:
    return {"fit": case.fit} if case.fit else {}


def _given(case: Case) -> Members:
    return case.input


def _calibrator(
    method: str, params: Mapping[str, Rule], fitted: Mapping[str, Reading] | None = None
) -> Entry:
    readings = {"probabilities": read("output.probabilities"), **(fitted or {})}
    return Entry(
        method=method,
        play=plays.stored,
        params=params | {"note": remark, "formula": remark},
        off={},
        source=_source,
        given=_given,
        readings={name: (reading,) for name, reading in readings.items()},
    )


LINE = {"a": read("fitted.a"), "b": read("fitted.b")}

TABLE: Mapping[str, Entry] = {
    "calibrate/platt": _calibrator("platt", {"prior_correction": implied(True)}, LINE),
    "calibrate/logistic": _calibrator("logistic", {"prior_correction": implied(False)}, LINE),
    "calibrate/isotonic": _calibrator(
        "isotonic",
        {"out_of_bounds": same("out_of_bounds"), "increasing": same("higher_is_better")},
        {
            "x_thresholds": read("fitted.x_thresholds"),
            "y_thresholds": read("fitted.y_thresholds"),
        },
    ),
    "calibrate/beta": _calibrator(
        "beta_calibration",
        {"parameters": implied("abm")},
        {**LINE, "c": read("fitted.c")},
    ),
    "calibrate/temperature": _calibrator(
        "temperature_scaling", {}, {"temperature": read("fitted.temperature")}
    ),
    "calibrate/normal_exponential": _calibrator(
        "normal_exponential",
        {
            "pi": same("pi"),
            "mu": same("mu"),
            "sigma": same("sigma"),
            "lam": same("rate"),
            "loc": same("loc"),
        },
    ),
}
