"""Statistics as they are posted, with one member changed."""

from __future__ import annotations


def scatter(**changes: object) -> dict[str, object]:
    members: dict[str, object] = {"n": 4, "mean": [0.0, 0.0], "scatter": [[1.0, 0.5], [0.5, 1.0]]}
    members |= changes
    return {"scatter": {name: value for name, value in members.items() if value is not ...}}


def quantiles(**changes: object) -> dict[str, object]:
    members: dict[str, object] = {
        "n": [3],
        "offsets": [0, 2],
        "values": [1.0, 2.0],
        "counts": [1, 2],
    }
    members |= changes
    return {"quantiles": {name: value for name, value in members.items() if value is not ...}}


def log_sum_exp(**changes: object) -> dict[str, object]:
    members: dict[str, object] = {
        "n": 3,
        "beta": 20.0,
        "item_lse": [1.0, 2.0],
        "item_ids": ["a", "b"],
    }
    members |= changes
    return {"log_sum_exp": {name: value for name, value in members.items() if value is not ...}}


def extrema(**changes: object) -> dict[str, object]:
    members: dict[str, object] = {"n": [2], "min": [0.0], "max": [1.0]}
    return {"extrema": {**members, **changes}}
