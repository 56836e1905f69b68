"""Golden words of the input layers with imported weights."""

from __future__ import annotations

from collections.abc import Mapping

from tests.golden import plays
from tests.golden.answers import read
from tests.golden.case import Case
from tests.golden.request import Members
from tests.golden.tables.entry import Entry
from tests.golden.tables.rules import implied, same, turned
from tests.golden.tables.series_words import SPREAD, forecast, layout, windows

NTC = implied("NTC")
CUTOFFS: dict[object, str] = {"min_beta+exp": "exp", "min_beta+softplus": "softplus"}


def _weights(case: Case) -> Members:
    return {"weights": case.input["weights"]} if "weights" in case.input else {}


TABLE: Mapping[str, Entry] = {
    "bin": Entry(
        method="bin",
        play=plays.stateless,
        params=SPREAD | {"layout": NTC, "variant": same("variant")},
        off={},
        source=_weights,
        given=windows,
        options=layout,
        readings={"y": (read("output.y"),)},
    ),
    "revin": Entry(
        method="revin",
        play=plays.windows,
        params=SPREAD | {"layout": NTC, "affine": same("affine")},
        off={},
        source=_weights,
        given=windows,
        options=layout,
        back=forecast,
        readings={
            "y": (read("output.y"),),
            "loc": (read("output.loc"),),
            "scale": (read("output.scale"),),
            "forecast_denormalized": (read("forecast.x"),),
        },
    ),
    "dain": Entry(
        method="dain",
        play=plays.stateless,
        params={"layout": NTC, "eps": same("eps"), "mode": same("variant")},
        off={},
        source=_weights,
        given=windows,
        options=layout,
        readings={"y": (read("output.y"),)},
    ),
    "edain": Entry(
        method="edain",
        play=plays.stateless,
        params={
            "layout": NTC,
            "mode": same("variant"),
            "residual": same("residual"),
            "cutoff": turned("cutoff", CUTOFFS),
            "min_beta": same("min_beta"),
            "scale_eps": same("eps"),
            # Where powers are taken for 0 and 2: here they meet their logarithms smoothly.
            "power_eps": implied(1e-6),
        },
        off={"sign": "minus"},
        source=_weights,
        given=windows,
        options=layout,
        readings={"y": (read("output.y"),)},
    ),
    "dish_ts": Entry(
        method="dish_ts",
        play=plays.windows,
        params={"layout": NTC, "eps": same("eps"), "activation": implied("gelu")},
        off={},
        source=_weights,
        given=windows,
        options=layout,
        back=forecast,
        readings={
            "y": (read("output.y"),),
            "forecast_denormalized": (read("forecast.x"),),
        },
    ),
}
