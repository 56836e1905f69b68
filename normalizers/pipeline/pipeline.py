"""Ordered steps as one normalizer: fitted in order, applied in order, undone backwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self, cast

import normalizers.pipeline.chain as flow
from normalizers.contract.answer import Answer, Options
from normalizers.contract.example import Example
from normalizers.contract.fields import Field, Fields
from normalizers.contract.fitted import Fitted
from normalizers.contract.method import UNKNOWN_STATISTICS, Kind, Method
from normalizers.contract.parameters import param
from normalizers.contract.traits import Traits
from normalizers.data.batch import Batch, Value
from normalizers.data.devices import CPU
from normalizers.normalizer import Normalizer
from normalizers.pipeline.references import StepReferences
from normalizers.pipeline.steps import (
    STEPS,
    Step,
    empty_step_statistics,
    fitted_of,
    fitted_step,
    joined,
    kept_by_step,
    resolved_step,
)
from normalizers.statistics.base.statistic import Statistic
from normalizers.statistics.base.statistics_set import Statistics
from normalizers.statistics.steps import Steps


def _read_steps(method: Method, written: object, path: str) -> list[Step]:
    steps = flow.read_steps(written, path)
    flow.check_chain(steps, path)
    return steps


class Pipeline(Normalizer):
    """Apply methods one after the other: the main output of a step is the input of the next.

    ``y = step_k(... step_2(step_1(x)))``. A step is a method's name, ``{"method", "params"}``, for
    a layer that was trained elsewhere with ``"weights"``, a reference to a stored version, or in
    Python a normalizer (a fitted one counts as a reference, whose arrays are copied). Side fields
    of later steps (``groups``, ``mask``) are sent by name beside the first step's; side outputs
    (``loc``, ``scale``) are answered under ``steps``, by step, and taken back from there by the
    inverse.

    Notes
    -----
    Fitted in order from data: every step that is fitted sees the output of the steps before it.
    Streams and merges work while one step is fitted and every step before it is stateless or a
    reference. Missing values, ties and constants follow each step's own parameters. Invertible
    when every step is. At most 32 steps. Cost: the sum of the steps.

    References
    ----------
    The idea of ordered processors as one named object is that of search pipelines and of
    scikit-learn's ``Pipeline``.

    Examples
    --------
    >>> from normalizers import Pipeline
    >>> ranks = {"method": "percentile", "params": {"scope": "query"}}
    >>> Pipeline(steps=["min_max", ranks]).transform([10.0, 30.0, 20.0]).round(3).tolist()
    [0.167, 0.833, 0.5]
    """

    name = "pipeline"
    family = flow.FAMILY
    kinds: ClassVar[tuple[Kind, ...]] = ("pipeline",)
    example = Example(
        params={"steps": ["min_max", {"method": "percentile", "params": {"scope": "query"}}]},
        input={"scores": [12.0, 7.0, 3.5]},
    )

    steps: list[object] | None = param(
        default=None,
        read=_read_steps,
        affects="statistics",
        references=StepReferences(),
        min_length=1,
        help="ordered steps: a method's name, {method, params, weights}, or {ref} to a version",
    )

    def check(self, path: str) -> None:
        """Refuse a pipeline without steps; given ones were chained as they were read."""
        if self.steps is None:
            flow.check_chain([], f"{path}.{STEPS}")

    @property
    def parts(self) -> list[Step]:
        """The steps as they are now; none before they are given."""
        return flow.read_steps([] if self.steps is None else self.steps, "params.steps")

    @property
    def nan_policy(self) -> str | None:
        """What the first step does with a missing value, which is what the pipeline does."""
        return next((getattr(step.method, "nan_policy", None) for step in self.parts), None)

    @property
    def inf_policy(self) -> str | None:
        """What the first step does with an infinity, which is what the pipeline does."""
        return next((getattr(step.method, "inf_policy", None) for step in self.parts), None)

    @property
    def traits(self) -> Traits:  # type: ignore[override]
        """Flags are those of the last step; what some step computes on, the others follow."""
        traits = [step.method.traits for step in self.parts]
        return Traits(
            options=frozenset({"layout"}),
            fit_options=frozenset({name for each in traits for name in each.fit_options}),
            devices=tuple(sorted({CPU, *(name for each in traits for name in each.devices)})),
            flag_axes=traits[-1].flag_axes if traits else Traits().flag_axes,
            column_flags=frozenset({name for each in traits for name in each.column_flags}),
            same_bits=all(each.same_bits for each in traits),
            preserves_columns=all(each.preserves_columns for each in traits),
        )

    @property
    def sources(self) -> frozenset[str]:
        """The models that the steps were told to be fitted on."""
        return frozenset().union(*(step.method.sources for step in self.parts))

    @property
    def knows_source(self) -> bool:
        """Whether some step can be told whose numbers it is fitted on."""
        return any(step.method.knows_source for step in self.parts)

    @property
    def exports(self) -> tuple[str, ...]:
        """None: a form for another engine holds one map."""
        return ()

    @property
    def stateless(self) -> bool:
        """Whether every step works without a fit."""
        return all(step.stateless for step in self.parts)

    @property
    def fittable(self) -> bool:
        """Whether some step can be fitted."""
        return any(step.is_fitted_here for step in self.parts)

    @property
    def streams(self) -> bool:
        """Whether one step is fitted, and can be from a stream."""
        fitted = [step for step in self.parts if step.is_fitted_here]
        return len(fitted) == 1 and fitted[0].method.streams

    @property
    def row_by_row(self) -> bool:
        """Whether every step answers row by row."""
        return all(step.method.row_by_row for step in self.parts)

    @property
    def fits(self) -> Fields:
        """The first step's fields, and by name what later fitted steps need."""
        if not self.fittable:
            return Fields()
        last = max(i for i, step in enumerate(self.parts) if step.is_fitted_here)
        return flow.joined_fields(
            [
                step.method.fits if step.is_fitted_here else step.method.takes
                for step in self.parts[: last + 1]
            ]
        )

    @property
    def takes(self) -> Fields:
        """The first step's fields, and by name the side fields of later steps."""
        return flow.joined_fields([step.method.takes for step in self.parts])

    @property
    def gives(self) -> Fields:
        """The last step's main output, and the side outputs by step."""
        if not self.steps:
            return Fields()
        gives = self.parts[-1].method.gives
        return Fields(**{gives.main: gives[gives.main], STEPS: Field("state")})

    @property
    def inverse_takes(self) -> Fields:
        """The last step's output, its side fields by name, and the side outputs by step."""
        return flow.returned_fields(self.parts)

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The statistics of the steps."""
        if not self.fittable:
            return {}
        return {STEPS: Steps([empty_step_statistics(step) for step in self.parts])}

    def resolved(
        self, statistics: Statistics | None, settled: Mapping[str, object] | None = None
    ) -> Self:
        """Return a copy whose steps are resolved, each by its own statistics."""
        kept = statistics[STEPS].parts if statistics and STEPS in statistics else None  # type: ignore[attr-defined]
        told = settled.get(STEPS) if settled else None
        steps: list[object] = []
        for index, step in enumerate(self.parts):
            own = kept[index] if kept else (None if statistics is None else UNKNOWN_STATISTICS)
            values = told[index] if isinstance(told, list) and index < len(told) else None
            steps.append(resolved_step(step, own, values))
        return self.with_values({"steps": steps})

    def decide(self, source: Batch | Statistics) -> dict[str, object]:
        """Return what the data of one whole fit decide for the first step that is fitted.

        Statistics are asked step by step, where a step is resolved.
        """
        if isinstance(source, Statistics):
            return {}
        worked = self.resolved(UNKNOWN_STATISTICS).parts
        return {STEPS: flow.settled(self.parts, worked, source)}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Fold the batch into every fitted step, each after the steps before it."""
        return statistics.replace(
            **{STEPS: flow.accumulate_steps(self.parts, _steps_of(statistics), batch)}
        )

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the fitted arrays of all steps, references among them."""
        kept = _steps_of(statistics)
        return joined(
            [fitted_step(step, part) for step, part in zip(self.parts, kept.parts, strict=True)]
        )

    def output_sizes(self, fitted: Fitted) -> Mapping[str, int]:
        """Return the sizes of the last step."""
        own = fitted_of(fitted, len(self.parts) - 1)
        return self.parts[-1].method.output_sizes(own)

    def check_statistics(self, statistics: Statistics, path: str) -> None:
        """Refuse statistics of a step of which one contradicts another."""
        for index, part in enumerate(kept_by_step(statistics) or ()):
            if part:
                self.parts[index].method.check_statistics(part, f"{path}.{STEPS}[{index}]")

    def apply(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        """Return the last step's answer, with the side outputs of all steps."""
        value: Value | None = None
        answers: list[Answer] = []
        for index, step in enumerate(self.parts):
            own = fitted_of(fitted, index)
            batch = flow.step_input(step, index, value, given, step.method.takes, own.sizes)
            with flow.guarding_reference(step, index):
                answers.append(step.method.apply(own, batch, options))
                value = flow.main_of(step, answers[-1])
        return flow.merge_answers(self.parts, answers, given)

    def undo(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        """Return the input of the first step."""
        flow.check_sides(given, self.parts)
        value = given[next(iter(given))]
        answers: list[Answer] = []
        for index, step in reversed(list(enumerate(self.parts))):
            own = fitted_of(fitted, index)
            sizes = {**own.sizes, **step.method.output_sizes(own)}
            batch = flow.step_inverse_input(step, index, value, given, sizes, options)
            with flow.guarding_reference(step, index):
                answers.append(step.method.undo(own, batch, options))
            value = answers[-1].canonical(step.method.takes.main)
        return Answer({self.takes.main: value}, flags=flow.flags_of(answers))


def _steps_of(statistics: Statistics) -> Steps:
    return cast(Steps, statistics[STEPS])
