"""Laws of windows and rolling statistics: unit and origin, masks, chunks, prefixes."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from normalizers import RollingZScore, WindowZScore
from tests.properties.samples import EXAMPLES, GAPPY_GRID, GRID, POWERS, SHIFTS, same_bits

WINDOW = st.lists(GRID, min_size=2, max_size=16)
SERIES = st.lists(GAPPY_GRID, min_size=1, max_size=40)
LENGTHS = st.integers(1, 9)
BOUND = 1e-9


@EXAMPLES
@given(x=WINDOW, power=POWERS)
def test_the_unit_of_a_window_does_not_matter(x, power) -> None:
    answer = WindowZScore().apply_to(x=x)
    scaled = WindowZScore().apply_to(x=np.array(x) * power)
    assert same_bits(scaled["y"], answer["y"])
    assert same_bits(scaled["loc"], np.asarray(answer["loc"]) * power)


@EXAMPLES
@given(x=WINDOW, shift=SHIFTS)
def test_the_origin_of_a_window_does_not_matter(x, shift) -> None:
    expected = WindowZScore().transform(x)
    np.testing.assert_allclose(WindowZScore().transform(np.array(x) + shift), expected, atol=BOUND)


@EXAMPLES
@given(x=WINDOW)
def test_a_negated_window_gives_negated_values(x) -> None:
    assert same_bits(WindowZScore().transform(-np.array(x)), -WindowZScore().transform(x))


@EXAMPLES
@given(x=WINDOW, data=st.data())
def test_a_masked_value_is_a_missing_one(x, data) -> None:
    mask = data.draw(st.lists(st.booleans(), min_size=len(x), max_size=len(x)))
    gappy = [value if seen else math.nan for value, seen in zip(x, mask, strict=True)]
    masked = WindowZScore().apply_to(x=x, mask=mask)
    missing = WindowZScore().apply_to(x=gappy)
    for name in ("y", "loc", "scale"):
        assert same_bits(masked[name], missing[name])


@EXAMPLES
@given(x=WINDOW, data=st.data())
def test_the_order_of_steps_decides_the_order_of_values_only(x, data) -> None:
    order = data.draw(st.permutations(range(len(x))))
    y = WindowZScore().transform(x)
    np.testing.assert_allclose(
        WindowZScore().transform([x[index] for index in order]), y[list(order)], atol=BOUND
    )


@EXAMPLES
@given(x=WINDOW)
def test_normalized_windows_have_mean_zero_and_deviation_one(x) -> None:
    assume(max(x) > min(x))
    y = WindowZScore().transform(x)
    assert abs(y.mean()) <= BOUND
    assert abs(y.std() - 1) <= BOUND


@EXAMPLES
@given(x=SERIES, window=LENGTHS, current=st.booleans(), data=st.data())
def test_any_chunks_give_the_same_bits(x, window, current, data) -> None:
    method = RollingZScore(window=window, min_periods=1, include_current=current)
    whole = method.apply_to(x=x)
    cuts = data.draw(st.lists(st.integers(0, len(x)), max_size=4).map(sorted))
    parts, state = [], {}
    for start, stop in zip([0, *cuts], [*cuts, len(x)], strict=True):
        answer = method.apply_to(x=np.array(x[start:stop]), **state)
        parts.append(answer)
        state = {"state": answer["state"]}
    for name in ("y", "loc", "scale"):
        assert same_bits(np.concatenate([part[name] for part in parts]), whole[name])


@EXAMPLES
@given(x=SERIES, window=LENGTHS, length=st.integers(0, 40))
def test_a_prefix_is_answered_as_in_the_whole(x, window, length) -> None:
    method = RollingZScore(window=window, min_periods=1)
    prefix = np.array(x[:length])
    assert same_bits(method.transform(prefix), method.transform(x)[:length])


@EXAMPLES
@given(x=SERIES, window=LENGTHS, power=POWERS)
def test_the_unit_of_a_series_does_not_matter(x, window, power) -> None:
    method = RollingZScore(window=window, min_periods=1)
    assert same_bits(method.transform(np.array(x) * power), method.transform(x))


@EXAMPLES
@given(x=SERIES, window=LENGTHS)
def test_every_step_is_a_z_score_of_its_window(x, window) -> None:
    y = RollingZScore(window=window, min_periods=1).transform(x)
    for index, value in enumerate(x):
        seen = [v for v in x[max(0, index + 1 - window) : index + 1] if not math.isnan(v)]
        if math.isnan(value):
            assert math.isnan(y[index])
        elif max(seen) == min(seen):
            assert y[index] == 0
        else:
            expected = (value - np.mean(seen)) / np.std(seen)
            np.testing.assert_allclose(y[index], expected, rtol=BOUND, atol=BOUND)


@EXAMPLES
@given(x=st.lists(GRID, min_size=1, max_size=30), window=LENGTHS)
def test_a_rolled_series_comes_back(x, window) -> None:
    method = RollingZScore(window=window, min_periods=1)
    answer = method.apply_to(x=x)
    back = method.inverse_transform(answer["y"], loc=answer["loc"], scale=answer["scale"])
    np.testing.assert_allclose(back, x, rtol=1e-12, atol=BOUND)
