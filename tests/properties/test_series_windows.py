"""Laws of windows: unit, origin, neighbours, masks, sizes and the way back."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from normalizers import (
    LastValue,
    MeanScale,
    WindowMaxAbs,
    WindowMinMax,
    WindowRobust,
    WindowRobustArcsinh,
    WindowZScore,
    WindowZScoreArcsinh,
)
from normalizers.normalizer import Normalizer
from tests.properties.samples import EXAMPLES, GAPPY_GRID, GRID, POWERS, SHIFTS, same_bits

WINDOW = st.lists(GRID, min_size=1, max_size=16)
GAPPY = st.lists(GAPPY_GRID, min_size=1, max_size=16)
CENTRED: list[Normalizer] = [
    WindowZScore(),
    WindowZScore(ddof=1),
    WindowMinMax(range=[-1, 1]),
    WindowRobust(),
    WindowRobust(center="lower_median", scale="mad_lower_median"),
    WindowRobustArcsinh(),
    WindowZScoreArcsinh(),
]
SCALED: list[Normalizer] = [*CENTRED, WindowMaxAbs(), MeanScale()]
ALL: list[Normalizer] = [*SCALED, LastValue()]
BOUND = 1e-9


@pytest.mark.parametrize("method", SCALED, ids=repr)
@EXAMPLES
@given(x=GAPPY, power=POWERS)
def test_the_unit_of_a_window_does_not_matter(method, x, power) -> None:
    assume(_has_spread(method, x))
    assert same_bits(method.transform(np.array(x) * power), method.transform(x))


@pytest.mark.parametrize("method", CENTRED, ids=repr)
@EXAMPLES
@given(x=WINDOW, shift=SHIFTS)
def test_the_origin_of_a_window_does_not_matter(method, x, shift) -> None:
    # Eighths and whole numbers: the shift itself rounds nothing.
    expected = method.transform(x)
    np.testing.assert_allclose(method.transform(np.array(x) + shift), expected, atol=1e-8)


@pytest.mark.parametrize("method", ALL, ids=repr)
@EXAMPLES
@given(parts=st.lists(GAPPY, min_size=1, max_size=4))
def test_a_window_is_answered_alike_alone_and_beside_others(method, parts) -> None:
    together = method.apply_to(x=parts, layout="ragged")
    for index, part in enumerate(parts):
        assert same_bits(together["y"][index], method.transform(part))


@pytest.mark.parametrize("method", ALL, ids=repr)
@EXAMPLES
@given(x=WINDOW, data=st.data())
def test_a_masked_value_is_a_missing_one(method, x, data) -> None:
    mask = data.draw(st.lists(st.booleans(), min_size=len(x), max_size=len(x)))
    gappy = [value if seen else math.nan for value, seen in zip(x, mask, strict=True)]
    masked, missing = method.apply_to(x=x, mask=mask), method.apply_to(x=gappy)
    for name in ("y", "loc", "scale"):
        assert same_bits(masked[name], missing[name])


@pytest.mark.parametrize("method", ALL, ids=repr)
@EXAMPLES
@given(x=GAPPY)
def test_windows_come_back(method, x) -> None:
    answer = method.apply_to(x=x)
    back = method.inverse_transform(answer["y"], loc=answer["loc"], scale=answer["scale"])
    np.testing.assert_allclose(back, x, rtol=1e-12, atol=BOUND)


@pytest.mark.parametrize("method", ALL, ids=repr)
@EXAMPLES
@given(x=WINDOW)
def test_a_larger_value_never_gives_a_smaller_answer(method, x) -> None:
    y = np.asarray(method.transform(x))
    assert (np.diff(y[np.argsort(x, kind="stable")]) >= 0).all()


@pytest.mark.parametrize("method", SCALED, ids=repr)
@EXAMPLES
@given(x=WINDOW, size=st.sampled_from([1e-200, 1e200]))
def test_windows_of_any_size_are_normalized_alike(method, x, size) -> None:
    assume(_has_spread(method, x))
    expected = method.transform(x)
    np.testing.assert_allclose(method.transform(np.array(x) * size), expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("method", ALL, ids=repr)
@EXAMPLES
@given(x=GAPPY)
def test_missing_in_is_missing_out_and_nothing_else_is(method, x) -> None:
    np.testing.assert_array_equal(np.isnan(method.transform(x)), np.isnan(x))


def _has_spread(method: Normalizer, x: list[float]) -> bool:
    """Return whether the window is scaled by a spread, and not by 1 for lack of one."""
    answer = method.apply_to(x=np.array(x) * 8)
    # With a spread of its own the scale follows the unit.
    return bool(answer["scale"][0] == 8 * method.apply_to(x=x)["scale"][0])
