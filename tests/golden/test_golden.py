"""Every golden case, of the shared folder and of our own, in every form of bodies."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.golden.case import FOLDER, OWN_FOLDER, Case, load
from tests.golden.client import Service, serving
from tests.golden.forms import FORMS
from tests.golden.runner import missing, run
from tests.golden.unsupported import stale

ABSENT = "the golden cases are not here: ../shared/golden does not exist"
PATHS = [*sorted(FOLDER.glob("*.json")), *sorted(OWN_FOLDER.glob("*.json"))]
CASES = [case for path in PATHS for case in load(path)]


@pytest.fixture(scope="module", params=FORMS)
def service(request: pytest.FixtureRequest) -> Iterator[Service]:
    with serving(request.param) as running:
        yield running


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
def test_case_passes(case: Case, service: Service) -> None:
    outcome = run(case, service)
    if outcome.state == "unsupported":
        pytest.skip(f"not built yet: {outcome.detail}")
    assert outcome.state == "passed", outcome.line


@pytest.mark.skipif(not FOLDER.exists(), reason=ABSENT)
def test_no_entry_of_the_list_is_needless() -> None:
    assert not stale([case for case in CASES if missing(case)])
