"""Newton steps in place of an eigendecomposition."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import IterativeWhitening, Whitening
from normalizers.errors import RankDeficient
from tests.unit.embeddings.covariance.whitening.samples import rows


def test_the_recurrence_as_published_diverges_and_ours_does_not() -> None:
    x = rows(400, 4) * np.array([1.0, 7.0, 1.0, 1.0])
    full = Whitening(eps=0, shrinkage="none", ddof=0).fit(x)
    for iterations in (12, 15, 40):
        method = IterativeWhitening(iterations=iterations, eps=0).fit(x)
        missed = method.report_["largest_deviation_from_white"]
        assert missed < 0.5
    np.testing.assert_allclose(method.fitted_["W"], full.fitted_["W"], rtol=1e-9)


def test_no_step_divides_by_the_root_of_the_trace() -> None:
    x = rows(50, 3)
    method = IterativeWhitening(iterations=0, eps=0).fit(x)
    expected = np.eye(3) / np.sqrt(np.trace(np.cov(x.T, ddof=0)))
    np.testing.assert_allclose(method.fitted_["W"], expected, rtol=1e-12)


def test_groups_of_dims_are_whitened_each_by_itself() -> None:
    x = rows(100, 5)
    method = IterativeWhitening(dim_group_size=2).fit(x)
    for start, stop in ((0, 2), (2, 4), (4, 5)):
        alone = IterativeWhitening().fit(x[:, start:stop])
        block = method.fitted_["W"][start:stop, start:stop]
        np.testing.assert_allclose(block, alone.fitted_["W"], rtol=1e-10)
    assert not method.fitted_["W"][:2, 2:].any()


def test_averaged_matrices_are_not_what_parts_merge_to() -> None:
    x = rows(120, 4)
    first, second = IterativeWhitening().fit(x[:50]), IterativeWhitening().fit(x[50:])
    whole = IterativeWhitening().fit(x)
    np.testing.assert_allclose(first.merge(second).fitted_["W"], whole.fitted_["W"], rtol=1e-10)


def test_vectors_come_back() -> None:
    x = rows(60, 4, offset=3.0)
    method = IterativeWhitening().fit(x)
    np.testing.assert_allclose(method.inverse_transform(method.transform(x)), x, rtol=1e-9)


@pytest.mark.parametrize("size", [1e-130, 1e130])
def test_the_unit_of_the_input_does_not_matter_without_eps(size: float) -> None:
    x = rows(60, 4)
    there = IterativeWhitening(eps=0).fit(x * size).transform(x * size)
    np.testing.assert_allclose(there, IterativeWhitening(eps=0).fit(x).transform(x), rtol=1e-9)


def test_rows_that_do_not_differ_are_refused() -> None:
    with pytest.raises(RankDeficient):
        IterativeWhitening().fit(np.ones((5, 3)))
