"""Which weights a method imports with which parameters, for descriptions of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import get_args

from normalizers.contract.fields import Fields
from normalizers.contract.method import UNKNOWN_STATISTICS, Method
from normalizers.contract.parameter_models import parameter_model
from normalizers.errors import InvalidParams

WeightVariant = tuple[Mapping[str, object], Fields]


def weight_variants(cls: type[Method]) -> list[WeightVariant]:
    """Return parameters that need different weights, each with these; none where none are needed.

    Asked of the parameters that affect the statistics and have few values: words, or yes and no.

    Examples
    --------
    >>> from normalizers.contract.weight_variants import weight_variants
    >>> from normalizers.series.learned.revin import Revin
    >>> [(params, list(fields)) for params, fields in weight_variants(Revin)]
    [({'affine': True}, ['affine_weight', 'affine_bias'])]
    """
    if cls.weight_fields is Method.weight_fields:
        # Most methods import none, and the product of their words is large.
        return []
    deciding = _deciding(cls)
    found: list[WeightVariant] = []
    for values in product(*deciding.values()):
        params = dict(zip(deciding, values, strict=True))
        fields = _weights(cls, params)
        if fields and fields not in [known for _, known in found]:
            found.append((params, fields))
    return found


def _deciding(cls: type[Method]) -> dict[str, tuple[object, ...]]:
    """Return the values of each parameter that the weights depend on."""
    choices = {
        name: values
        for name, declared in cls.parameters.items()
        if declared.affects == "statistics" and (values := _values(cls, name))
    }
    return {name: values for name, values in choices.items() if _matters(cls, name, choices)}


def _matters(cls: type[Method], name: str, choices: Mapping[str, tuple[object, ...]]) -> bool:
    rest = {other: values for other, values in choices.items() if other != name}
    for values in product(*rest.values()):
        params = dict(zip(rest, values, strict=True))
        first, *others = (_weights(cls, {**params, name: value}) for value in choices[name])
        if any(other != first for other in others):
            return True
    return False


def _weights(cls: type[Method], params: Mapping[str, object]) -> Fields:
    # What must be named beside them, and decides no weights, is as in the example.
    for values in (params, {**cls.example.params, **params}):
        try:
            method = cls(**values).validated()
        except InvalidParams:
            continue
        return method.resolved(UNKNOWN_STATISTICS).weight_fields
    return Fields()


def _values(cls: type[Method], name: str) -> tuple[object, ...]:
    """Return the words of a parameter, or False and True; nothing of one with many values."""
    annotation = parameter_model(cls).model_fields[name].annotation
    return tuple(_finite(get_args(annotation) or (annotation,)))


def _finite(parts: Iterable[object]) -> Iterable[object]:
    for part in parts:
        if part is bool:
            yield from (False, True)
        elif isinstance(part, str):
            yield part
        else:
            yield from _finite(get_args(part))
