"""What type checkers and editors know of the package is what there is."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Callable, Iterator
from typing import cast

import pytest

import normalizers
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.catalogue.discovery import built_in, exported
from normalizers.catalogue.functions import function_for
from normalizers.normalizer import Normalizer
from stubs.annotations import annotation
from stubs.stub import COMMAND, EXPORTED, STUB, text

METHODS = {cls.name: cls for cls in built_in()}
FUNCTIONS = sorted(name for name, cls in METHODS.items() if function_for(cls))
TREE = ast.parse(STUB.read_text(encoding="utf-8"))


def imported() -> Iterator[tuple[str, str]]:
    """Yield the module and the name of everything that the stub passes on."""
    for node in TREE.body:
        if isinstance(node, ast.ImportFrom):
            yield from ((str(node.module), each.name) for each in node.names if each.asname)


def definitions(name: str) -> list[ast.FunctionDef]:
    return [node for node in TREE.body if isinstance(node, ast.FunctionDef) and node.name == name]


def test_r27_the_stub_is_what_the_methods_say() -> None:
    is_current = STUB.read_text(encoding="utf-8") == text()
    assert is_current, f"{STUB.name} is not what the methods say: run `{COMMAND}`"


def test_r27_every_method_is_importable_as_its_class() -> None:
    passed_on = dict(reversed(pair) for pair in imported())
    for name, cls in METHODS.items():
        assert CATALOGUE[name] is cls
        assert getattr(normalizers, cls.__name__) is cls
        assert getattr(importlib.import_module(passed_on[cls.__name__]), cls.__name__) is cls


def test_r27_the_stub_names_what_is_there_and_nothing_else() -> None:
    assert set(normalizers.__all__) == set(EXPORTED)
    names = {name for _, name in imported()} | {
        node.name for node in TREE.body if isinstance(node, ast.FunctionDef)
    }
    assert names == exported().keys() | EXPORTED.keys()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_r27_a_function_has_the_parameters_of_its_method(name: str) -> None:
    function = cast(Callable[..., object], getattr(normalizers, name))
    parameters = list(METHODS[name].parameters)
    assert list(inspect.signature(function).parameters)[1:] == parameters
    for defined in definitions(name):
        assert [each.arg for each in defined.args.kwonlyargs] == parameters
        assert ast.get_docstring(defined) == str(function.__doc__).splitlines()[0]


def test_r27_a_default_is_the_value_that_is_used() -> None:
    (defined, *_) = definitions("rrf")
    defaults = dict(zip(defined.args.kwonlyargs, defined.args.kw_defaults, strict=True))
    shown = {each.arg: ast.unparse(value) for each, value in defaults.items() if value}
    assert shown["k"] == repr(METHODS["rrf"].parameters["k"].standard)
    assert shown["weights"] == "None"


def test_r27_a_type_that_the_stub_cannot_write_is_named() -> None:
    with pytest.raises(TypeError, match=r"no word for .*Normalizer"):
        annotation(Normalizer)
