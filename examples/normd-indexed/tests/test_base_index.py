"""The method keeps what methods promise, and computes what it is for."""

from __future__ import annotations

import pytest
from normd_indexed import BaseIndex

from normalizers.errors import FitError
from normalizers.testing import check_method


def test_it_keeps_what_methods_promise() -> None:
    check_method(BaseIndex)


def test_the_base_is_100_unless_another_is_given() -> None:
    assert BaseIndex().fit([2.0, 4.0]).transform([3.0]).tolist() == [100.0]
    assert BaseIndex(base=1.0).fit([2.0, 4.0]).transform([3.0]).tolist() == [1.0]


def test_a_mean_of_0_is_no_base() -> None:
    with pytest.raises(FitError, match="column 0 has mean 0"):
        BaseIndex().fit([-1.0, 1.0])
