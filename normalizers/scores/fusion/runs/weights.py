"""Weights of runs: by place or by name, each at least 0, not all 0."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, TypeAlias

import numpy as np
from annotated_types import Ge

from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.messages import printable_name, quoted
from normalizers.scores.fusion.runs.run import Run

NonNegative: TypeAlias = Annotated[float, Ge(0)]
Weights: TypeAlias = list[NonNegative] | dict[str, NonNegative]


def check_weights(weights: Weights | None, path: str) -> None:
    """Refuse no weights, weights that are all 0, or too large to be added."""
    if weights is None:
        return
    values = weights.values() if isinstance(weights, dict) else weights
    if not values:
        each = "a weight by its name" if isinstance(weights, dict) else "one"
        raise InvalidParams(f"0 weights: every run needs {each}", path=f"{path}.weights")
    if not any(values):
        raise InvalidParams("the weights are all 0; one must be above 0", path=f"{path}.weights")
    try:
        math.fsum(values)
    except OverflowError:
        raise InvalidParams("these weights are too large", path=f"{path}.weights") from None


def weights_of(weights: Weights | None, runs: Sequence[Run], default: float) -> Array:
    """Return one weight a run.

    Raises
    ------
    InvalidParams
        Another number of weights than runs, or names that are not those of the runs.
    """
    if weights is None:
        return np.full(len(runs), default)
    if isinstance(weights, dict):
        return _by_name(weights, [run.name for run in runs])
    if len(weights) != len(runs):
        raise InvalidParams(f"{len(weights)} weights, but {len(runs)} runs", path="params.weights")
    return np.array(weights, dtype=np.float64)


def _by_name(weights: Mapping[str, float], names: Sequence[str | int]) -> Array:
    for named in weights:
        if named not in names:
            raise InvalidParams(
                f"no run is called {quoted(named)}", path=f"params.weights.{printable_name(named)}"
            )
    for name in names:
        if name not in weights:
            label = quoted(name) if isinstance(name, str) else f"{name}, which has no name,"
            raise InvalidParams(f"run {label} has no weight", path="params.weights")
    return np.array([weights[str(name)] for name in names], dtype=np.float64)
