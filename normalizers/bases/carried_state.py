"""What a causal method carries from one request to the next: the last rows, bound to their use."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from normalizers.data.arrays import LARGEST_INTEGER, Array, readonly
from normalizers.data.batch import State
from normalizers.errors import IncompatibleState, NonFiniteError
from normalizers.messages import quoted
from normalizers.validation.numbers import number_array

MEMBERS = ("method", "binding", "step", "rows")
FORMAT = 1


@dataclass(frozen=True)
class Binding:
    """What carried rows belong to.

    Parameters
    ----------
    method : str
        Name of the method.
    shaping : mapping
        The parameters that decide which rows are carried, as plain JSON values.
    windows, channels : int
        Sizes of the request.
    kept : int
        Rows that are carried once there are so many.
    """

    method: str
    shaping: Mapping[str, object]
    windows: int
    channels: int
    kept: int

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON of everything but the rows, in hexadecimal."""
        bound = {
            "format": FORMAT,
            "method": self.method,
            "params": dict(self.shaping),
            "windows": self.windows,
            "channels": self.channels,
        }
        text = json.dumps(bound, sort_keys=True, separators=(",", ":"), allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def held(self, step: int) -> int:
        """Return how many rows are carried after `step` steps."""
        # At its beginning a series has fewer steps than its windows need.
        return min(step, self.kept)


@dataclass(frozen=True)
class Carried:
    """Rows before the present ones.

    Parameters
    ----------
    step : int
        Steps seen so far.
    rows : array of shape (n, r, c)
        The last of them, NaN where missing.
    """

    step: int
    rows: Array

    def members(self, binding: Binding) -> State:
        """Return the state as it stands in an answer."""
        return {
            "method": binding.method,
            "binding": binding.digest,
            "step": self.step,
            "rows": readonly(self.rows),
        }


def read_carried(state: State | None, binding: Binding, start_step: int | None) -> Carried:
    """Return the carried rows of a request; none and step 0 where it sent no state.

    Raises
    ------
    IncompatibleState
        Another method, other parameters or sizes, another step, or rows that cannot be.
    """
    if state is None:
        carried = Carried(0, np.empty((binding.windows, 0, binding.channels)))
    else:
        _check_members(state)
        _check_binding(state, binding)
        step = _step(state["step"])
        carried = Carried(step, _rows(state["rows"], binding, step))
    if start_step is not None and start_step != carried.step:
        raise IncompatibleState(
            f"the state stands at step {carried.step}, not at start_step {start_step}",
            path="options.start_step",
        )
    return carried


def _check_members(state: State) -> None:
    for name in MEMBERS:
        if name not in state:
            raise IncompatibleState(f"the state lacks '{name}'", path=f"input.state.{name}")
    for name in state:
        if name not in MEMBERS:
            known = ", ".join(MEMBERS)
            raise IncompatibleState(
                f"unknown member {quoted(name)} of a state; its members are {known}",
                path="input.state",
            )


def _check_binding(state: State, binding: Binding) -> None:
    if state["method"] != binding.method:
        raise IncompatibleState(
            f"this is the state of another method; '{binding.method}' needs its own",
            path="input.state.method",
        )
    if state["binding"] != binding.digest:
        shaping = ", ".join(binding.shaping)
        raise IncompatibleState(
            f"the state belongs to another {shaping}, or to another number of windows or channels "
            f"than {binding.windows} and {binding.channels}",
            path="input.state.binding",
        )


def _step(step: object) -> int:
    if isinstance(step, np.integer):
        step = int(step)
    if not isinstance(step, int) or isinstance(step, bool) or not 0 <= step < LARGEST_INTEGER:
        raise IncompatibleState(
            "the step of a state is a whole number, at least 0", path="input.state.step"
        )
    return step


def _rows(value: object, binding: Binding, step: int) -> Array:
    path = "input.state.rows"
    rows = number_array(value, path).astype(np.float64)
    shape = (binding.windows, binding.held(step), binding.channels)
    if rows.size == 0 and 0 in shape:
        return np.empty(shape)
    if rows.shape != shape:
        raise IncompatibleState(
            f"rows of shape {rows.shape}, but a state at step {step} has {shape}", path=path
        )
    if np.isinf(rows).any():
        raise NonFiniteError("a carried value is infinite", path=path)
    return rows
