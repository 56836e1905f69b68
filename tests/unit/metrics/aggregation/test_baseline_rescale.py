from __future__ import annotations

import numpy as np
import pytest

from normalizers import BaselineRescale
from normalizers.errors import InvalidParams


def test_chance_is_zero_and_perfect_is_one_whatever_lies_beyond() -> None:
    method = BaselineRescale(lower=0.25, upper=1.0)
    y = method.transform([0.25, 1.0, 0.1, np.nan])
    np.testing.assert_allclose(y, [0.0, 1.0, -0.2, np.nan], atol=1e-15)
    np.testing.assert_allclose(method.inverse_transform(y[:3]), [0.25, 1.0, 0.1], rtol=1e-15)


def test_what_is_clipped_is_flagged() -> None:
    answer = BaselineRescale(lower=0.0, upper=2.0, clip=True).apply_to([-1.0, 1.0, 5.0])
    assert answer["y"].tolist() == [0.0, 0.5, 1.0]
    assert answer.flags["clipped"].tolist() == [[0, 0], [2, 0]]


def test_bounds_of_any_size_span_a_scale() -> None:
    method = BaselineRescale(lower=-1.7e308, upper=1.7e308)
    np.testing.assert_allclose(method.transform([0.0]), [0.5])


@pytest.mark.parametrize(
    "params", [{}, {"lower": 0.0}, {"upper": 1.0}, {"lower": 1.0, "upper": 1.0}]
)
def test_bounds_that_span_nothing_are_refused(params: dict[str, float]) -> None:
    with pytest.raises(InvalidParams, match=r"lower|upper"):
        BaselineRescale(**params).transform([0.5])
