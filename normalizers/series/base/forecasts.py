"""The way back of location and scale: points, spreads and quantiles of a forecast."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from normalizers.contract import Answer, Batch, Fields, floats, optional, series
from normalizers.contract.fields import sample_paths
from normalizers.data.arrays import Array
from normalizers.data.batch import Value
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, ShapeError
from normalizers.kernels.loc_scale import restore

SPREADS = ("std", "variance")


def forecast_fields(loc_steps: str, *, spreads: bool = True) -> Fields:
    """Return what the way back takes; `loc_steps` is the symbol of the time axis of ``loc``."""
    location = f"n {loc_steps} c"
    fields = Fields(
        y=optional(series("n h c", help="normalized values, or a forecast of any length")),
        loc=series(location, help="what was subtracted, as the transform returned it"),
        scale=series(location, help="what divided, as the transform returned it"),
        std=optional(series("n h c", help="standard deviations of a forecast")),
        variance=optional(series("n h c", help="variances of a forecast")),
        quantiles=optional(series("n h c k", help="quantiles of a forecast")),
        levels=optional(floats("k", help="levels of the quantiles, 0..1")),
        samples=sample_paths(),
    )
    return Fields(
        **{name: field for name, field in fields.items() if spreads or name not in SPREADS}
    )


def restored_forecasts(batch: Batch) -> dict[str, Value]:
    """Return points and quantiles as ``loc + scale q``, ``scale std`` and ``scale^2 variance``.

    Raises
    ------
    InvalidInput
        Nothing to restore, a scale that is not above 0, a negative spread, or a result beyond
        the largest float64.
    ShapeError
        A location of another length than the values.
    """
    _check(batch)
    restored: dict[str, Value] = {}
    if "y" in batch:
        restored["x"] = _located(batch, "y")
    # A location moves no spread: sd(loc + scale y) = scale sd(y), variance scale^2.
    for name, power in zip(SPREADS, (1, 2), strict=True):
        if name in batch:
            restored[name] = _scaled(batch, name, power)
    if "quantiles" in batch:
        restored["quantiles"] = _located(batch, "quantiles")
    for name, value in restored.items():
        if np.isinf(value.values if isinstance(value, Ragged) else np.asarray(value)).any():
            raise InvalidInput(f"a result is too large for a float64: '{name}'", path="input.scale")
    return restored


def unscaled(batch: Batch, before: Callable[[Array], Array], stretch: float | None) -> Answer:
    """Return a forecast through the map that followed the scaling, and through the scaling.

    Parameters
    ----------
    batch : Batch
        Of `forecast_fields`.
    before : callable
        The map backwards: points and quantiles go through it, as it increases.
    stretch : float or None
        By how much the map multiplies differences, deviations among them; a map that is no line
        has none, and deviations do not come back through it.
    """
    mapped = {name: _mapped(batch[name], before) for name in ("y", "quantiles") if name in batch}
    if stretch is not None:
        for name, power in zip(SPREADS, (1, 2), strict=True):
            if name in batch:
                mapped[name] = _divided(batch[name], stretch**power)
    answer = Answer(restored_forecasts(batch.replace(**mapped)))
    if "y" not in batch:
        return answer
    # What is beyond the ends of the map has nothing behind it.
    lost = np.isnan(_numbers(mapped["y"])) & ~np.isnan(_numbers(batch["y"]))
    return answer.flagged("out_of_range", _places(batch["y"], lost)) if lost.any() else answer


def _mapped(value: Value, by: Callable[[Array], Array]) -> Value:
    if isinstance(value, Ragged):
        return value.with_values(by(value.values))
    return by(np.asarray(value))


def _divided(value: Value, divisor: float) -> Value:
    return _mapped(value, lambda part: np.asarray(part / divisor))


def _places(value: Value, where: Array) -> Array:
    """Return [window, channel] of the marked values."""
    if isinstance(value, Ragged):
        series = np.unique(value.positions(np.flatnonzero(where))[:, 0])
        return np.stack([series, np.zeros_like(series)], axis=1)
    return np.argwhere(where.any(axis=1))


def _check(batch: Batch) -> None:
    if not batch.keys() & {"y", "quantiles", *SPREADS}:
        raise InvalidInput(
            "send y, std, variance, quantiles or samples to be restored", path="input.y"
        )
    if (_numbers(batch["scale"]) <= 0).any():
        raise InvalidInput("every scale is greater than 0", path="input.scale")
    for name in SPREADS:
        if name in batch and (_numbers(batch[name]) < 0).any():
            raise InvalidInput("a spread is at least 0", path=f"input.{name}")
    levels = batch.array("levels") if "levels" in batch else np.empty(0)
    if ((levels < 0) | (levels > 1)).any():
        raise InvalidInput("a level is within 0..1", path="input.levels")


def _located(batch: Batch, name: str) -> Value:
    loc, scale = (_along(batch, beside, name) for beside in ("loc", "scale"))
    value = batch[name]
    if isinstance(value, Ragged):
        return value.with_values(restore(value.values, loc, scale))
    return restore(batch.array(name), loc, scale)


def _scaled(batch: Batch, name: str, power: int) -> Value:
    scale = _along(batch, "scale", name)
    value = batch[name]
    if isinstance(value, Ragged):
        return value.with_values(value.values * scale**power)
    return np.asarray(batch.array(name) * scale**power)


def _along(batch: Batch, beside: str, name: str) -> Array:
    """Return ``loc`` or ``scale`` so that it broadcasts to the values of `name`."""
    located, values = batch[beside], batch[name]
    if isinstance(values, Ragged):
        return _along_series(located, values, beside)
    array = batch.array(beside)
    steps = batch.array(name).shape[1]
    if array.shape[1] not in (1, steps):
        raise ShapeError(
            f"'{beside}' has {array.shape[1]} steps, but '{name}' has {steps}; "
            "send one step for all, or as many",
            path=f"input.{beside}",
        )
    return array[..., None] if batch.array(name).ndim > array.ndim else array


def _along_series(located: Value, values: Ragged, beside: str) -> Array:
    if isinstance(located, Ragged):
        return located.values
    numbers = np.reshape(np.asarray(located), -1)
    if len(numbers) != len(values):
        raise ShapeError(
            f"there are {len(values)} series, but '{beside}' has {len(numbers)}",
            path=f"input.{beside}",
        )
    return np.repeat(numbers, values.lengths)


def _numbers(value: Value) -> Array:
    return value.values if isinstance(value, Ragged) else np.asarray(value)
