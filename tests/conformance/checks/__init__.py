"""All checks: those of the library, and what a service and this project ask beside them."""

from __future__ import annotations

from normalizers.testing.checks import CHECKS as OF_THE_LIBRARY
from normalizers.testing.checks import Check, checks_of
from tests.conformance.checks import (
    devices,
    documentation,
    forms,
    serving,
    storage,
    sweep,
    tensors,
)

__all__ = ["CHECKS", "Check", "checks_of"]

MODULES = (storage, sweep, documentation, serving, forms, tensors, devices)
CHECKS = [*OF_THE_LIBRARY, *(check for module in MODULES for check in checks_of(module))]
