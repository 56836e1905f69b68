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
    optional,
    param,
    series,
    unwrap,
)
from normalizers.contract.fields import sample_paths, state
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
    not add up and are not taken: send sample paths, each of which goes on from the state.
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
            y=optional(series(help="changes that follow")),
            samples=sample_paths(help="sample paths of the changes that follow"),
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
        count = steps.values.shape[1]
        earlier = self._earlier(steps)
        earlier = np.concatenate([earlier, steps.lists[:, : count - earlier.shape[1]]], axis=1)
        y, flags = self.change(steps.values, earlier)
        begun = np.arange(steps.start, steps.start + count) < unwrap(self.lag)
        own = {name: where & ~np.isnan(steps.values) for name, where in flags.items()}
        flags = {"insufficient": begun & steps.observed, **own}
        return Walk({"y": y}, self._after(steps, steps.lists), flags, {"earlier": earlier})

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the values that follow, and the state after them."""
        if batch.state() is None:
            raise InvalidInput(
                "changes go on from values: send the state that the transform returned with them",
                path="input.state",
            )
        if "y" not in batch:
            raise InvalidInput("send y or samples to be led back", path="input.y")
        return self.walked(batch, "y", options, self._walk_back)

    def _walk_back(self, steps: Steps) -> Walk:
        series, count = steps.values.shape
        earlier = self._earlier(steps)
        width = earlier.shape[1]
        blocks = -(-count // max(width, 1))
        changes = np.full((series, blocks * width), np.nan)
        changes[:, :count] = steps.values
        grown = self.grown(earlier[:, None], changes.reshape(series, blocks, width))
        x = grown.reshape(series, blocks * width)[:, :count]
        return Walk({"x": x}, self._after(steps, x))

    def _earlier(self, steps: Steps) -> Array:
        """Return what stands `lag` before the first steps, as many as reach back to earlier rows.

        A lag may be far longer than the rows that are sent: nothing is made of its size.
        """
        lag, rows = unwrap(self.lag), steps.before["rows"]
        held = min(rows.shape[1], lag)
        earlier = np.full((len(rows), min(lag, steps.values.shape[1])), np.nan)
        # Missing where the series had not begun.
        known = rows[:, rows.shape[1] - held :][:, : max(0, earlier.shape[1] - (lag - held))]
        earlier[:, lag - held : lag - held + known.shape[1]] = known
        return earlier

    def _after(self, steps: Steps, x: Array) -> Mapping[str, Array]:
        """Return the last `lag` rows."""
        known = np.concatenate([steps.before["rows"], x], axis=1)
        held = min(steps.start + x.shape[1], unwrap(self.lag))
        return {"rows": known[:, known.shape[1] - held :]}


def adding(tail: Array, y: Array) -> Array:
    """Return the running sums of changes on a tail."""
    return np.asarray(np.cumsum(np.concatenate([tail, y], axis=1), axis=1)[:, 1:])
