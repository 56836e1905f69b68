"""Cases in the catalogue's own words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from tests.golden.case import NATIVE, Case
from tests.golden.client import Service, serving
from tests.golden.runner import run


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with serving() as running:
        yield running


def native(expected: Mapping[str, object], compare: str = "exact", **sent: object) -> Case:
    given: dict[str, object] = {"scores": [[3.0, 1.0, 2.0], [5.0]], **sent}
    return Case(NATIVE, "made-up", "min_max", {}, {}, given, expected, 1e-9, 0.0, compare)


def test_outputs_and_paths_into_the_answer_are_compared(service: Service) -> None:
    right = {"values": [[1.0, 0.0, 0.5], [1.0]], "output.loc": [1.0, 5.0], "flags.constant": [1]}
    assert run(native(right), service).state == "passed"
    assert run(native({**right, "flags.constant": [0]}), service).state == "failed"
    assert run(native({"values": [[1.0, 0.0, 0.4], [1.0]]}), service).state == "failed"


def test_the_way_back_and_options_are_part_of_a_case(service: Service) -> None:
    undone = native({"inverse.scores": [[3.0, 1.0, 2.0], [5.0]]}, options={"explain": True})
    assert run(undone, service).state == "passed"


def test_a_refusal_can_be_expected(service: Service) -> None:
    refused = native({"error": "invalid-input"}, "error", scors=[1.0])
    assert run(refused, service).state == "passed"
    assert run(native({"error": "invalid-input"}, "error"), service).state == "failed"
