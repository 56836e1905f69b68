"""Stateless methods with one field as one plain function each.

A function takes the field and the method's parameters by name, and returns the main output; a
fusion, whose answer is two lists, returns the whole answer.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Concatenate, ParamSpec

from normalizers.contract.answer import Answer
from normalizers.data.arrays import Array
from normalizers.normalizer import Normalizer

P = ParamSpec("P")


def function_of(cls: Callable[P, Normalizer]) -> Callable[Concatenate[object, P], Array]:
    """Return the function that transforms once with a stateless method.

    Examples
    --------
    >>> from normalizers.catalogue.functions import function_of
    >>> from normalizers import MinMax
    >>> function_of(MinMax)([3.0, 1.0, 2.0]).tolist()
    [1.0, 0.0, 0.5]
    """

    def transform(x: object, /, *args: P.args, **params: P.kwargs) -> Array:
        return cls(*args, **params).transform(x)

    _describe(transform, cls)
    return transform


def answering(cls: Callable[P, Normalizer]) -> Callable[Concatenate[object, P], Answer]:
    """Return the function that gives the whole answer of a stateless method."""

    def apply(x: object, /, *args: P.args, **params: P.kwargs) -> Answer:
        return cls(*args, **params).apply_to(x)

    _describe(apply, cls)
    return apply


def function_for(cls: type[Normalizer]) -> Callable[..., object] | None:
    """Return the plain function of a method, or None for one that is not stateless."""
    if "stateless" not in cls.kinds:
        return None
    fields = cls().takes
    return answering(cls) if fields[fields.main].kind == "records" else function_of(cls)


def _describe(function: Callable[..., object], cls: Callable[..., Normalizer]) -> None:
    function.__name__ = function.__qualname__ = str(getattr(cls, "name", "transform"))
    function.__doc__ = cls.__doc__
    data = inspect.Parameter("x", inspect.Parameter.POSITIONAL_ONLY)
    parameters = inspect.signature(cls).parameters.values()
    function.__signature__ = inspect.Signature([data, *parameters])  # type: ignore[attr-defined]
