"""`check_method` tells authors of methods everything that is missing, and nothing else."""

from __future__ import annotations

import pytest

from normalizers import Percentile
from normalizers.testing import ConformanceError, Hint, check_method
from normalizers.testing.refusals import raises
from tests.conformance.test_checks_can_fail import DependsOnTheBatch, DoesNotGoBack, HelpsNobody
from tests.conformance.test_ninth_method import ColumnMaxAbs


def test_a_method_that_is_not_installed_passes() -> None:
    assert check_method(ColumnMaxAbs) > 40


def test_a_built_in_method_passes_with_every_form_it_has() -> None:
    assert check_method(Percentile) > 80


@pytest.mark.parametrize(
    "cls, check",
    [
        (DependsOnTheBatch, "batch_invariance"),
        (DoesNotGoBack, "inverse_round_trip"),
        (HelpsNobody, "fields_have_help"),
    ],
)
def test_what_does_not_pass_is_told_with_its_promise(cls: type[ColumnMaxAbs], check: str) -> None:
    with pytest.raises(ConformanceError) as told:
        check_method(cls)
    (found,) = [failure for failure in told.value.failures if failure.check == check]
    assert found.promise.endswith(".")
    assert check in str(told.value)


def test_a_skip_has_to_be_needed_and_known() -> None:
    check_method(DoesNotGoBack, skips={"inverse_round_trip": "rounds"} | _others(DoesNotGoBack))
    with pytest.raises(ConformanceError, match="remove the skip"):
        check_method(ColumnMaxAbs, skips={"inverse_round_trip": "no reason"})
    with pytest.raises(ValueError, match="no check is called way_back"):
        check_method(ColumnMaxAbs, skips={"way_back": "unknown"})


def _others(cls: type[ColumnMaxAbs]) -> dict[str, str]:
    with pytest.raises(ConformanceError) as told:
        check_method(cls)
    return {failure.check: "as above" for failure in told.value.failures}


def test_a_hint_says_what_the_class_cannot() -> None:
    assert check_method(ColumnMaxAbs, hint=Hint(sizes={"d": 2})) > 40


def test_a_refusal_that_does_not_come_is_told() -> None:
    with pytest.raises(AssertionError, match="nothing was refused"), raises(ValueError):
        pass
    with pytest.raises(AssertionError, match="does not say"), raises(ValueError, match="other"):
        raise ValueError("this")
    with pytest.raises(KeyError), raises(ValueError):
        raise KeyError
    with raises((ValueError, KeyError)) as caught:
        raise ValueError("this")
    assert str(caught.value) == "this"
