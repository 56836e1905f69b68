"""Golden words of the methods of windows."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from normalizers.data.arrays import Array
from tests.golden import derive, plays
from tests.golden.answers import members, read
from tests.golden.case import Case
from tests.golden.request import Members
from tests.golden.tables.entry import Entry, Rule
from tests.golden.tables.rules import implied, same, turned
from tests.golden.tables.series_words import (
    PADDED,
    SPREAD,
    forecast,
    layout,
    mask_settings,
    windows,
)


def _undone(case: Case) -> Members:
    """Return rows of steps as windows of one channel."""
    sent = case.input
    back: dict[str, object] = {
        "y": _channel(sent["point"]),
        "loc": np.asarray(sent["loc"])[:, None, None],
        "scale": np.asarray(sent["scale"])[:, None, None],
    }
    back |= {name: _channel(sent[name]) for name in ("std", "variance") if name in sent}
    if "quantiles" in sent:
        quantiles = members(sent["quantiles"])
        back["levels"] = [float(level) for level in quantiles]
        back["quantiles"] = np.stack([_channel(rows) for rows in quantiles.values()], axis=-1)
    return back


def _channel(rows: object) -> Array:
    return np.asarray(rows, dtype=np.float64)[:, :, None]


LAYOUT = implied("NTC", "NT", "T", "TC", "NCT", "ragged", PADDED)


def _window(method: str, params: Mapping[str, Rule]) -> Entry:
    """Return the entry of a method of windows, with a forecast that comes back."""
    return Entry(
        method=method,
        play=plays.windows,
        params={"layout": LAYOUT, **params},
        off={},
        settings=mask_settings,
        given=windows,
        options=layout,
        back=forecast,
        readings={
            "y": (read("output.y", "expected.y", by=derive.unpadded),),
            "loc": (read("output.loc", "expected.loc", by=derive.squeezed_as),),
            "scale": (read("output.scale", "expected.scale", by=derive.squeezed_as),),
            "loc_scale": (read("output.loc", "output.scale", by=derive.pairs),),
            "constant": (read("flags", "output.loc", by=derive.constant_windows),),
            "forecast_denormalized": (
                read("forecast.x", "expected.forecast_denormalized", by=derive.squeezed_as),
            ),
            "error": (read("output"),),
        },
    )


ROBUST = SPREAD | {
    "center": same("center"),
    "scale": same("scale"),
    "mad_zero_fallback": same("mad_zero_fallback"),
    "quantile_method": implied("linear"),
    "pre": implied(None),
}

TABLE: Mapping[str, Entry] = {
    "zscore": _window(
        "window_z_score",
        SPREAD
        | {
            "pre": implied(None),
            "center": turned("center", {True: "mean", False: "none", "none": "none"}),
        },
    ),
    "minmax": _window(
        "window_min_max",
        # A range has no degrees of freedom, and each window is scaled by itself.
        SPREAD | {"range": same("range"), "ddof": implied(0), "global_fit": implied(False)},
    ),
    "robust": _window("window_robust", ROBUST),
    "robust_arcsinh": _window("window_robust_arcsinh", ROBUST),
    "mean_scale": _window(
        "mean_scale",
        {"minimum_scale": same("minimum_scale"), "default_scale": same("default_scale")},
    ),
    "last_value": _window("last_value", {}),
    "inverse_locscale": Entry(
        method="window_z_score",
        play=plays.undone,
        params={},
        off={},
        given=_undone,
        readings={
            "point": (read("output.x", by=derive.squeezed),),
            "std": (read("output.std", by=derive.squeezed),),
            "variance": (read("output.variance", by=derive.squeezed),),
            "quantiles": (read("output.quantiles", "sent.quantiles", by=derive.by_level),),
        },
    ),
}
