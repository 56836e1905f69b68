"""What a causal method carries from one request to the next: named arrays, bound to their use."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from normalizers.bases.carried_arrays import Declared
from normalizers.data.arrays import LARGEST_INTEGER, Array, readonly
from normalizers.data.batch import State
from normalizers.errors import IncompatibleState
from normalizers.messages import quoted

BOUND = ("method", "binding", "step")
FORMAT = 1
# A stream asks for the same one with every row.
KEPT_DIGESTS = 1024


@dataclass(frozen=True)
class Binding:
    """What a carried state belongs to.

    Parameters
    ----------
    method : str
        Name of the method.
    shaping : mapping
        The parameters that decide what is carried, as plain JSON values.
    windows, channels : int
        Sizes of the request; ragged series are windows of one channel.
    arrays : mapping
        What is carried, by name.
    ragged : bool
        Whether each window is a series of its own length, and stands at a step of its own.
    """

    method: str
    shaping: Mapping[str, object]
    windows: int
    channels: int
    arrays: Declared = field(default_factory=dict)
    ragged: bool = False

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON of everything but the numbers, in hexadecimal."""
        # Types beside the values: 1 and True are one key, and two texts.
        shaping = tuple((name, type(value), value) for name, value in self.shaping.items())
        return _digest(self.method, shaping, self.windows, self.channels, ragged=self.ragged)

    def begun(self) -> Carried:
        """Return what is carried before the first step."""
        arrays = {
            name: declared.begun(self.windows, self.channels)
            for name, declared in self.arrays.items()
        }
        return Carried(np.zeros(self.windows, dtype=np.int64), arrays)


@dataclass(frozen=True)
class Carried:
    """What the steps before left.

    Parameters
    ----------
    steps : int64 array of shape (n,)
        Steps that each window has seen.
    arrays : mapping
        By name, of shape (n, c) or (n, rows, c).
    """

    steps: Array
    arrays: Mapping[str, Array]

    def members(self, binding: Binding) -> State:
        """Return the state as it stands in an answer."""
        return {
            "method": binding.method,
            "binding": binding.digest,
            "step": readonly(self.steps) if binding.ragged else int(self.steps.max(initial=0)),
            **{name: readonly(self.arrays[name]) for name in binding.arrays},
        }


def read_carried(state: State | None, binding: Binding, start_step: int | None) -> Carried:
    """Return what a request carries; the beginning where it sent no state.

    Raises
    ------
    IncompatibleState
        Another method, other parameters or sizes, another step, or arrays of another shape.
    InvalidInput
        Numbers that no steps give.
    """
    if state is None:
        carried = binding.begun()
    else:
        _check_members(state, binding)
        _check_binding(state, binding)
        steps = _steps(state["step"], binding)
        arrays = {
            name: declared.read(state[name], steps, binding.channels, f"input.state.{name}")
            for name, declared in binding.arrays.items()
        }
        carried = Carried(steps, arrays)
    _check_start(carried.steps, start_step)
    return carried


@lru_cache(maxsize=KEPT_DIGESTS)
def _digest(
    method: str,
    shaping: tuple[tuple[str, type, object], ...],
    windows: int,
    channels: int,
    *,
    ragged: bool,
) -> str:
    bound = {
        "format": FORMAT,
        "method": method,
        "params": {name: value for name, _, value in shaping},
        "windows": windows,
        "channels": channels,
        **({"ragged": True} if ragged else {}),
    }
    text = json.dumps(bound, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _check_start(steps: Array, start_step: int | None) -> None:
    if start_step is None or (steps == start_step).all():
        return
    stands = steps[np.argmax(steps != start_step)]
    raise IncompatibleState(
        f"the state stands at step {stands}, not at start_step {start_step}",
        path="options.start_step",
    )


def _check_members(state: State, binding: Binding) -> None:
    members = (*BOUND, *binding.arrays)
    _check_method(state, binding)
    for name in members:
        if name not in state:
            raise IncompatibleState(f"the state lacks '{name}'", path=f"input.state.{name}")
    for name in state:
        if name not in members:
            raise IncompatibleState(
                f"unknown member {quoted(name)} of a state; its members are {', '.join(members)}",
                path="input.state",
            )


def _check_method(state: State, binding: Binding) -> None:
    if state.get("method", binding.method) != binding.method:
        raise IncompatibleState(
            f"this is the state of another method; '{binding.method}' needs its own",
            path="input.state.method",
        )


def _check_binding(state: State, binding: Binding) -> None:
    if state["binding"] != binding.digest:
        shaping = ", ".join(binding.shaping)
        kind = "ragged series" if binding.ragged else "windows or channels"
        sizes = (
            f"{binding.windows}"
            if binding.ragged
            else f"{binding.windows} and " + str(binding.channels)
        )
        raise IncompatibleState(
            f"the state belongs to {f'another {shaping}, or to ' if shaping else ''}another "
            f"number of {kind} than {sizes}",
            path="input.state.binding",
        )


def _steps(value: object, binding: Binding) -> Array:
    if not binding.ragged:
        return np.full(binding.windows, _step(value), dtype=np.int64)
    given = value.tolist() if isinstance(value, np.ndarray) else value
    if not isinstance(given, list) or len(given) != binding.windows:
        raise IncompatibleState(
            f"the state of ragged series holds a step for each of the {binding.windows}",
            path="input.state.step",
        )
    return np.array([_step(step) for step in given], dtype=np.int64)


def _step(step: object) -> int:
    if isinstance(step, np.integer):
        step = int(step)
    if not isinstance(step, int) or isinstance(step, bool) or not 0 <= step < LARGEST_INTEGER:
        raise IncompatibleState(
            "the step of a state is a whole number, at least 0", path="input.state.step"
        )
    return step
