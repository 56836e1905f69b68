"""Apply a method to untrusted values: admit, screen, compute, flag, write in the caller's form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import numpy as np

from normalizers.contract.answer import Answer, Options, Rendered
from normalizers.contract.fields import NUMERIC_KINDS, Field, Fields
from normalizers.contract.fitted import Fitted
from normalizers.contract.method import Method
from normalizers.contract.parameter_models import other_words
from normalizers.contract.resolution import is_invertible
from normalizers.data.arrays import Array, all_finite, allow_overflow
from normalizers.data.batch import PLAIN, Batch, InputForm, Notice, Value, notice
from normalizers.data.devices import AUTO, DEVICE_NAME, Device, find_device
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, InvalidParams, UnsupportedOperation
from normalizers.messages import quoted
from normalizers.runtime.render import render
from normalizers.validation import validate
from normalizers.validation.limits import Limits
from normalizers.validation.missing import is_complete, screen

TOO_LARGE = "a result is too large to be represented; rescale the input"
COMMON_OPTIONS = frozenset({"explain", "strict", "device"})


def validate_input(
    resolved: Method,
    fields: Fields,
    values: Mapping[str, object],
    options: Options,
    path: str,
    *,
    sizes: Mapping[str, int],
    inverse: bool = False,
    limits: Limits | None = None,
) -> Batch:
    """Return what a transform takes, or the way back, validated and screened.

    `fields` are what is taken on that way, `sizes` those of the fit.
    """
    if inverse and not is_invertible(resolved):
        raise UnsupportedOperation(_no_inverse(resolved))
    device = None if options.device is None else requested_device(resolved, options)
    if options.model_fields_set:
        _check_options(resolved, options)
        if options.source is not None:
            _check_source(resolved, options.source)
    batch = read(resolved, fields, values, path, sizes, options.layout, limits)
    return batch if device is None else batch.on(device)


def options_of(method: Method) -> frozenset[str]:
    """Return the options that a request to a method may name."""
    told = {"source"} if method.knows_source else frozenset()
    return COMMON_OPTIONS | method.traits.options | told


def requested_device(method: Method, options: Options) -> Device | None:
    """Return the device that a request names, None where it names none.

    ``auto`` is for every method: one that has no other device is computed by NumPy.

    Raises
    ------
    InvalidParams
        A device that is unknown, not here, or none of the method's.
    MissingDependency
        The package that computes there is not installed.
    """
    name, path = options.device, "options.device"
    if name is None:
        return None
    devices = method.traits.devices
    if DEVICE_NAME.fullmatch(name) and name.partition(":")[0] not in (AUTO, *devices):
        raise InvalidParams(
            f"'{method.name}' computes on {' and '.join(devices)} only, not on '{name}'; "
            "'auto' is for every method",
            path=path,
        )
    return find_device(name, path)


def answer(
    resolved: Method,
    fitted: Fitted,
    gives: Fields,
    batch: Batch,
    options: Options,
    *,
    inverse: bool = False,
    effective_params: Mapping[str, object] | None = None,
) -> Answer:
    """Return what the resolved method answers, or its way back, in the form of the request.

    `gives` are the fields of the answer on that way; `effective_params` those of the resolved
    method, where somebody has asked it already.
    """
    work = resolved.led_back if inverse else resolved.apply
    with allow_overflow():
        answered = work(fitted, batch, options)
    effective = resolved.explicit_params if effective_params is None else effective_params
    return finalize(resolved, gives, batch, answered, options, effective)


def read(
    resolved: Method,
    fields: Fields,
    values: Mapping[str, object],
    path: str,
    sizes: Mapping[str, int] | None = None,
    layout: str | None = None,
    limits: Limits | None = None,
) -> Batch:
    """Return a validated and screened batch."""
    batch = validate(fields, values, path=path, sizes=sizes, layout=layout, limits=limits)
    if NUMERIC_KINDS.isdisjoint(fields.kinds):
        return batch
    return screened(resolved, fields, batch, path)


def screened(resolved: Method, fields: Fields, batch: Batch, path: str) -> Batch:
    """Return the batch after the method's policies for missing values and infinities."""
    if is_complete(fields, batch):
        return batch
    return screen(
        fields,
        batch,
        nan_policy=str(getattr(resolved, "nan_policy", None) or "reject"),
        inf_policy=str(getattr(resolved, "inf_policy", None) or "as_nan"),
        path=path,
        hint=_omit_hint(resolved),
    )


def _omit_hint(resolved: Method) -> str:
    """Return which policies of this method let a missing value pass."""
    words = other_words(resolved, "nan_policy", "reject")
    if "'omit'" in words:
        return "; nan_policy 'omit' leaves it out"
    return f"; nan_policy {words} accepts it" if words else ""


def finalize(
    resolved: Method,
    gives: Fields,
    batch: Batch,
    answer: Answer,
    options: Options,
    effective_params: Mapping[str, object],
) -> Answer:
    """Return the answer with its missing values flagged, in the form of the request."""
    forms = batch.forms
    main_form = next(iter(forms.values()), PLAIN)
    main = gives.main_of(answer.output)
    flagged = _flag_missing(resolved, gives, main, main_form, answer)
    output: dict[str, Rendered] = {}
    for name, value in flagged.output.items():
        declared = gives.get(name)
        like = name if declared is None else declared.like
        form = of_rows(declared, forms.get(like, main_form) if like else main_form)
        output[name] = render(cast(Value, value), form, main=name == main)
    result = Answer(
        output,
        _as_sent(flagged.flags, main_form, resolved.traits.column_flags),
        (*batch.notices, *flagged.warnings, *_unknown_source(resolved, options)),
        flagged.report,
        flagged.explain,
        flagged.extra,
        effective_params,
    )
    if options.strict:
        result.require_clean()
    return result


def of_rows(field: Field | None, form: InputForm) -> InputForm:
    """Return the form of an output: one that is not declared so has no leading axes."""
    if not form.leading or (field is not None and field.leading):
        return form
    return replace(form, leading=())


def _as_sent(
    flags: Mapping[str, Array], form: InputForm, of_columns: frozenset[str]
) -> Mapping[str, Array]:
    """Return flags with the rows' positions in the axes that the request had."""
    if not form.leading:
        return flags
    return {
        name: places if name in of_columns else form.places_as_written(places)
        for name, places in flags.items()
    }


def _check_options(resolved: Method, options: Options) -> None:
    for name in sorted(options.asked - options_of(resolved)):
        raise InvalidParams(
            f"the option '{name}' has no meaning for '{resolved.name}'", path=f"options.{name}"
        )


def _check_source(resolved: Method, stated: str) -> None:
    """Refuse numbers of another model: nothing in their size or shape would tell."""
    for source in sorted(resolved.sources - {stated}):
        raise InvalidInput(
            f"the fit is of {quoted(source)}, and the request of {quoted(stated)}: numbers of "
            "another model need a fit of their own",
            path="options.source",
        )


def _unknown_source(resolved: Method, options: Options) -> tuple[Notice, ...]:
    if options.source is None or resolved.sources:
        return ()
    message = "the fit was not told its source: that of the request was compared with nothing"
    return (notice("source_unknown", message),)


def _flag_missing(
    resolved: Method, gives: Fields, name: str, form: InputForm, answer: Answer
) -> Answer:
    value = cast("Value | None", answer.output.get(name))
    if value is None:
        return answer
    numbers = _float_numbers(value)
    if answer.is_finite or all_finite(numbers):
        return answer
    require_representable(value)
    missing = np.isnan(numbers)
    return answer.flagged("missing", _positions(resolved, gives[name], form, value, missing))


def require_representable(value: Value) -> None:
    """Refuse a main output that overflowed."""
    if np.isinf(_float_numbers(value)).any():
        raise InvalidInput(TOO_LARGE)


def _float_numbers(value: Value) -> Array:
    numbers = value.values if isinstance(value, Ragged) else value
    if isinstance(numbers, np.ndarray) and numbers.dtype.kind == "f":
        return numbers
    return np.empty(0)


def _positions(
    resolved: Method, field: Field, form: InputForm, value: Value, missing: Array
) -> Array:
    if isinstance(value, Ragged):
        places = value.positions(np.flatnonzero(missing))
        return (
            np.unique(np.insert(places[:, :1], 1, 0, axis=1), axis=0)
            if field.kind == "series"
            else places
        )
    axes = tuple(axis for axis in resolved.traits.flag_axes if axis < missing.ndim)
    if field.kind != "series":
        axes = tuple(axis for axis in axes if axis not in form.squeezed or axis == 0)
    found = missing.any(axis=tuple(a for a in range(missing.ndim) if a not in axes))
    places = np.argwhere(found)
    return places[:, 0] if places.shape[1] == 1 else places


def _no_inverse(resolved: Method) -> str:
    return f"'{resolved.name}' has no inverse with these parameters"
