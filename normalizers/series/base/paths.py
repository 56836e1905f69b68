"""Sample paths of forecasts: each is led back as a forecast of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np

from normalizers.contract import Answer, Batch
from normalizers.data.arrays import Array
from normalizers.data.batch import State, Value
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, ShapeError

SAMPLES, STATE = "samples", "state"
# What is led back of a forecast, beside its paths.
SUMMARIES = ("y", "std", "variance", "quantiles")


def beside(batch: Batch) -> Batch | None:
    """Return what was sent beside the paths; None where that is nothing to lead back."""
    return batch.without(SAMPLES) if batch.keys() & {*SUMMARIES} else None


def as_windows(batch: Batch, state: State | None = None) -> Batch:
    """Return the paths as windows ``(n p, h, c)``, each with what its window has.

    They stand in the place of ``y``. ``samples`` stays: a path has no spread.
    """
    samples = batch.array(SAMPLES)
    windows, paths = samples.shape[:2]
    rest = batch.without(*SUMMARIES, "levels", STATE)
    repeated = {
        name: _repeated(name, value, windows, paths)
        for name, value in rest.items()
        if name != SAMPLES
    }
    y = samples.reshape(windows * paths, *samples.shape[2:])
    carried = {} if state is None else {STATE: cast(Value, state)}
    return rest.replace(y=y, **repeated, **carried)


def of_windows(answer: Answer, led: Answer, batch: Batch) -> Answer:
    """Return an answer with the paths that were led back, and what is flagged of their windows."""
    shape = batch.array(SAMPLES).shape
    x = cast(Array, led.canonical("x"))
    output = {**answer.output, SAMPLES: x.reshape(*shape[:2], *x.shape[1:])}
    whole = replace(answer, output=output, warnings=(*answer.warnings, *led.warnings))
    for name, places in led.flags.items():
        moved = np.asarray(places).copy()
        moved[:, 0] //= max(shape[1], 1)
        known = np.asarray(answer.flags.get(name, np.empty((0, moved.shape[1]), dtype=np.int64)))
        whole = whole.flagged(name, np.unique(np.concatenate([known, moved]), axis=0))
    return whole


def _repeated(name: str, value: Value, windows: int, paths: int) -> Value:
    if isinstance(value, Ragged):
        raise InvalidInput("sample paths are of windows of one length", path=f"input.{name}")
    array = np.asarray(value)
    if not array.ndim or len(array) != windows:
        raise ShapeError(
            f"there are {windows} windows of sample paths, but '{name}' has {len(array)}",
            path=f"input.{name}",
        )
    return np.repeat(array, paths, axis=0)
