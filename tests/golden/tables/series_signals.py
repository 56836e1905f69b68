"""Golden words of maps, tokens and geometry."""

from __future__ import annotations

from collections.abc import Mapping

from tests.golden import plays
from tests.golden.answers import read
from tests.golden.case import Case
from tests.golden.request import Members
from tests.golden.tables.entry import Entry
from tests.golden.tables.rules import renamed, same
from tests.golden.tables.series_words import windows

POWER = {"lambda": renamed("lam")}


def _forecast(case: Case) -> Members:
    return {"y": case.input["mean"], "std": case.input["std"]}


TABLE: Mapping[str, Entry] = {
    "boxcox": Entry(
        method="box_cox",
        play=plays.mapped,
        params=POWER,
        off={},
        given=windows,
        readings={"y": (read("output.y"),), "inverse_of_y": (read("back.x"),)},
    ),
    "yeojohnson": Entry(
        method="yeo_johnson",
        play=plays.mapped,
        params=POWER,
        off={},
        given=windows,
        readings={"y": (read("output.y"),)},
    ),
    "inverse_boxcox": Entry(
        method="box_cox",
        play=plays.led_back,
        params=POWER | {"bias_adjust": same("bias_adjust")},
        off={},
        given=_forecast,
        readings={"median": (read("median.x"),), "mean": (read("mean.x"),)},
    ),
}
