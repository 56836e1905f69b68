"""The checks, a file a theme; each is a function ``check_*`` of a case."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from tests.conformance.checks import (
    causal,
    declaration,
    devices,
    documentation,
    edges,
    estimator,
    fitting,
    forms,
    inputs,
    numbers,
    options,
    parameters,
    serving,
    storage,
    sweep,
    tensors,
    undoing,
)

Check = Callable[..., None]
MODULES = (
    declaration, parameters, fitting, inputs, numbers, edges, causal, options, undoing, storage,
    sweep, estimator, documentation, serving, forms, tensors, devices,
)  # fmt: skip


def checks_of(module: ModuleType) -> list[Check]:
    """Return the checks of a module, in order."""
    return [made for name, made in vars(module).items() if name.startswith("check_")]


CHECKS = [check for module in MODULES for check in checks_of(module)]
