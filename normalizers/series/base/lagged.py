"""What methods share that set each step beside the one `lag` steps before it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from normalizers.bases.carried_arrays import CarriedArray
from normalizers.contract import (
    Answer,
    Batch,
    Fields,
    Fitted,
    Options,
    param,
    series,
    unwrap,
)
from normalizers.contract.fields import state
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput
from normalizers.series.base.causal import CausalNormalizer
from normalizers.series.base.steps import Steps, Walk

LONGEST_LAG = 1_000_000


class LaggedNormalizer(CausalNormalizer):
    """Base of the changes from ``x[t - lag]`` to ``x[t]``; a method writes `change` and `grown`.

    Notes
    -----
    The first `lag` steps have nothing before them: they are missing in the answer, which has the
    length of the series, and flagged ``insufficient``. A step is missing, too, where it or the
    one `lag` before it is. The state holds the last `lag` rows, missing ones included.

    The way back goes on from a state: ``inverse`` takes the changes that follow, those of a
    forecast say, and the state that the transform returned, and gives the values. It returns a
    state of its own, which a longer forecast goes on from. Quantiles and spreads of changes do
    not add up and are not taken: send each sample path as a window.
    """

    traits = replace(CausalNormalizer.traits, way_back="onward")
    shaping = ("lag",)

    lag: int | None = param(
        default=None,
        default_value=1,
        affects="answer",
        ge=1,
        le=LONGEST_LAG,
        help="steps between the two",
    )

    @property
    def carries(self) -> Mapping[str, CarriedArray]:
        """The rows that the steps to come are set beside."""
        lag = unwrap(self.lag)
        return {"rows": CarriedArray(lambda step: min(step, lag), missing=True)}

    @property
    def inverse_takes(self) -> Fields:
        """Changes that follow, and the state of what they follow."""
        return Fields(
            y=series(help="changes that follow"),
            state=state(help="the state that the transform returned with what they follow"),
        )

    @abstractmethod
    def change(self, x: Array, earlier: Array) -> tuple[Array, Mapping[str, Array]]:
        """Return the change of each value, and flags of their own."""

    @abstractmethod
    def grown(self, tail: Array, y: Array) -> Array:
        """Return the values that follow on ``tail (s, 1, lag)`` by ``y (s, k, lag)``."""

    def walk(self, steps: Steps) -> Walk:
        """Return the changes, and the last rows."""
        lag, count = unwrap(self.lag), steps.values.shape[1]
        earlier = self._earlier(steps)
        known = np.concatenate([earlier, steps.lists], axis=1)
        y, flags = self.change(steps.values, known[:, :count])
        begun = np.arange(steps.start, steps.start + count) < lag
        own = {name: where & ~np.isnan(steps.values) for name, where in flags.items()}
        held = min(steps.start + count, lag)
        after = {"rows": known[:, known.shape[1] - held :]}
        flags = {"insufficient": begun & steps.observed, **own}
        return Walk({"y": y}, after, flags, {"earlier": known[:, :count]})

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the values that follow, and the state after them."""
        if batch.state() is None:
            raise InvalidInput(
                "changes go on from values: send the state that the transform returned with them",
                path="input.state",
            )
        return self.walked(batch, "y", options, self._walk_back)

    def _walk_back(self, steps: Steps) -> Walk:
        lag, count = unwrap(self.lag), steps.values.shape[1]
        earlier = self._earlier(steps)
        series, blocks = len(earlier), -(-count // lag)
        changes = np.full((series, blocks * lag), np.nan)
        changes[:, :count] = steps.values
        grown = self.grown(earlier[:, None], changes.reshape(series, blocks, lag))
        x = grown.reshape(series, blocks * lag)[:, :count]
        known = np.concatenate([earlier, x], axis=1)
        held = min(steps.start + count, lag)
        return Walk({"x": x}, {"rows": known[:, known.shape[1] - held :]})

    def _earlier(self, steps: Steps) -> Array:
        """Return the `lag` rows before the first step, missing where the series had not begun."""
        lag, rows = unwrap(self.lag), steps.before["rows"]
        held = min(rows.shape[1], lag)
        earlier = np.full((len(rows), lag), np.nan)
        earlier[:, lag - held :] = rows[:, rows.shape[1] - held :]
        return earlier


def adding(tail: Array, y: Array) -> Array:
    """Return the running sums of changes on a tail."""
    return np.asarray(np.cumsum(np.concatenate([tail, y], axis=1), axis=1)[:, 1:])
