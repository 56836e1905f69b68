"""How values pass from step to step of a pipeline, forward and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import cast

import numpy as np

from normalizers.admission import admit
from normalizers.admission.sizes import check_sizes
from normalizers.answer import Answer, Options
from normalizers.batch import Batch, Form, Value
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.fields import Field, Fields
from normalizers.fitted import Fitted
from normalizers.rendering import Rendered, render
from normalizers.steps import PREFIX, Step, read_step
from normalizers.work import screened

DENSE = ("floats", "series")


def read_steps(items: Sequence[object], path: str) -> list[Step]:
    """Return the steps, from whatever way each was written."""
    if all(isinstance(item, Step) for item in items):
        return [item for item in items if isinstance(item, Step)]
    from normalizers.catalogue import CATALOGUE

    return [read_step(item, f"{path}[{i}]", CATALOGUE) for i, item in enumerate(items)]


def check_chain(steps: Sequence[Step], path: str) -> None:
    """Refuse steps whose output is not what the next step takes."""
    for index, (first, second) in enumerate(pairwise(steps), start=1):
        gives = first.method.gives[first.method.gives.main]
        takes = second.method.takes[second.method.takes.main]
        if gives.kind != takes.kind or len(gives.shape) != len(takes.shape):
            raise InvalidParams(
                f"'{first.method.name}' gives {gives.kind} {gives.shape_text}, "
                f"'{second.method.name}' takes {takes.kind} {takes.shape_text}",
                path=f"{path}[{index}]",
            )
    fitted = [step for step in steps if step.is_fitted_here]
    for index, step in enumerate(steps):
        alone = len(fitted) == 1 and index == 0
        if step.is_fitted_here and not alone and step.method.fits.main != step.method.takes.main:
            raise InvalidParams(
                f"'{step.method.name}' is fitted on another field than it takes; "
                "it can only be the first step, fitted alone, or a reference",
                path=f"{path}[{index}]",
            )


def joined_fields(of_steps: Sequence[Fields]) -> Fields:
    """Return the first step's fields and by name the side fields of the later ones."""
    if not of_steps:
        return Fields()
    fields: dict[str, Field] = dict(of_steps[0])
    for later in of_steps[1:]:
        for name in list(later)[1:]:
            if name in fields and fields[name].kind != later[name].kind:
                raise InvalidParams(f"two steps take a field '{name}' of different kinds")
            fields.setdefault(name, later[name])
    return Fields(of_steps[0].one_of, **fields)


def given_to(
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
        return Batch({name: given[name] for name in fields if name in given}, given.forms)
    main = fields.main
    sides = {name: given[name] for name in list(fields)[1:] if name in given}
    form = next(iter(given.forms.values()), Form())
    batch = Batch({main: _typed(value, fields[main]), **sides}, {**given.forms, main: form})
    path = f"{PREFIX}.{index}"
    check_sizes(fields, dict(batch), dict(sizes or {}), path)
    return screened(step.method, fields, batch, path)


def passed(step: Step, index: int, value: Value | None, given: Batch, own: Fitted) -> Value:
    """Return what a fitted step passes on while the pipeline is fitted."""
    worker = step.method
    batch = given_to(step, index, value, given, worker.takes)
    return main_of(step, worker.apply(own, batch, Options()))


def main_of(step: Step, answer: Answer) -> Value:
    """Return a step's main output."""
    return value_of(answer.output[step.method.gives.main])


def value_of(rendered: Rendered) -> Value:
    """Return an output that is still in canonical form as a value."""
    return cast(Value, rendered)


def rendered_later(value: Value) -> Rendered:
    """Return a canonical value as an output that the driver will write."""
    return value


def collected(steps: Sequence[Step], answers: Sequence[Answer], given: Batch) -> Answer:
    """Return one answer: the last main output, every side output by step, all flags."""
    form = next(iter(given.forms.values()), Form())
    sides = {
        str(index): {
            name: render(value_of(value), form, main=False)
            for name, value in answer.output.items()
            if name != step.method.gives.main
        }
        for index, (step, answer) in enumerate(zip(steps, answers, strict=True))
    }
    kept = {index: outputs for index, outputs in sides.items() if outputs}
    main = steps[-1].method.gives.main
    explained = [answer.explain for answer in answers]
    return Answer(
        {main: answers[-1].output[main], **({PREFIX: kept} if kept else {})},
        flags={name: places for answer in answers for name, places in answer.flags.items()},
        warnings=tuple(noted for answer in answers for noted in answer.warnings),
        explain={PREFIX: explained} if any(part is not None for part in explained) else None,
    )


def returned_to(
    step: Step,
    index: int,
    value: Value,
    given: Batch,
    sizes: Mapping[str, int],
    options: Options,
) -> Batch:
    """Return what a step's way back is given: the value, and what its transform answered."""
    returns, path = step.method.returns, f"input.{PREFIX}.{index}"
    main = returns.main
    names = [name for name in list(returns)[1:] if name in step.method.gives]
    sent = admit(
        Fields(**{name: returns[name] for name in names}),
        _side_outputs(given, index) if names else {},
        path=path,
        layout=options.layout,
    )
    by_name = {name: given[name] for name in list(returns)[1:] if name in given}
    batch = Batch({main: _typed(value, returns[main]), **sent, **by_name}, given.forms)
    check_sizes(returns, dict(batch), dict(sizes), path)
    return batch


def _side_outputs(given: Batch, index: int) -> Mapping[str, object]:
    sides = given.state(PREFIX) or {}
    found = sides.get(str(index))
    if not isinstance(found, Mapping):
        raise InvalidInput(
            f"send 'steps' as the transform answered it; step {index} is missing",
            path=f"input.{PREFIX}",
        )
    return found


def _typed(value: Value, field: Field) -> Value:
    if isinstance(value, np.ndarray) and field.kind in DENSE and not field.native:
        return value.astype(np.float64, copy=False)
    return value
