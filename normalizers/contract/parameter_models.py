"""What values a method's parameters may have: a strict model made from their declarations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args, get_type_hints

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic import Field as ModelField

from normalizers.data.arrays import LARGEST_INTEGER
from normalizers.data.faults import faults_of
from normalizers.errors import InvalidParams
from normalizers.messages import printable_name, unknown

_MODELS: dict[type, type[BaseModel]] = {}
# An error answer lists at most this many places.
MAX_FAULTS = 20


def validate(cls: type[Any], given: Mapping[str, object], path: str) -> dict[str, object]:
    """Return the given parameters as plain Python values that passed the model of `cls`."""
    for name in given:
        if name not in cls.parameters:
            raise unknown_parameter(name, cls.parameters, path)
    plain = {name: plain_value(value) for name, value in given.items() if value is not None}
    _check_exclusive(cls.exclusive, plain, path)
    try:
        model = parameter_model(cls).model_validate(plain)
    except ValidationError as error:
        raise _invalid(error, plain, path) from None
    checked = {name: getattr(model, name) for name in plain}
    _check_integers(checked, path)
    return checked


def parameter_model(cls: type[Any]) -> type[BaseModel]:
    """Return the strict pydantic model made from the parameters of `cls`."""
    if cls not in _MODELS:
        _MODELS[cls] = _made_model(cls)
    return _MODELS[cls]


def _made_model(cls: type[Any]) -> type[BaseModel]:
    hints = get_type_hints(cls, include_extras=True)
    fields: dict[str, Any] = {
        name: (hints[name], ModelField(default=None, description=declared.help, **declared.bounds))
        for name, declared in cls.parameters.items()
    }
    config = ConfigDict(
        strict=True, frozen=True, extra="forbid", allow_inf_nan=False, arbitrary_types_allowed=True
    )
    return create_model(f"{cls.__name__}Parameters", __config__=config, **fields)


def plain_value(value: object) -> object:
    """Return NumPy scalars and arrays, tuples and mappings as Python's own numbers and lists."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain_value(item) for item in value]
    if isinstance(value, Mapping):
        return {key: plain_value(item) for key, item in value.items()}
    return value


def _check_exclusive(
    groups: Iterable[tuple[str, ...]], given: Mapping[str, object], path: str
) -> None:
    for group in groups:
        named = [name for name in group if name in given]
        if len(named) > 1:
            raise InvalidParams(
                f"give one of {', '.join(group)}, not {' and '.join(named)}",
                path=f"{path}.{named[1]}",
            )


def _check_integers(checked: Mapping[str, object], path: str) -> None:
    for name, value in checked.items():
        if isinstance(value, int) and abs(value) > LARGEST_INTEGER:
            raise InvalidParams("a number up to 2**53 is expected here", path=f"{path}.{name}")


def unknown_parameter(name: str, known_names: Iterable[str], path: str = "params") -> InvalidParams:
    """Return the refusal of a parameter that is not known."""
    message = unknown("parameter", name, sorted(known_names))
    return InvalidParams(message, path=f"{path}.{printable_name(name)}")


def _invalid(error: ValidationError, given: Mapping[str, object], path: str) -> InvalidParams:
    faults = faults_of(error, given, path)
    first = faults[0]
    return InvalidParams(
        f"{first.path}: {first.message}", path=first.path, faults=faults[:MAX_FAULTS]
    )


def accepted_words(cls: type[Any], name: str) -> tuple[str, ...]:
    """Return the words that a parameter of this class takes; none where it has no such parameter.

    Examples
    --------
    >>> from normalizers import Whitening
    >>> from normalizers.contract.parameter_models import accepted_words
    >>> accepted_words(Whitening, "rank_policy")
    ('drop', 'error')
    """
    if name not in cls.parameters:
        return ()
    return tuple(_words(parameter_model(cls).model_fields[name].annotation))


def other_words(method: object, name: str, *without: str) -> str:
    """Return how a refusal names what would be accepted: ``'global' or 'pass'``; '' for nothing."""
    words = [f"'{word}'" for word in accepted_words(type(method), name) if word not in without]
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _words(annotation: object) -> Iterable[str]:
    for part in get_args(annotation):
        if isinstance(part, str):
            yield part
        else:
            yield from _words(part)
