"""Every golden case of the shared folder, through the REST API."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.golden.case import FOLDER, Case, load
from tests.golden.client import Service, serving
from tests.golden.runner import missing, run
from tests.golden.unsupported import stale

ABSENT = "the golden cases are not here: ../shared/golden does not exist"
CASES = [case for path in sorted(FOLDER.glob("*.json")) for case in load(path)]

if not CASES:
    pytest.skip(ABSENT, allow_module_level=True)


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with serving() as running:
        yield running


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.area}:{case.id}")
def test_case_passes(case: Case, service: Service) -> None:
    outcome = run(case, service)
    if outcome.state == "unsupported":
        pytest.skip(f"not built yet: {outcome.detail}")
    assert outcome.state == "passed", outcome.line


def test_no_entry_of_the_list_is_needless() -> None:
    assert not stale([case for case in CASES if missing(case)])
