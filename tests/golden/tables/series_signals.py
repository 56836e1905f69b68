"""Golden words of maps, tokens and geometry."""

from __future__ import annotations

from collections.abc import Mapping

from tests.golden import derive, plays
from tests.golden.answers import read
from tests.golden.case import Case
from tests.golden.request import Members
from tests.golden.tables.entry import Entry
from tests.golden.tables.rules import implied, renamed, same
from tests.golden.tables.series_words import layout, windows

LAYOUT = implied("NTC", "NT")
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
    "fan_split": Entry(
        method="fan_split",
        play=plays.stateless,
        params={"top_k": same("top_k"), "layout": LAYOUT},
        off={},
        given=windows,
        options=layout,
        readings={"residual": (read("output.residual"),), "main": (read("output.main"),)},
    ),
    "slice_zscore": Entry(
        method="slice_z_score",
        play=plays.stateless,
        params={name: same(name) for name in ("period", "ddof", "eps", "eps_mode")}
        | {"layout": LAYOUT},
        off={},
        given=windows,
        options=layout,
        readings={
            "y": (read("output.y"),),
            "loc": (read("output.loc"),),
            # The case tells the deviation, to which the epsilon is added where it divides.
            "scale": (read("output.scale", "params.eps", by=derive.minus),),
        },
    ),
    "chronos_bins": Entry(
        method="chronos_bins",
        play=plays.mapped,
        params={
            name: same(name)
            for name in (
                "low",
                "high",
                "n_tokens",
                "n_special_tokens",
                "pad_token_id",
                "append_eos",
            )
        }
        | {"layout": LAYOUT},
        off={},
        given=windows,
        options=layout,
        readings={
            "token_ids": (read("output.token_ids"),),
            "scale": (read("output.scale", by=derive.squeezed),),
            "decoded": (read("back.x"),),
        },
    ),
    "llmtime_scale": Entry(
        method="llmtime_scale",
        play=plays.mapped,
        params={name: same(name) for name in ("alpha", "beta", "basic")},
        off={},
        source=lambda case: {"fit": {"x": case.fit["x"]}},
        given=windows,
        readings={"y": (read("output.y"),), "inverse_of_y": (read("back.x"),)},
    ),
    "llmtime_serialize": Entry(
        method="llmtime_serialize",
        play=plays.stateless,
        params={
            name: same(name)
            for name in (
                "base",
                "prec",
                "signed",
                "max_val",
                "time_sep",
                "bit_sep",
                "half_bin_correction",
            )
        },
        off={},
        given=windows,
        readings={"text": (read("output.text", by=derive.only),)},
    ),
    "depth_log3": Entry(
        method="depth_log3",
        play=plays.stateless,
        params={
            "max_depth_c1": same("max_depth_c1"),
            "max_depth_c2": same("max_depth_c2"),
            "layout": implied("HW -> HW3"),
        },
        off={},
        given=windows,
        readings={"y": (read("output.y"),)},
    ),
    "depth_affine_invariant": Entry(
        method="depth_affine_invariant",
        play=plays.stateless,
        params={
            "center": implied("lower_median"),
            "scale": implied("mean_abs_dev"),
            "eps": same("eps"),
            "layout": implied("HW"),
        },
        off={},
        given=windows,
        readings={
            "y": (read("output.y"),),
            "loc": (read("output.loc"),),
            # The case tells the distance, to which the epsilon is added where it divides.
            "scale": (read("output.scale", "params.eps", by=derive.minus),),
        },
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
