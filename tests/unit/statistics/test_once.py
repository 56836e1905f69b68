"""A statistic that every part of a fit has."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.errors import IncompatibleStatistics
from normalizers.statistics import Moments, Once, Quantiles

ROWS = np.array([[1.0, np.nan], [3.0, 4.0]])


@pytest.mark.parametrize("inner", [Moments(), Quantiles()])
def test_k15_equal_references_are_kept_once(inner: Moments | Quantiles) -> None:
    one = Once(inner).update(ROWS)
    assert one.merge(Once(inner).update(ROWS)).n == 2
    assert one.update(ROWS).to_arrays().keys() == one.to_arrays().keys()
    assert Once(inner).merge(one) is one
    assert one.merge(Once(inner)) is one
    assert one.merge_all([one, one]).n == 2


@pytest.mark.parametrize("inner", [Moments(), Quantiles()])
def test_k15_different_references_are_refused(inner: Moments | Quantiles) -> None:
    one = Once(inner).update(ROWS)
    for other in (ROWS + 1.0, ROWS[:1], ROWS[:, :1]):
        with pytest.raises(IncompatibleStatistics, match="the references are not the same"):
            one.merge(Once(inner).update(other))
        with pytest.raises(IncompatibleStatistics):
            one.minus(Once(inner).update(other))


def test_rows_that_are_taken_out_leave_the_reference() -> None:
    one = Once(Moments()).update(ROWS)
    assert one.minus(one) is one


def test_it_is_stored_as_the_inner_statistic_is() -> None:
    one = Once(Moments()).update(ROWS)
    again = Once(Moments()).from_arrays(one.to_arrays(), "statistics.moments")
    assert again.merge(one) is again
    assert again.summary() == one.inner.summary()
    assert one.name == "moments"
    assert one.identity() == {"columns": 2}
