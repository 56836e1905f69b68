"""Laws of causal methods: chunks, prefixes, units, and what is forgotten."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from normalizers import (
    Difference,
    EwmZScore,
    ExpandingMinMax,
    ExpandingZScore,
    LogReturn,
    PctChange,
    RollingZScore,
    Seasonal,
)
from normalizers.normalizer import Normalizer
from tests.properties.samples import EXAMPLES, GAPPY_GRID, GRID, POWERS, SHIFTS, same_bits

SERIES = st.lists(GAPPY_GRID, min_size=1, max_size=40)
SCALERS: list[Normalizer] = [
    RollingZScore(window=4, min_periods=1),
    RollingZScore(window=3, ddof=1, min_periods=2, include_current=False, on_constant="zero"),
    ExpandingZScore(),
    ExpandingZScore(include_current=False, ddof=1, on_constant="zero"),
    ExpandingMinMax(),
    EwmZScore(alpha=0.3),
    EwmZScore(alpha=0.1, adjust=False, include_current=False, on_constant="zero"),
]
CHANGES: list[Normalizer] = [
    Difference(),
    Difference(lag=3),
    LogReturn(lag=2),
    PctChange(),
    Seasonal(period=3, scope="past"),
]
ALL = pytest.mark.parametrize("method", [*SCALERS, *CHANGES], ids=repr)
SCALED = pytest.mark.parametrize("method", SCALERS, ids=repr)


@ALL
@EXAMPLES
@given(x=SERIES, data=st.data())
def test_any_chunks_give_the_same_bits(method, x, data) -> None:
    whole = method.apply_to(x=x)
    cuts = data.draw(st.lists(st.integers(0, len(x)), max_size=4).map(sorted))
    parts, state = [], {}
    for start, stop in zip([0, *cuts], [*cuts, len(x)], strict=True):
        parts.append(method.apply_to(x=np.array(x[start:stop]), **state))
        state = {"state": parts[-1]["state"]}
    for name in whole.output.keys() - {"state"}:
        assert same_bits(np.concatenate([part[name] for part in parts]), whole[name])
    for name, carried in whole["state"].items():
        np.testing.assert_array_equal(state["state"][name], carried)


@ALL
@EXAMPLES
@given(x=SERIES, length=st.integers(0, 40))
def test_a_prefix_is_answered_as_in_the_whole(method, x, length) -> None:
    assert same_bits(method.transform(np.array(x[:length])), method.transform(x)[:length])


@ALL
@EXAMPLES
@given(series=st.lists(SERIES, min_size=1, max_size=4), cut=st.integers(0, 10))
def test_ragged_series_are_answered_as_each_alone(method, series, cut) -> None:
    heads, tails = [x[:cut] for x in series], [x[cut:] for x in series]
    first = method.apply_to(x=heads, layout="ragged")
    then = method.apply_to(x=tails, layout="ragged", state=first["state"])
    for index, x in enumerate(series):
        alone = method.transform(x)
        joined = np.concatenate([first["y"][index], then["y"][index]])
        assert same_bits(joined, alone)


@SCALED
@EXAMPLES
@given(x=SERIES, power=POWERS)
def test_the_unit_of_a_series_does_not_matter(method, x, power) -> None:
    assert same_bits(method.transform(np.array(x) * power), method.transform(x))


@SCALED
@EXAMPLES
@given(x=SERIES, size=st.sampled_from([1e-200, 1e200]))
def test_any_size_is_normalized_alike(method, x, size) -> None:
    # 0.1 of a spread is left as it is, so that rounding in the unit is no spread of its own.
    expected = method.transform(x)
    np.testing.assert_allclose(method.transform(np.array(x) * size), expected, rtol=1e-6, atol=1e-6)


@SCALED
@EXAMPLES
@given(x=st.lists(GRID, min_size=2, max_size=30))
def test_a_negated_series_gives_negated_values(method, x) -> None:
    if isinstance(method, ExpandingMinMax):
        return
    np.testing.assert_allclose(
        method.transform(-np.array(x)), -method.transform(x), rtol=1e-9, atol=1e-9
    )


@EXAMPLES
@given(x=st.lists(GRID, min_size=8, max_size=30), spike=st.sampled_from([1e9, -1e200, 1e300]))
def test_a_window_that_saw_a_spike_forgets_it(x, spike) -> None:
    method = RollingZScore(window=4, min_periods=1)
    seen = method.transform(np.concatenate([[spike], x]))[1:]
    np.testing.assert_allclose(seen[4:], method.transform(x)[4:], rtol=1e-9, atol=1e-9)


@EXAMPLES
@given(x=st.lists(GRID, min_size=8, max_size=30), spike=st.sampled_from([1e9, -1e200, 1e300]))
def test_what_has_left_the_window_leaves_no_bit_behind(x, spike) -> None:
    for method in (RollingZScore(window=4), RollingZScore(window=7, include_current=False)):
        with_spike, without = (method.apply_to(x=[first, *x]) for first in (spike, 0.5))
        reach = method.window + 1
        for name in ("y", "loc", "scale"):
            assert same_bits(with_spike[name][reach:], without[name][reach:])


@SCALED
@EXAMPLES
@given(x=SERIES, shift=SHIFTS)
def test_the_origin_of_a_series_does_not_matter(method, x, shift) -> None:
    # Eighths and whole numbers: the shift itself rounds nothing.
    np.testing.assert_allclose(
        method.transform(np.array(x) + shift), method.transform(x), rtol=1e-7, atol=1e-7
    )


@ALL
@EXAMPLES
@given(x=SERIES, data=st.data())
def test_missing_in_is_missing_out_and_moves_no_other_step_but_by_its_absence(
    method, x, data
) -> None:
    mask = data.draw(st.lists(st.booleans(), min_size=len(x), max_size=len(x)))
    gappy = np.where(mask, x, np.nan)
    y = method.transform(gappy)
    assert np.isnan(y[np.isnan(gappy)]).all()
    if "mask" in method.takes:
        assert same_bits(method.transform(x, mask=np.where(np.isnan(x), 0, mask)), y)
