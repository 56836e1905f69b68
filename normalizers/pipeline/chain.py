"""How values pass from step to step of a pipeline, forward and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise

import numpy as np

from normalizers.contract import lookup
from normalizers.contract.answer import Answer, Options
from normalizers.contract.fields import Field, Fields
from normalizers.contract.fitted import Fitted
from normalizers.contract.resolution import is_invertible
from normalizers.data.arrays import Array
from normalizers.data.batch import Batch, InputForm, Value
from normalizers.errors import CorruptVersion, InvalidInput, InvalidParams, NormalizerError
from normalizers.messages import printable_name
from normalizers.pipeline.steps import STEPS, Step, fitted_step, read_step
from normalizers.runtime.apply import of_rows, require_representable, screened
from normalizers.runtime.render import render
from normalizers.statistics.base.statistics_set import Statistics
from normalizers.statistics.steps import Steps
from normalizers.validation import validate
from normalizers.validation.sizes import check_sizes

DENSE = ("floats", "series")
FAMILY = "pipeline"
# Each use of a pipeline costs all of its steps, however few numbers are sent.
MOST_STEPS = 32


def read_steps(items: object, path: str) -> list[Step]:
    """Return the steps, from whatever way each was written."""
    if not isinstance(items, (list, tuple)):
        raise _no_steps(path)
    require_few_steps(items, path)
    if all(isinstance(item, Step) for item in items):
        return [item for item in items if isinstance(item, Step)]
    table = lookup.built_in()
    return [read_step(item, f"{path}[{i}]", table) for i, item in enumerate(items)]


def require_few_steps(items: Sequence[object], path: str) -> None:
    """Refuse more steps than a pipeline has, before any of them is read."""
    if len(items) > MOST_STEPS:
        raise InvalidParams(
            f"a pipeline has at most {MOST_STEPS} steps; these are {len(items)}", path=path
        )


def check_chain(steps: Sequence[Step], path: str) -> None:
    """Refuse steps whose output is not what the next step takes."""
    if not steps:
        raise _no_steps(path)
    for index, step in enumerate(steps):
        if step.method.family == FAMILY:
            raise InvalidParams(
                "a pipeline is no step; write its steps in its place", path=f"{path}[{index}]"
            )
        if not step.stateless and step.method.weight_fields and not step.method.fittable:
            names = ", ".join(step.method.weight_fields)
            raise InvalidParams(
                f"'{step.method.name}' needs weights ({names}): write them as the step's 'weights'",
                path=f"{path}[{index}]",
            )
    for index, (first, second) in enumerate(pairwise(steps), start=1):
        gives = first.method.gives[first.method.gives.main]
        takes = second.method.takes[second.method.takes.main]
        if gives.kind != takes.kind or len(gives.shape) != len(takes.shape):
            raise InvalidParams(
                f"'{first.method.name}' gives {gives.kind} {gives.shape_text}, "
                f"'{second.method.name}' takes {takes.kind} {takes.shape_text}",
                path=f"{path}[{index}]",
            )
    _check_fits(steps, path)
    joined_fields([step.method.takes for step in steps])


def _check_fits(steps: Sequence[Step], path: str) -> None:
    fitted = [step for step in steps if step.is_fitted_here]
    for index, step in enumerate(steps):
        alone = len(fitted) == 1 and index == 0
        if step.is_fitted_here and not alone and step.method.fits.main != step.method.takes.main:
            raise InvalidParams(
                f"'{step.method.name}' is fitted on another field than it takes; "
                "it can only be the first step, fitted alone, or a reference",
                path=f"{path}[{index}]",
            )


def _no_steps(path: str) -> InvalidParams:
    return InvalidParams("a pipeline needs a list of steps, one or more", path=path)


def joined_fields(of_steps: Sequence[Fields]) -> Fields:
    """Return the first step's fields and by name the side fields of the later ones."""
    if not of_steps:
        return Fields()
    fields: dict[str, Field] = dict(of_steps[0])
    for later in of_steps[1:]:
        for name in list(later)[1:]:
            if name in fields and fields[name].kind != later[name].kind:
                raise InvalidParams(
                    f"two steps take a field '{name}' of different kinds", path=f"params.{STEPS}"
                )
            if name not in fields or later[name].required:
                fields[name] = later[name]
    first = of_steps[0]
    return Fields(first.one_of, first.any_of, first.summed, **fields)


def returned_fields(steps: Sequence[Step]) -> Fields:
    """Return the last step's output, the side fields by name, and the side outputs by step."""
    if not steps or not all(is_invertible(step.method) for step in steps):
        return Fields()
    last = steps[-1].method.inverse_takes
    sides = {
        name: field
        for step in steps
        for name, field in list(step.method.inverse_takes.items())[1:]
        if name not in step.method.gives
    }
    return Fields(**{last.main: last[last.main], **sides, STEPS: Field("state", required=False)})


def step_input(
    step: Step,
    index: int,
    value: Value | None,
    given: Batch,
    fields: Fields,
    sizes: Mapping[str, int] | None = None,
) -> Batch:
    """Return what a step is given: the value that reached it, and its side fields by name.

    `value` is None for the first step, which reads the batch itself.
    """
    if value is None:
        named = {name: given[name] for name in fields if name in given}
        return Batch(named, given.forms).on(given.device).named(given.columns)
    main = fields.main
    sides = {name: given[name] for name in list(fields)[1:] if name in given}
    form = next(iter(given.forms.values()), InputForm())
    batch = Batch({main: _typed(value, fields[main]), **sides}, {**given.forms, main: form})
    batch = batch.on(given.device).named(_names_of(value, given))
    path = f"{STEPS}.{index}"
    check_sizes(fields, dict(batch), dict(sizes or {}), path)
    return screened(step.method, fields, batch, path)


@contextmanager
def guarding_reference(step: Step, index: int) -> Iterator[None]:
    """Tell the forged arrays of a reference from a fault of its method.

    A pipeline's file holds the arrays of a reference without the statistics they follow from.
    """
    try:
        yield
    except NormalizerError:
        raise
    except (ValueError, IndexError, TypeError) as error:
        if step.version is None:
            raise
        raise CorruptVersion(
            f"the fitted arrays of step {index} are not those of '{step.method.name}'"
        ) from error


def step_output(step: Step, index: int, value: Value | None, given: Batch, own: Fitted) -> Value:
    """Return what a fitted step passes on while the pipeline is fitted."""
    resolved = step.method
    batch = step_input(step, index, value, given, resolved.takes, own.sizes)
    if value is None:
        check_sizes(resolved.takes, dict(batch), dict(own.sizes), "fit")
    return main_of(step, resolved.apply(own, batch, Options()))


def settled(given: Sequence[Step], steps: Sequence[Step], batch: Batch) -> list[object]:
    """Return by step what the data of one whole fit decide for the first step that is fitted."""
    decided: list[object] = [{} for _ in steps]
    first = next(index for index, step in enumerate(steps) if step.is_fitted_here)
    value = None
    for index, step in enumerate(steps[:first]):
        value = step_output(step, index, value, batch, fitted_step(step, Statistics({})))
    taken = step_input(steps[first], first, value, batch, steps[first].method.fits)
    decided[first] = given[first].method.decide(taken)
    return decided


def accumulate_steps(steps: Sequence[Step], kept: Steps, batch: Batch) -> Steps:
    """Return the statistics with a batch folded into every fitted step, after those before it."""
    fitted = [index for index, step in enumerate(steps) if step.is_fitted_here]
    value, last = None, fitted[-1]
    for index, step in enumerate(steps[: last + 1]):
        if step.is_fitted_here:
            given = step_input(step, index, value, batch, step.method.fits)
            told = {} if index == fitted[0] else step.method.decide(given)
            resolved = step.method.with_values(told)
            kept = kept.replace(index, resolved.accumulate(kept.parts[index], given))
        if index < last:
            value = step_output(step, index, value, batch, fitted_step(step, kept.parts[index]))
    return kept


def main_of(step: Step, answer: Answer) -> Value:
    """Return a step's main output; one that overflowed would be a missing value to the next."""
    gives = step.method.gives
    value = answer.canonical(gives.main)
    if isinstance(value, np.ndarray) and value.ndim != len(gives[gives.main].shape):
        raise ValueError(f"'{step.method.name}' gave an array of {value.ndim} axes")
    require_representable(value)
    return value


def merge_answers(steps: Sequence[Step], answers: Sequence[Answer], batch: Batch) -> Answer:
    """Return one answer: the last main output, every side output by step, all flags."""
    form = next(iter(batch.forms.values()), InputForm())
    sides = {
        str(index): {
            name: render(
                answer.canonical(name), of_rows(step.method.gives.get(name), form), main=False
            )
            for name in answer.output
            if name != step.method.gives.main
        }
        for index, (step, answer) in enumerate(zip(steps, answers, strict=True))
    }
    kept = {index: outputs for index, outputs in sides.items() if outputs}
    main = steps[-1].method.gives.main
    explained = [answer.explain for answer in answers]
    reports = [dict(answer.report or {}) for answer in answers]
    return Answer(
        {main: answers[-1].output[main], **({STEPS: kept} if kept else {})},
        flags=_flags_forward(steps, answers),
        warnings=tuple(noted for answer in answers for noted in answer.warnings),
        report={STEPS: reports} if any(reports) else None,
        explain={STEPS: explained} if any(part is not None for part in explained) else None,
    )


def _flags_forward(steps: Sequence[Step], answers: Sequence[Answer]) -> Mapping[str, Array]:
    """Return the flags of all steps; of those before rows change, by step: ``steps.0.missing``."""
    last = max((i for i, step in enumerate(steps) if _changes_rows(step)), default=0)
    before = {
        f"{STEPS}.{index}.{name}": places
        for index, answer in enumerate(answers[:last])
        for name, places in answer.flags.items()
    }
    return {**before, **flags_of(answers[last:])}


def _changes_rows(step: Step) -> bool:
    """Return whether the rows of a step's answer are others than those it takes."""
    taken, given = step.method.takes, step.method.gives
    return taken[taken.main].shape[:1] != given[given.main].shape[:1]


def flags_of(answers: Sequence[Answer]) -> Mapping[str, Array]:
    """Return the flags of all steps; of one name with other axes, those of the later step."""
    whole = Answer({})
    for answer in answers:
        for name, places in answer.flags.items():
            known = whole.flags.get(name)
            if known is not None and known.shape[1:] != places.shape[1:]:
                whole = replace(whole, flags={**whole.flags, name: places})
            else:
                whole = whole.flagged(name, places)
    return whole.flags


def step_inverse_input(
    step: Step,
    index: int,
    value: Value,
    given: Batch,
    sizes: Mapping[str, int],
    options: Options,
) -> Batch:
    """Return what a step's way back is given: the value, and what its transform answered."""
    returns, path = step.method.inverse_takes, f"input.{STEPS}.{index}"
    main = returns.main
    names = [name for name in list(returns)[1:] if name in step.method.gives]
    sent = validate(
        Fields(**{name: returns[name] for name in names}),
        _side_outputs(given, index, required=bool(names)),
        path=path,
        layout=options.layout,
    )
    by_name = {name: given[name] for name in list(returns)[1:] if name in given}
    batch = Batch({main: _typed(value, returns[main]), **sent, **by_name}, given.forms)
    batch = batch.on(given.device)
    check_sizes(returns, dict(batch), dict(sizes), path)
    return batch


def check_sides(batch: Batch, steps: Sequence[Step]) -> None:
    """Refuse side outputs of a step that does not exist."""
    for index in batch.state(STEPS) or {}:
        if index not in map(str, range(len(steps))):
            raise InvalidInput(
                f"there is no such step; the last one is {len(steps) - 1}",
                path=f"input.{STEPS}.{printable_name(index)}",
            )


def _side_outputs(batch: Batch, index: int, *, required: bool) -> Mapping[str, object]:
    sides = batch.state(STEPS) or {}
    found = sides.get(str(index), None if required else {})
    if not isinstance(found, Mapping):
        raise InvalidInput(
            f"send 'steps' as the transform answered it; step {index} is missing",
            path=f"input.{STEPS}",
        )
    return found


def _names_of(value: Value, given: Batch) -> tuple[str, ...] | None:
    """Return the names of the columns where a step before kept their number."""
    names = given.columns
    if names is None or not isinstance(value, np.ndarray) or value.shape[-1:] != (len(names),):
        return None
    return names


def _typed(value: Value, field: Field) -> Value:
    if isinstance(value, np.ndarray) and field.kind in DENSE and not field.native:
        return value.astype(np.float64, copy=False)
    return value
