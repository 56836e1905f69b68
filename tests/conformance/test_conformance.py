"""Every method of the catalogue through every check that is for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from normalizers.catalogue.catalogue import CATALOGUE
from tests.conformance.cases import Case
from tests.conformance.checks import CHECKS
from tests.conformance.running import buildable, name_of, named, perform
from tests.conformance.service import Service, serving
from tests.conformance.skips import EVERY, SKIPS

PAIRS, FAULTS = buildable(CATALOGUE, CATALOGUE.values())


@pytest.fixture(scope="module")
def service(tmp_path_factory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("service")) as started:
        yield started


@pytest.mark.parametrize("method", CATALOGUE)
def test_its_cases_can_be_built(method: str) -> None:
    if method in FAULTS:
        raise FAULTS[method]


@pytest.mark.parametrize("case, check", named(PAIRS))
def test_method(case: Case, check, service: Service, tmp_path) -> None:
    perform(case, check, service, tmp_path)


def test_every_skip_names_a_check_that_would_run() -> None:
    collected = {
        (name, name_of(check)) for case, check in PAIRS for name in (case.cls.name, case.name)
    }
    for (method, check), why in SKIPS.items():
        assert why.strip()
        assert any(check == name and method in (EVERY, case) for case, name in collected)


def test_every_check_is_for_some_method() -> None:
    used = {check.__name__ for _, check in PAIRS}
    assert used == {check.__name__ for check in CHECKS}


def test_check_names_are_unique() -> None:
    names = [check.__name__ for check in CHECKS]
    assert len(names) == len(set(names))
