"""What every causal method shares: a walk along the steps, and the state that it carries on."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import ClassVar, Literal, TypeAlias, cast

import numpy as np

from normalizers.bases.carried_arrays import CarriedArray
from normalizers.bases.carried_state import Binding, Carried, read_carried
from normalizers.contract import (
    Answer,
    Batch,
    Fields,
    Fitted,
    Options,
    like,
    optional,
    param,
    series,
)
from normalizers.contract.fields import mask, state
from normalizers.contract.method import Kind
from normalizers.data.arrays import Array
from normalizers.data.batch import State
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput
from normalizers.series.base.paths import SAMPLES
from normalizers.series.base.series_normalizer import SeriesNormalizer
from normalizers.series.base.steps import DenseLayout, Layout, RaggedLayout, Steps, Walk

Walker: TypeAlias = Callable[[Steps], Walk]


class CausalNormalizer(SeriesNormalizer):
    """Base of the methods whose answer for a step depends on no later step.

    A method declares what it `carries`, names in `shaping` the parameters that decide it, and
    walks along steps: `walk` gives the outputs of every step and what is carried on. Windows and
    series of unequal length, masks, the state and what it is bound to are dealt with here.

    Notes
    -----
    Causal: a step's answer depends on no later step. The answer carries a ``state``; sent back
    with the rows that follow it gives the same bits as one request, in any chunks. It is bound to
    the method, the parameters that shape it, and the numbers of windows and channels; of series
    of unequal length each has its own. ``start_step`` says at which step it must stand.

    Missing values, and those under mask 0, are in no statistics and missing in the answer;
    ``masked_output: transform`` normalizes what a mask hides.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("causal",)
    traits = replace(
        SeriesNormalizer.traits, options=SeriesNormalizer.traits.options | {"start_step"}
    )
    shaping: ClassVar[tuple[str, ...]] = ()

    masked_output: Literal["missing", "transform"] | None = param(
        default=None,
        default_value="missing",
        affects="answer",
        help="a value under mask 0: missing in the answer, or transformed like any other",
    )

    @property
    def takes(self) -> Fields:
        """Rows in order, and what the answer before them carried."""
        return Fields(x=series(help="rows in order"), mask=optional(mask("n t c")), state=state())

    @property
    def gives(self) -> Fields:
        """Normalized rows, and what the next request needs."""
        return Fields(
            y=like("x", series(help="normalized rows")),
            state=state(help="send it with the rows that follow"),
        )

    @property
    @abstractmethod
    def carries(self) -> Mapping[str, CarriedArray]:
        """What is carried, by name."""

    @abstractmethod
    def walk(self, steps: Steps) -> Walk:
        """Return the outputs of every step, and what is carried on."""

    @property
    def bound_params(self) -> Mapping[str, object]:
        """The parameters that a state is bound to, with the values they have."""
        return {name: getattr(self, name) for name in self.shaping}

    def check_carried(self, arrays: Mapping[str, Array]) -> None:
        """Refuse carried arrays of which one contradicts another; each is possible by itself."""

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return normalized rows, and the state for the rows that follow."""
        return self.walked(batch, "x", options, self.walk)

    def walked(self, batch: Batch, main: str, options: Options, walk: Walker) -> Answer:
        """Return what a walk along the field `main` gives, and the state after it."""
        binding = self._binding(batch[main])
        before = read_carried(batch.state(), binding, options.start_step)
        self.check_carried(before.arrays)
        layout, allowed = self._layout(batch, main, before)
        walks = [walk(steps) for steps in layout.steps(before)]
        output = {
            name: layout.joined([part.outputs[name] for part in walks]) for name in walks[0].outputs
        }
        first = next(iter(output))
        output[first] = self._passed(output[first], allowed)
        after = layout.after(before, [part.after for part in walks])
        rest = {name: value for name, value in output.items() if name != first}
        answer = Answer({first: output[first], "state": after.members(binding), **rest})
        for name in walks[0].flags:
            marks = [part.flags[name] for part in walks]
            if any(part.any() for part in marks):
                answer = answer.flagged(name, layout.marked(marks))
        if not options.explain:
            return answer
        explained = {
            name: _plain(layout.joined([part.explained[name] for part in walks]))
            for name in walks[0].explained
        }
        return replace(answer, explain=explained)

    def labels_of(self, batch: Batch) -> Array | None:
        """Return what each step belongs to, where the method asks."""
        return None

    def state_of_paths(self, batch: Batch, options: Options) -> State | None:
        """Return the state of each window once for every path of it."""
        state = batch.state()
        if state is None:
            return None
        samples = batch.array(SAMPLES)
        one = self._binding(samples[:, 0] if samples.shape[1] else samples.sum(axis=1))
        held = read_carried(state, one, options.start_step)
        paths = samples.shape[1]
        arrays = {name: np.repeat(array, paths, axis=0) for name, array in held.arrays.items()}
        each = replace(one, windows=one.windows * paths)
        return Carried(np.repeat(held.steps, paths), arrays).members(each)

    def _layout(self, batch: Batch, main: str, before: Carried) -> tuple[Layout, Array | None]:
        values, labels = batch[main], self.labels_of(batch)
        allowed = batch.get("mask")
        if isinstance(values, Ragged):
            seen = ~np.isnan(values.values)
            if isinstance(allowed, Ragged):
                seen &= allowed.values
            return RaggedLayout(values, seen, before.steps, labels), _flat(allowed)
        x = batch.array(main)
        seen = ~np.isnan(x)
        if allowed is not None:
            seen &= batch.array("mask")
        return DenseLayout(x, seen, labels), _flat(allowed)

    def _passed(self, values: Array | Ragged, allowed: Array | None) -> Array | Ragged:
        """Return the answer without what a mask hides, unless it is asked for."""
        if allowed is None or self.masked_output == "transform":
            return values
        if isinstance(values, Ragged):
            return values.with_values(np.where(allowed, values.values, np.nan))
        return np.where(allowed, values, np.nan)

    def _binding(self, values: object) -> Binding:
        ragged = isinstance(values, Ragged)
        windows = len(cast("Ragged | Array", values))
        return Binding(
            self.name,
            self.bound_params,
            windows=windows,
            channels=1 if ragged else cast(Array, values).shape[2],
            arrays=self.carries,
            ragged=ragged,
        )


def require_possible(possible: Array, reason: str, name: str) -> None:
    """Refuse carried arrays that no steps leave."""
    if not possible.all():
        raise InvalidInput(reason, path=f"input.state.{name}")


def _flat(allowed: object) -> Array | None:
    if allowed is None:
        return None
    return allowed.values if isinstance(allowed, Ragged) else cast(Array, allowed)


def _plain(value: Array | Ragged) -> object:
    """Return the parts behind the steps as JSON has them: null where there is none."""
    if isinstance(value, Ragged):
        return [_plain(part) for part in value]
    if value.dtype.kind != "f":
        return value.tolist()
    shown = value.astype(object)
    shown[np.isnan(value)] = None
    return shown.tolist()
