"""Each check that a method's own code can break is broken once, and fails."""

from __future__ import annotations

import itertools
import time
from typing import cast

import numpy as np
import pytest

from normalizers.catalogue import catalogue as built_in
from normalizers.contract.answer import Answer, Options
from normalizers.contract.example import Example
from normalizers.contract.fields import Fields, floats
from normalizers.contract.fitted import Fitted
from normalizers.contract.parameters import param
from normalizers.contract.traits import Traits
from normalizers.data.batch import Batch
from normalizers.data.devices import CPU, CUDA
from normalizers.statistics import Extrema, Statistics
from tests.conformance.cases import cases_of
from tests.conformance.checks import CHECKS
from tests.conformance.running import buildable, name_of
from tests.conformance.service import serving
from tests.conformance.test_ninth_method import ColumnMaxAbs

COUNTER = itertools.count()


class WritesIntoTheInput(ColumnMaxAbs):
    def apply(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        x = given.array("x")
        x /= fitted["largest"]
        return Answer({"y": x.copy()})


class ReturnsTheInput(ColumnMaxAbs):
    def apply(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        return Answer({"y": given.array("x")})


class DependsOnTheBatch(ColumnMaxAbs):
    def apply(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        return Answer({"y": given.array("x") - given.array("x").sum()})


class DependsOnThePlace(ColumnMaxAbs):
    def apply(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        x = given.array("x")
        return Answer({"y": x + np.arange(len(x))[:, None]})


class Remembers(ColumnMaxAbs):
    def apply(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        return Answer({"y": given.array("x") + next(COUNTER)})


class SharesScratch(ColumnMaxAbs):
    _scratch = cast("np.ndarray | None", None)

    def apply(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        self._scratch = given.array("x")
        time.sleep(1e-2)
        return Answer({"y": np.array(self._scratch)})


class OverflowsToInfinity(ColumnMaxAbs):
    def apply(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        x = given.array("x")
        return Answer({"y": np.where(np.ptp(x) == 0, np.nan, x)})


class FitsTheFirstRow(ColumnMaxAbs):
    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        x = batch.array("x")
        extrema = cast(Extrema, statistics["extrema"]).update(x - x[:1])
        return statistics.replace(extrema=extrema)


class FitsAtRandom(ColumnMaxAbs):
    def solve(self, statistics: Statistics) -> Fitted:
        return Fitted({"largest": np.ones(3) + next(COUNTER)}, {"d": 3})


class FitsTheHashSeed(ColumnMaxAbs):
    def solve(self, statistics: Statistics) -> Fitted:
        # As many bits as a float holds: with fewer, two seeds agree now and then.
        return Fitted({"largest": np.array([1.0 + hash(x) % 2**52 for x in "abc"])}, {"d": 3})


class DoesNotGoBack(ColumnMaxAbs):
    def undo(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        return Answer({"x": given.array("y")})


class ExplainsNothing(ColumnMaxAbs):
    def apply(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        return Answer({"y": given.array("x") / fitted["largest"]})


class DependsOnTheDevice(ColumnMaxAbs):
    traits = Traits(devices=(CPU, CUDA))

    def apply(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        return Answer({"y": given.array("x") + given.device.tensors})


class NamesAParameterLikeTheContract(ColumnMaxAbs):
    stateless: bool | None = param(default=None, affects="answer", help="clashes")


class SaysNothing(ColumnMaxAbs):
    """Says nothing"""


class HelpsNobody(ColumnMaxAbs):
    takes = Fields(x=floats("m d", flat="row"))
    limit: float | None = param(default=None, affects="answer", help="")


class AcceptsInfinity(ColumnMaxAbs):
    limit: object | None = param(default=None, affects="answer", help="anything")


BROKEN = [
    (WritesIntoTheInput, "does_not_modify_input"),
    (ReturnsTheInput, "output_does_not_alias_the_input"),
    (DependsOnTheBatch, "batch_invariance"),
    (DependsOnThePlace, "row_permutation_invariance"),
    (DependsOnThePlace, "all_ties"),
    (Remembers, "the_same_input_gives_the_same_answer"),
    (SharesScratch, "thread_safe_transform"),
    (OverflowsToInfinity, "constant_input"),
    (FitsTheFirstRow, "fit_equals_merge_of_splits"),
    (FitsTheFirstRow, "fit_ignores_the_order_of_rows"),
    (FitsTheFirstRow, "partial_fit_goes_on_from_the_fit"),
    (FitsAtRandom, "fit_twice_same_state"),
    (FitsAtRandom, "posted_statistics_give_the_same_fit"),
    (FitsAtRandom, "saving_twice_gives_the_same_bytes"),
    (FitsAtRandom, "stored_version_is_the_library_s"),
    (FitsTheHashSeed, "hash_stable_across_processes"),
    (DoesNotGoBack, "inverse_round_trip"),
    (ExplainsNothing, "explain_tells_the_parts"),
    (DependsOnTheDevice, "numpy_equals_torch"),
    (NamesAParameterLikeTheContract, "no_name_clashes"),
    (SaysNothing, "docstring_complete"),
    (SaysNothing, "notes_tell_the_edges"),
    (SaysNothing, "doctest_runs"),
    (HelpsNobody, "fields_have_help"),
    (HelpsNobody, "parameters_have_help"),
    (AcceptsInfinity, "params_reject_unknown_and_nonfinite"),
    (AcceptsInfinity, "params_are_strict_about_types"),
    (ColumnMaxAbs, "golden_cases_exist"),
]
NAMED = {name_of(check): check for check in CHECKS}


class ExampleOutOfBounds(ColumnMaxAbs):
    name = "example_out_of_bounds"
    aliases = {}
    example = Example(params={"limit": -1.0}, input={"x": [[1.0]]})


def test_a_method_whose_cases_cannot_be_built_leaves_the_others_alone() -> None:
    classes = [ExampleOutOfBounds, ColumnMaxAbs]
    found, faults = buildable(built_in.CATALOGUE.with_methods(*classes), classes)
    assert {case.cls for case, _ in found} == {ColumnMaxAbs}
    assert list(faults) == ["example_out_of_bounds"]
    assert "params.limit" in str(faults["example_out_of_bounds"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("broken")


@pytest.mark.parametrize("cls, check", BROKEN)
def test_a_broken_method_fails(cls, check: str, folder) -> None:
    catalogue = built_in.CATALOGUE.with_methods(cls)
    (case,) = cases_of(catalogue, [cls])
    if check.startswith("stored_"):
        with serving(folder, catalogue) as service, pytest.raises(AssertionError):
            NAMED[check](case, service)
    else:
        with pytest.raises((AssertionError, ValueError)):
            NAMED[check](case)
