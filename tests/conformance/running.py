"""How a check is run: by what its signature asks for, and by its skip if it has one."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from pathlib import Path

import pytest

from normalizers.catalogue.catalogue import Catalogue
from normalizers.normalizer import Normalizer
from normalizers.testing.capabilities import applies
from normalizers.testing.checks import Check, name_of
from tests.conformance.cases import Case, cases_of
from tests.conformance.checks import CHECKS
from tests.conformance.service import Service
from tests.conformance.siblings import first_of_its_base
from tests.conformance.skips import reason
from tests.effort import is_deep, turn

Pair = tuple[Case, Check]
# Modules of checks that read the class alone, or whose answer no variant changes.
OF_THE_CLASS = frozenset({"declaration", "documentation", "parameters", "forms", "devices"})
# And those whose answer does not depend on which of several fields a request sends.
OF_THE_FIT = OF_THE_CLASS | {"estimator", "storage", "fitting"}
# What methods share is tried once for each base.
OF_THE_BASE = frozenset({"thread_safe_transform", "hash_stable_across_processes"})
# No form of bodies knows a method: beside JSON an ordinary run sends some of them, in rotation.
FORMS = (
    "library_equals_api_base64",
    "library_equals_api_safetensors",
    "library_equals_api_arrow",
    "library_equals_api_npy",
    "library_equals_api_tensors",
    "compressed_bodies_say_the_same",
)
FORMS_APART = 3


def pairs(cases: Iterable[Case]) -> list[Pair]:
    """Return every case with each check that is for it."""
    return [(case, check) for case in cases for check in CHECKS if is_for(check, case)]


def is_for(check: Check, case: Case) -> bool:
    """Return whether a check is for a case: what is said of a class is asked of its first."""
    if name_of(check) in OF_THE_BASE and not first_of_its_base(case):
        return False
    if not _in_turn(check, case):
        return False
    module = check.__module__.rpartition(".")[2]
    again = case.is_variant and module in OF_THE_CLASS
    sent = case.alternative > 0 and module in OF_THE_FIT and not _fits_otherwise(case)
    return not again and not (sent and not is_deep()) and applies(check, case)


def _in_turn(check: Check, case: Case) -> bool:
    """Whether it is the turn of a form of bodies with a case; other checks have no turns."""
    name = name_of(check)
    if name not in FORMS or is_deep() or reason(case.cls.name, name) is not None:
        return True
    return (turn(case.name) + FORMS.index(name)) % FORMS_APART == 0


def _fits_otherwise(case: Case) -> bool:
    """Whether a fit takes several sets of fields: then each is a fit of its own."""
    return case.with_fit and len(case.method.fits.one_of) > 1


def buildable(
    catalogue: Catalogue, classes: Iterable[type[Normalizer]]
) -> tuple[list[Pair], dict[str, Exception]]:
    """Return the pairs of these methods, and why those of some of them cannot be built."""
    found: list[Pair] = []
    faults: dict[str, Exception] = {}
    for cls in classes:
        try:
            cases = cases_of(catalogue, [cls])
        except Exception as fault:
            faults[cls.name] = fault
            continue
        for case in cases:
            for check in CHECKS:
                try:
                    found += [(case, check)] if is_for(check, case) else []
                except Exception as fault:
                    # One check that cannot be asked for fails by itself.
                    faults[cls.name] = fault
    return found, faults


def named(found: Iterable[Pair]) -> list[object]:
    """Return the pairs as parameters of a test, named ``method:check``."""
    return [pytest.param(case, check, id=f"{case.name}:{name_of(check)}") for case, check in found]


def perform(case: Case, check: Check, service: Service, folder: Path) -> None:
    """Run a check; a skip that is not needed fails, one that is needed skips."""
    known = {"service": service, "folder": folder}
    asked = list(inspect.signature(check).parameters)[1:]
    arguments = [known[name] for name in asked]
    why = reason(case.cls.name, name_of(check)) or reason(case.name, name_of(check))
    if why is None:
        check(case, *arguments)
        return
    try:
        check(case, *arguments)
    except (Exception, pytest.fail.Exception):  # what did not raise fails by the latter
        pytest.skip(why)
    pytest.fail(f"this skip is not needed: {why}")
