"""What the checks cost, counted in calls: seconds differ between machines."""

from __future__ import annotations

import pytest

from normalizers.catalogue.catalogue import CATALOGUE
from tests.conformance.cases import Case, cases_of
from tests.conformance.checks import sweep
from tests.effort import is_deep

# A try takes a millisecond or some, and a check may take a tenth of a second on average.
MOST_TRIES = 100


@pytest.mark.skipif(is_deep(), reason="every combination was asked for")
def test_the_sweep_tries_sums_of_values_and_data_not_products(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tries: dict[str, int] = {}

    def count(case: Case, *arguments: object, **options: object) -> None:
        tries[case.name] = tries.get(case.name, 0) + 1

    monkeypatch.setattr(sweep, "_try", count)
    for case in cases_of(CATALOGUE, CATALOGUE.values()):
        sweep.check_every_parameter_value_answers_or_refuses(case)
    dearest = sorted(tries, key=tries.__getitem__)[-5:]
    assert sum(tries.values()) <= MOST_TRIES * len(tries), dearest
