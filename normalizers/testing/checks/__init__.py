"""The checks of a method, a file a theme; each is a function ``check_*`` of a case."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from normalizers.testing.checks import (
    causal,
    declaration,
    documentation,
    edges,
    estimator,
    files,
    fitting,
    inputs,
    numbers,
    options,
    parameters,
    undoing,
)

Check = Callable[..., None]
PREFIX = "check_"
MODULES = (
    declaration, parameters, fitting, inputs, numbers, edges, causal, options, undoing, files,
    estimator, documentation,
)  # fmt: skip


def checks_of(module: ModuleType) -> list[Check]:
    """Return the checks of a module, in order."""
    return [made for name, made in vars(module).items() if name.startswith(PREFIX)]


CHECKS = [check for module in MODULES for check in checks_of(module)]


def name_of(check: Check) -> str:
    """Return the name of a check as it stands in skips."""
    return check.__name__.removeprefix(PREFIX)
