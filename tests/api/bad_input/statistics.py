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


def groups(extrema: dict[str, object] | None = None, **moments: object) -> dict[str, object]:
    members: dict[str, object] = {
        "keys": [["a"], ["b"]],
        "n": [[2], [3]],
        "mean": [[0.5], [1.0]],
        "m2": [[0.5], [0.375]],
    }
    ends: dict[str, object] = {
        "keys": [["a"], ["b"]],
        "n": [[2], [3]],
        "min": [[0.0], [0.75]],
        "max": [[1.0], [1.5]],
    }
    return {"moments": {**members, **moments}, "extrema": {**ends, **(extrema or {})}}


def extrema(**changes: object) -> dict[str, object]:
    members: dict[str, object] = {"n": [2], "min": [0.0], "max": [1.0]}
    return {"extrema": {**members, **changes}}
