"""The built-in methods, found in the rooms of their families."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import ModuleType

from normalizers.catalogue.functions import function_for
from normalizers.normalizer import Normalizer

FAMILIES = ("embeddings", "hubness", "metrics", "rewards", "scores", "series")
# Rooms of a family for what is no method.
HELPERS = frozenset({"base", "runs", "search", "torch", "training"})
PIPELINES = ("pipeline.pipeline", "pipeline.column_transformer")


def built_in() -> list[type[Normalizer]]:
    """Return the methods of every module of the families, and the pipelines."""
    library = __name__.partition(".")[0]
    names = [name for family in FAMILIES for name in modules_of(f"{library}.{family}")]
    found: list[type[Normalizer]] = []
    for name in (*names, *(f"{library}.{name}" for name in PIPELINES)):
        found += methods_of(import_module(name))
    return found


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
    methods = built_in()
    functions = {cls.name: function for cls in methods if (function := function_for(cls))}
    return {**{cls.__name__: cls for cls in methods}, **functions}


def modules_of(room: str) -> list[str]:
    """Return the modules of methods in a room and in the rooms within.

    By hand: `pkgutil.walk_packages` passes over a room that cannot be imported.
    """
    found: list[str] = []
    for module in pkgutil.iter_modules(import_module(room).__path__, f"{room}."):
        if not module.ispkg:
            found.append(module.name)
        elif module.name.rpartition(".")[2] not in HELPERS:
            found += modules_of(module.name)
    return found
