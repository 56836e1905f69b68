"""Several examples of a method are several cases; tables and ways back are checked as such."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from normalizers.catalogue import catalogue as built_in
from normalizers.contract import Answer, Batch, Example, Fields, Fitted, Options, floats, param
from normalizers.normalizer import Normalizer
from normalizers.testing.capabilities import of
from normalizers.testing.checks.inputs import check_row_permutation_invariance
from normalizers.testing.checks.undoing import check_inverse_round_trip
from tests.conformance import running
from tests.conformance.cases import Case, cases_of
from tests.conformance.hints import HINTS, Hint


class Rounded(Normalizer):
    """Round, and add up: a lossy way back, and a number of the whole request.

    Notes
    -----
    Missing values are refused. Cost O(n).
    """

    name = "rounded"
    family = "embeddings"
    kinds = ("stateless",)
    takes = Fields(x=floats("m d", help="rows"))
    gives = Fields(y=floats("m d", help="rounded rows"), total=floats("", help="their sum"))
    inverse_takes = Fields(y=floats("m d", help="rounded rows"))
    examples = (
        Example(input={"x": [[1.25, 2.0]]}),
        Example({"to": "tenths"}, input={"x": [[1.25, 2.0]]}, name="tenths"),
    )
    sums = staticmethod(lambda y: np.sort(y, axis=None).sum())

    to: Literal["ones", "tenths"] | None = param(
        default=None, default_value="ones", affects="answer", help="what it is rounded to"
    )

    @property
    def traits(self):  # type: ignore[no-untyped-def]
        lossy = self.to == "ones"
        bound = 0.0 if lossy else 0.1
        base = Normalizer.traits
        return replace(base, way_back="lossy" if lossy else "quantized", way_back_bound=bound)

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        y = np.round(batch.array("x"), 0 if self.to == "ones" else 1)
        return Answer({"y": y, "total": np.asarray(type(self).sums(y))})

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        return Answer({"x": batch.array("y")})


class UnsortedSum(Rounded):
    name = "unsorted_sum"
    sums = staticmethod(lambda y: (y * np.arange(1, 1 + len(y))[:, None]).sum())


class LosesMore(Rounded):
    name = "loses_more"

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        return Answer({"x": batch.array("y") + 1.0})


def cases(cls: type[Normalizer]) -> list[Case]:
    return cases_of(built_in.CATALOGUE, [cls])


def test_each_example_is_a_case_of_its_own_parameters() -> None:
    assert Rounded.example is Rounded.examples[0]
    assert [(case.name, case.params) for case in cases(Rounded)] == [
        ("rounded", {}),
        ("rounded.tenths", {"to": "tenths"}),
    ]


def test_what_is_said_of_the_class_is_asked_once() -> None:
    first, second = cases(Rounded)
    asked = [
        {running.name_of(check) for _, check in running.pairs([case])} for case in (first, second)
    ]
    assert {"docstring_complete", "no_name_clashes"} <= asked[0] - asked[1]
    assert "inverse_round_trip" in asked[0] & asked[1]


def test_hints_of_the_class_hold_for_further_examples_but_for_their_parameters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(HINTS, "rounded", Hint(params={"to": "ones"}, positive=frozenset({"x"})))
    first, second = cases(Rounded)
    assert (first.params, second.params) == ({"to": "ones"}, {"to": "tenths"})
    assert np.min(second.given()["x"]) > 0  # type: ignore[call-overload]


@pytest.mark.parametrize("index", [0, 1])
def test_a_way_back_is_held_to_what_it_says(index: int) -> None:
    check_inverse_round_trip(cases(Rounded)[index])
    with pytest.raises(AssertionError):
        check_inverse_round_trip(cases(LosesMore)[index])


def test_a_number_of_the_whole_may_not_depend_on_the_order_of_rows() -> None:
    check_row_permutation_invariance(cases(Rounded)[0])
    with pytest.raises(AssertionError):
        check_row_permutation_invariance(cases(UnsortedSum)[0])


def test_one_check_that_cannot_be_asked_for_does_not_fail_for_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @of(lambda case: 1 / 0)  # type: ignore[arg-type, return-value]
    def check_broken(case: Case) -> None: ...

    monkeypatch.setattr(running, "CHECKS", [check_broken, *running.CHECKS])
    found, faults = running.buildable(built_in.CATALOGUE, [Rounded])
    assert isinstance(faults["rounded"], ZeroDivisionError)
    assert len(found) > 50
