"""What the tables of series share: windows, masks, layouts, and the words of spreads."""

from __future__ import annotations

import numpy as np

from tests.golden.answers import entries
from tests.golden.case import Case
from tests.golden.request import Members
from tests.golden.tables.entry import Rule
from tests.golden.tables.rules import same, turned

SPREAD: dict[str, Rule] = {
    "ddof": same("ddof"),
    "ddof_floor": same("ddof_floor"),
    "eps": same("eps"),
    "eps_mode": same("eps_mode"),
    "nan": turned("nan_policy", {"ignore": "omit"}),
}


def windows(case: Case) -> Members:
    """Return the fields of a transform."""
    sent = {"x": case.input["x"]}
    if "mask" in case.input:
        sent["mask"] = np.asarray(case.input["mask"], dtype=np.int64)
    if "indptr" in case.input:
        sent["offsets"] = case.input["indptr"]
    return sent


def layout(case: Case) -> Members:
    """Return the order of axes, where the case names one."""
    return {"layout": case.params["layout"]} if "layout" in case.params else {}


def mask_settings(case: Case) -> Members:
    """Peers with a mask transform what it hides."""
    return {"masked_output": "transform"} if "mask" in case.input else {}


def forecast(case: Case) -> Members:
    """Return the forecast in the request's layout; a ragged one is split evenly."""
    if "forecast" not in case.input:
        return {}
    values = np.asarray(case.input["forecast"])
    if case.params["layout"] == "T":
        values = values.ravel()
    if "indptr" not in case.input:
        return {"y": values}
    parts = len(entries(case.input["indptr"])) - 1
    return {"y": values, "offsets": np.linspace(0, len(values), parts + 1).astype(np.int64)}
