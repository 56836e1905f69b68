"""The example requests of the OpenAPI document: each method's own."""

from __future__ import annotations

from typing import Any, TypeAlias

from app.service.describing import docstring_sections
from normalizers.catalogue import Catalogue
from normalizers.normalizer import Normalizer

Schema: TypeAlias = dict[str, Any]


def examples_of(name: str, catalogue: Catalogue) -> Schema:
    """Return an example of an operation's body for every method that has one."""
    return {
        cls.name: {"summary": docstring_sections(cls)["summary"], "value": value}
        for cls in catalogue.values()
        if (value := _example(name, cls)) is not None
    }


def _example(name: str, cls: type[Normalizer]) -> Schema | None:
    example = cls.example
    params, fit = dict(example.params), example.fit
    if not example.given:
        return None
    if name == "fuse":
        runs = example.given.get("runs")
        return {"method": cls.name, **params, "runs": runs} if runs is not None else None
    described = {"method": cls.name, "params": params, **({"fit": dict(fit)} if fit else {})}
    if name == "transform":
        return {**described, "input": dict(example.given)}
    return {"name": cls.name, **described} if name == "create" else None
