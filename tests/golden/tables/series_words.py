"""What the tables of series share: windows, masks, layouts, and the words of spreads."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
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


# Windows of several channels and unequal length, which are padded with missing values here.
PADDED = "list of TC"


def windows(case: Case) -> Members:
    """Return the fields of a transform."""
    x = case.input["x"]
    sent: dict[str, object] = {"x": padded(x) if case.params.get("layout") == PADDED else x}
    if "mask" in case.input:
        sent["mask"] = np.asarray(case.input["mask"], dtype=np.int64)
    if "indptr" in case.input:
        sent["offsets"] = case.input["indptr"]
    return sent


def padded(parts: object) -> Array:
    """Return windows of unequal length with missing values behind the shorter ones."""
    arrays = [np.asarray(part, dtype=np.float64) for part in entries(parts)]
    longest = max(map(len, arrays))
    whole = np.full((len(arrays), longest, arrays[0].shape[1]), np.nan)
    for place, array in enumerate(arrays):
        whole[place, : len(array)] = array
    return whole


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


def layout(case: Case) -> Members:
    """Return the order of axes, where the case names one."""
    named = case.params.get("layout")
    return {} if named is None else {"layout": "NTC" if named == PADDED else named}


def mask_settings(case: Case) -> Members:
    """Peers with a mask transform what it hides."""
    return {"masked_output": "transform"} if "mask" in case.input else {}
