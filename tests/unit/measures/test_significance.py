"""p values of resampled differences, alone and together."""

from __future__ import annotations

import math

import numpy as np
import pytest

from normalizers.measures.bootstrap import interval
from normalizers.measures.significance import holm, p_value

NAN = float("nan")


def test_a_difference_that_no_resample_turns_has_the_smallest_p() -> None:
    assert p_value(np.full(999, 0.5), 40) == p_value(np.full(999, -0.5), 40) == 2 / 1000


def test_no_difference_has_p_1_and_none_that_is_known_has_none() -> None:
    assert p_value(np.zeros(10), 40) == 1.0
    assert math.isnan(p_value(np.array([NAN, NAN]), 40))
    assert p_value(np.array([NAN, 1.0, 1.0, 1.0]), 40) == 0.5


@pytest.mark.parametrize("shift", [0.0, 1.0, 1.9, 2.1, 3.0])
def test_p_agrees_with_the_interval(shift: float) -> None:
    resampled = np.random.default_rng(1).normal(shift, 1.0, 20_000)
    ends = interval(resampled, 0.95)
    assert (p_value(resampled, 40) < 0.05) == (not ends.lower <= 0 <= ends.upper)


def test_holm_is_that_of_the_paper() -> None:
    # The example of R's p.adjust: p = .01, .02, .03, .04 -> .04, .06, .06, .06.
    assert holm([0.03, 0.01, 0.04, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])


def test_holm_never_exceeds_1_nor_falls_below_p_and_leaves_unknown_ones_out() -> None:
    p = [0.5, NAN, 0.9, 0.001]
    adjusted = holm(p)
    assert math.isnan(adjusted[1])
    assert adjusted[0] == 1.0
    assert adjusted[3] == pytest.approx(0.003)
    assert holm([]) == []


@pytest.mark.parametrize(("units", "p"), [(1, 1.0), (2, 0.5), (5, 0.0625), (20, 0.002)])
def test_few_units_are_never_surer_than_their_signs(units: int, p: float) -> None:
    assert p_value(np.full(999, 0.5), units) == p
