"""The type of a parameter, and its default, as a stub writes them."""

from __future__ import annotations

from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Annotated, Literal, Union, get_args, get_origin, get_type_hints

from normalizers.normalizer import Normalizer

# Tuples, arrays and mappings are accepted too, and a `list[int]` is no `list[float]`.
WIDER = {list: "Sequence", dict: "Mapping"}


def annotation(hint: object) -> str:
    """Return a type as source text; bounds are left to the validation of values."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return annotation(args[0])
    if origin is Literal:
        return f"Literal[{', '.join(_literal(value) for value in args)}]"
    if origin in (Union, UnionType):
        return _union(args)
    if isinstance(origin, type) and origin in WIDER:
        return f"{WIDER[origin]}[{', '.join(map(annotation, args))}]"
    if hint is NoneType:
        return "None"
    if isinstance(hint, type) and hint.__module__ == "builtins":
        return hint.__name__
    raise TypeError(f"the stub has no word for {hint!r} yet; teach stubs/annotations.py one")


def declarations(cls: type[Normalizer]) -> Iterator[str]:
    """Yield ``name: type = default`` for every parameter of a method.

    The default is the value that is used, and None where the data or other parameters decide.
    """
    hints = get_type_hints(cls, include_extras=True)
    for name, declared in cls.parameters.items():
        standard = declared.standard
        plain = isinstance(standard, (bool, int, float, str))
        yield f"{name}: {annotation(hints[name])} = {_literal(standard) if plain else None}"


def _union(args: tuple[object, ...]) -> str:
    if object in args:  # None is one
        return "object"
    return " | ".join(annotation(each) for each in args)


def _literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)
