"""The stub of the package, ``normalizers/__init__.pyi``, from the built-in methods."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import normalizers
from normalizers.catalogue.discovery import built_in
from normalizers.normalizer import Normalizer
from stubs.functions import answer_lines, answer_name, functions

STUB = Path(normalizers.__file__).with_suffix(".pyi")
COMMAND = "make stubs"
HEAD = f'''\
"""Data and score normalization: fitted, mergeable, exact.

Made by `{COMMAND}` from the methods; edit those. A default in a function is the value used where
the parameter is not given, None where the data or other parameters decide.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, overload, type_check_only

import numpy.typing as npt

'''
USED = {"Array": "data.arrays", "Batch": "data.batch", "Rendered": "contract.answer"}
EXPORTED = {
    "Answer": "contract.answer",
    "Normalizer": "normalizer",
    "Options": "contract.answer",
    "Ragged": "data.ragged",
    "Version": "versions.version",
    "load": "normalizer",
}
SUPPORTS_ARRAY = """\
@type_check_only
class _SupportsArray(Protocol):
    def __array__(self) -> Array: ...
"""


def text() -> str:
    """Return the stub as it should stand in the file."""
    methods = sorted(built_in(), key=lambda cls: cls.name)
    found = functions(methods)
    answers = {answer_name(each.gives): each.gives for each in found if each.answers}
    body = [
        *_imports(methods),
        "",
        f"__all__ = {json.dumps(sorted(EXPORTED))}",
        "__version__: str",
        "",
        SUPPORTS_ARRAY,
        *(line for gives in answers.values() for line in answer_lines(gives)),
        *(line for each in found for line in each.lines()),
    ]
    return HEAD + "\n".join(body).rstrip("\n") + "\n"


def _imports(methods: list[type[Normalizer]]) -> Iterator[str]:
    """Yield where each class stands; `as` says that it is meant to be imported from here."""
    exported = {(f"normalizers.{module}", name) for name, module in EXPORTED.items()}
    exported |= {(cls.__module__, cls.__name__) for cls in methods}
    used = {(f"normalizers.{module}", name) for name, module in USED.items()}
    for module, name in sorted(exported | used):
        again = f" as {name}" if (module, name) in exported else ""
        yield f"from {module} import {name}{again}"
