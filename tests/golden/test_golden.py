"""Every golden case that is built, of the shared folder and of our own, in forms of bodies."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.effort import is_deep, turn
from tests.golden import unsupported
from tests.golden.case import FOLDER, OWN_FOLDER, Case, load
from tests.golden.client import Service, plain, serving
from tests.golden.forms import FORMS
from tests.golden.runner import entry_of, missing, placed, run
from tests.golden.unsupported import stale

ABSENT = "the golden cases are not here: ../shared/golden does not exist"
PATHS = [*sorted(FOLDER.glob("*.json")), *sorted(OWN_FOLDER.glob("*.json"))]
CASES = [case for path in PATHS for case in load(path)]


def _is_built(case: Case) -> bool:
    """Whether a case can be asked for; what is neither built nor listed fails where it runs."""
    home = placed(case)
    return not (missing(home) and unsupported.named(home))


def _shape(case: Case) -> tuple[object, ...]:
    """Return what a form of bodies can know of a case: how it is asked, and which fields it has."""
    home = placed(case)
    if missing(home):
        return ()
    entry = entry_of(home)
    request = entry.request(home)
    return (home.area, entry.play.__qualname__, *sorted(request.given), *sorted(request.source))


def _binary(case: Case) -> list[str]:
    """Return the forms beside JSON that can say what a case gives."""
    home = placed(case)
    if missing(home):
        return []
    body = plain({"input": entry_of(home).request(home).given})
    return [name for name in FORMS if name != "json" and FORMS[name].encode(body) is not None]


def _runs() -> Iterator[tuple[str, Case]]:
    """Yield forms and cases: the first case of a shape in all forms, others in JSON and one more.

    No form of bodies knows a method: what differs between cases of one shape are numbers.
    """
    met: set[tuple[object, ...]] = set()
    for case in filter(_is_built, CASES):
        shape, able = _shape(case), _binary(case)
        if is_deep() or shape not in met:
            yield from ((form, case) for form in FORMS)
        else:
            yield "json", case
            if able:
                yield able[turn(case.label) % len(able)], case
        met.add(shape)


RUNS = sorted(_runs(), key=lambda found: list(FORMS).index(found[0]))


@pytest.fixture(scope="module")
def service(request: pytest.FixtureRequest) -> Iterator[Service]:
    with serving(request.param) as running:
        yield running


@pytest.mark.parametrize(
    ("service", "case"),
    RUNS,
    indirect=["service"],
    ids=[f"{form}-{case.label}" for form, case in RUNS],
)
def test_case_passes(case: Case, service: Service) -> None:
    outcome = run(case, service)
    assert outcome.state == "passed", outcome.line


def test_every_case_that_is_built_is_asked_in_json() -> None:
    assert {case.label for form, case in RUNS if form == "json"} == {
        case.label for case in CASES if _is_built(case)
    }


@pytest.mark.skipif(not FOLDER.exists(), reason=ABSENT)
def test_no_entry_of_the_list_is_needless() -> None:
    assert not stale([case for case in CASES if missing(case)])
