"""The built-in methods by name, for whoever stands below the catalogue that collects them."""

from __future__ import annotations

from collections.abc import Callable

from normalizers.contract.method import MethodTable

_SOURCES: list[Callable[[], MethodTable]] = []


def install(source: Callable[[], MethodTable]) -> None:
    """Say what gives the built-in methods; it is called when they are first asked for."""
    _SOURCES[:] = [source]


def built_in() -> MethodTable:
    """Return the built-in methods and those of installed packages."""
    return _SOURCES[-1]()
