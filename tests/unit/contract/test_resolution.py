"""What follows from declarations: whether a method is fitted, goes back, and what it keeps."""

from __future__ import annotations

import pytest

from normalizers import MinMax, Whitening, ZScore
from normalizers.contract.method import Method
from normalizers.contract.resolution import empty_statistics, is_invertible


@pytest.mark.parametrize(
    ("method", "fittable"),
    [
        (MinMax(), True),
        (MinMax(scope="query"), False),
        (MinMax(scope="fitted"), True),
        (MinMax(bounds="fixed", lower=0.0, upper=1.0), False),
        (ZScore(variant="opensearch"), False),
        (Whitening(), True),
    ],
)
def test_values_of_parameters_say_whether_a_method_is_fitted(
    method: Method, fittable: bool
) -> None:
    assert method.validated().fittable is fittable


def test_an_alias_of_a_scope_is_read_before_it_is_asked() -> None:
    assert not MinMax(scope="list").validated().fittable
    assert not MinMax(scope="frozen").validated().stateless


def test_what_is_kept_of_no_data_is_empty() -> None:
    assert empty_statistics(Whitening()).is_empty


def test_the_way_back_follows_from_what_it_takes() -> None:
    assert is_invertible(Whitening(post="none"))
    assert not is_invertible(Whitening(post="l2"))
