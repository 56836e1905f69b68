"""A folder under a family holds methods only; what is none is in a room named for what it is."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module

import pytest

import normalizers
from normalizers.catalogue import discovery

FAMILIES = [f"{normalizers.__name__}.{family}" for family in discovery.FAMILIES]
# A room whose modules need an extra; nothing discovers methods there either.
OF_AN_EXTRA = "torch"
METHODS = [module for family in FAMILIES for module in discovery.modules_of(family)]


def helpers_of(room: str, *, within: bool = False) -> Iterator[str]:
    """Yield the modules of a room's rooms that hold no methods."""
    for module in pkgutil.iter_modules(import_module(room).__path__, f"{room}."):
        last = module.name.rpartition(".")[2]
        if last == OF_AN_EXTRA:
            continue
        helper = within or last in discovery.HELPERS
        if module.ispkg:
            yield from helpers_of(module.name, within=helper)
        elif helper:
            yield module.name


@pytest.mark.parametrize("module", METHODS)
def test_a_file_in_a_room_of_methods_is_one_method_of_its_name(module: str) -> None:
    methods = discovery.methods_of(import_module(module))
    assert [cls.name for cls in methods] == [module.rpartition(".")[2]]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_room_without_methods_has_none(family: str) -> None:
    found = {name: discovery.methods_of(import_module(name)) for name in helpers_of(family)}
    assert {name: methods for name, methods in found.items() if methods} == {}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_method_of_a_family_says_so(family: str) -> None:
    own = family.rpartition(".")[2]
    modules = list(discovery.modules_of(family))
    methods = [cls for name in modules for cls in discovery.methods_of(import_module(name))]
    assert {cls.family for cls in methods} <= {own}


def test_a_room_that_cannot_be_imported_is_not_passed_over(
    tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = tmp_path / "a_family" / "broken"
    room.mkdir(parents=True)
    (room.parent / "__init__.py").write_text("")
    (room / "__init__.py").write_text("import no_such_package\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        list(discovery.modules_of("a_family"))


def test_importing_the_library_makes_no_method() -> None:
    script = "import sys, normalizers; print([m for m in sys.modules if '.scores.' in m])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
