"""The built-in methods, found in the modules of their families' folders."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType

from normalizers.catalogue.functions import function_for
from normalizers.normalizer import Normalizer

FAMILIES = ("embeddings", "hubness", "metrics", "scores", "series")
PIPELINE = "pipeline"


def built_in() -> Iterator[type[Normalizer]]:
    """Yield the methods of every module of the families, and the pipeline."""
    for name in _modules():
        yield from methods_of(import_module(name))


def methods_of(module: ModuleType) -> list[type[Normalizer]]:
    """Return the methods that a module defines; bases that methods share have no name."""
    return [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Normalizer)
        and value.__module__ == module.__name__
        and "name" in vars(value)
    ]


@cache
def exported() -> Mapping[str, object]:
    """Return what ``from normalizers import ...`` gives beside the contract.

    Every built-in method by its class's name, and as a plain function by its own name where it
    needs no fit.
    """
    methods = list(built_in())
    functions = {cls.name: function for cls in methods if (function := function_for(cls))}
    return {**{cls.__name__: cls for cls in methods}, **functions}


def _modules() -> Iterator[str]:
    package = __package__ or ""
    for family in FAMILIES:
        folder = import_module(f"{package}.{family}")
        for module in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}."):
            yield module.name
    yield f"{package}.{PIPELINE}"
