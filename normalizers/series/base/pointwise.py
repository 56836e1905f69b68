"""Maps of each value of a series by itself, and of forecasts back."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Fields,
    Fitted,
    Options,
    floats,
    like,
    optional,
    param,
    series,
)
from normalizers.contract.fields import sample_paths
from normalizers.contract.method import Kind
from normalizers.data.arrays import Array
from normalizers.data.batch import Value
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.series.base.paths import SAMPLES
from normalizers.series.base.series_normalizer import SeriesNormalizer

CHANNEL_AXIS = 2
NONE = "none"


class SeriesMap(SeriesNormalizer):
    """Base of the increasing maps of series whose answer depends on each value alone.

    Notes
    -----
    Nothing is fitted and nothing carried, so a prefix of a series gives the prefix of the answer.
    Missing values stay missing in their place; a value outside the domain comes out as missing
    and is flagged ``out_of_range``, on the way back too. Ties stay ties, constants need no rule.
    Cost O(N).

    The way back takes points, which are medians, and quantiles, which an increasing map leads
    back as they are. The mean of what is led back is another number: `bias_adjust` finds it from
    ``std`` or ``variance`` of the forecast, ``delta`` by the curvature of the map,
    ``f(w) + f''(w) s^2 / 2``.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("stateless",)
    traits = replace(SeriesNormalizer.traits, monotone=True)

    bias_adjust: Literal["none", "lognormal", "delta"] | None = param(
        default=None,
        default_value=NONE,
        affects="answer",
        help="whether points are led back as medians, or as means by their spread",
    )

    def check(self, path: str) -> None:
        """Refuse a mean that this map has no formula for."""
        if self.bias_adjust == "lognormal" and not self.is_logarithm:
            raise InvalidParams(
                f"what '{self.name}' leads back is not lognormal; say delta",
                path=f"{path}.bias_adjust",
            )

    @property
    def is_logarithm(self) -> bool:
        """Whether the mean of what is led back is that of a lognormal."""
        return False

    @property
    def takes(self) -> Fields:
        """Series or windows."""
        return Fields(x=series(help="series or windows"))

    @property
    def gives(self) -> Fields:
        """The same, mapped."""
        return Fields(y=like("x", series(help="mapped values")))

    @property
    def inverse_takes(self) -> Fields:
        """Mapped values, or a forecast with its spread and quantiles."""
        return Fields(
            y=optional(series("n h c", help="mapped values, or a forecast of any length")),
            std=optional(series("n h c", help="standard deviations of a forecast")),
            variance=optional(series("n h c", help="variances of a forecast")),
            quantiles=optional(series("n h c k", help="quantiles of a forecast")),
            levels=optional(floats("k", help="levels of the quantiles, 0..1")),
            samples=sample_paths(),
        )

    @abstractmethod
    def forward(self, x: Array, fitted: Fitted) -> Array:
        """Return the image of values whose last axis is channels; NaN outside the domain."""

    @abstractmethod
    def backward(self, y: Array, fitted: Fitted) -> Array:
        """Return the values behind images; NaN where there are none."""

    @abstractmethod
    def curvature(self, y: Array, fitted: Fitted) -> Array:
        """Return the second derivative of the way back."""

    def parts(self, fitted: Fitted) -> dict[str, object]:
        """Return what the map is made of."""
        return {"map": self.name}

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the mapped values."""
        x = batch["x"]
        y = _each(x, lambda values: self.forward(values, fitted))
        answer = _flagged(Answer({"y": y}), x, y)
        return replace(answer, explain=self.parts(fitted)) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return points, medians or means, and quantiles."""
        sent = [name for name in ("y", "quantiles") if name in batch]
        if not sent:
            raise InvalidInput("send y, quantiles or samples to be led back", path="input.y")
        answer = Answer({})
        for name in sent:
            back = _each(batch[name], lambda values: self.backward(values, fitted))
            answer = _flagged(answer, batch[name], back)
            output = "x" if name == "y" else name
            answer = replace(answer, output={**answer.output, output: back})
        return self._adjusted(answer, fitted, batch)

    def mean(self, y: Array, variance: Array, medians: Array, fitted: Fitted) -> Array:
        """Return the mean of what is led back, from its median and the variance of `y`."""
        return np.asarray(medians + self.curvature(y, fitted) * variance / 2)

    def _adjusted(self, answer: Answer, fitted: Fitted, batch: Batch) -> Answer:
        if SAMPLES in batch:
            return answer  # a path is no median: its image is itself
        spread = "variance" if "variance" in batch else "std"
        if self.bias_adjust == NONE:
            if spread in batch:
                raise InvalidInput(
                    "a spread has no image of its own; say bias_adjust to find the mean by it",
                    path=f"input.{spread}",
                )
            return answer
        if "y" not in batch:
            return answer
        if spread not in batch:
            raise InvalidInput("bias_adjust needs std or variance of y", path="input.std")
        variance = _numbers(batch[spread]) ** (1 if spread == "variance" else 2)
        points = _numbers(batch["y"])
        if np.shape(variance) != np.shape(points):
            raise InvalidInput(f"{spread} has one number for each of y", path=f"input.{spread}")
        means = self.mean(points, variance, _numbers(answer.canonical("x")), fitted)
        return replace(answer, output={**answer.output, "x": _like(batch["y"], means)})


def by_channel(numbers: Array, values: Array) -> Array:
    """Return one number a channel so that it broadcasts to windows, with quantiles too."""
    return numbers[:, np.newaxis] if values.ndim > CHANNEL_AXIS + 1 else numbers


def _each(value: Value, change: Callable[[Array], Array]) -> Value:
    return _like(value, change(_numbers(value)))


def _numbers(value: Value) -> Array:
    return value.values if isinstance(value, Ragged) else np.asarray(value)


def _like(value: Value, numbers: Array) -> Value:
    return value.with_values(numbers) if isinstance(value, Ragged) else np.asarray(numbers)


def _flagged(answer: Answer, before: Value, after: Value) -> Answer:
    """Return the answer with the windows and channels in which a value was lost."""
    lost = np.isnan(_numbers(after)) & ~np.isnan(_numbers(before))
    if not lost.any():
        return answer
    if isinstance(before, Ragged):
        parts = np.unique(before.positions(np.flatnonzero(lost))[:, 0])
        return answer.flagged("out_of_range", np.stack([parts, np.zeros_like(parts)], axis=1))
    other = tuple(axis for axis in range(lost.ndim) if axis not in (0, CHANNEL_AXIS))
    return answer.flagged("out_of_range", np.argwhere(lost.any(axis=other)))
