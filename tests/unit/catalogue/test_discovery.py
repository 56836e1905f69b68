"""Methods found in their folders, and what the package gives by name."""

from __future__ import annotations

import pkgutil

import pytest

import normalizers
from normalizers.catalogue import discovery
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.scores.lists import min_max
from normalizers.scores.lists.base import scoped


def test_a_module_gives_the_methods_it_defines_and_no_base() -> None:
    assert discovery.methods_of(min_max) == [normalizers.MinMax]
    assert discovery.methods_of(scoped) == []


def test_every_built_in_method_is_in_the_catalogue_and_in_the_package() -> None:
    for cls in discovery.built_in():
        assert CATALOGUE[cls.name] is cls
        assert getattr(normalizers, cls.__name__) is cls
        assert cls.__name__ in dir(normalizers)


def test_stateless_methods_are_functions_whose_names_hide_no_module() -> None:
    modules = {module.name for module in pkgutil.iter_modules(normalizers.__path__)}
    functions = discovery.exported().keys() & CATALOGUE.keys()
    assert {"min_max", "rrf"} <= functions
    assert "whitening" not in functions
    assert not functions & modules


def test_a_name_that_is_none_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'min_maxx'"):
        _ = normalizers.min_maxx
