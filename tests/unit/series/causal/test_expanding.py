"""Statistics of everything up to each step."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import ExpandingMinMax, ExpandingZScore, errors
from tests.unit.series.causal.samples import NAN, STREAM, in_chunks


@pytest.mark.parametrize("current", [True, False])
@pytest.mark.parametrize("cls", [ExpandingZScore, ExpandingMinMax])
def test_k14_any_chunks_give_the_same_bits(cls: type[ExpandingZScore], current: bool) -> None:
    method = cls(include_current=current)
    for x in (STREAM, STREAM * 1e-200, STREAM * np.geomspace(1e-150, 1e250, len(STREAM))):
        whole = method.apply_to(x=x)
        for cuts in ([1, 2, 3], [4, 4, 9], list(range(1, 13))):
            parts = in_chunks(method, x, cuts)
            for name in ("y", "loc", "scale"):
                joined = np.concatenate([part[name] for part in parts])
                assert joined.tobytes() == whole[name].tobytes()
            for name, carried in whole["state"].items():
                np.testing.assert_array_equal(parts[-1]["state"][name], carried)


@pytest.mark.parametrize("current", [True, False])
def test_every_step_sees_everything_up_to_it(current: bool) -> None:
    z, share = (
        cls(include_current=current, min_periods=2).transform(STREAM)
        for cls in (ExpandingZScore, ExpandingMinMax)
    )
    for step, x in enumerate(STREAM):
        seen = STREAM[: step + 1 if current else step]
        seen = seen[~np.isnan(seen)]
        if len(seen) < 2 or np.isnan(x):
            assert np.isnan([z[step], share[step]]).all()
        else:
            assert z[step] == pytest.approx((x - seen.mean()) / seen.std(), rel=1e-12)
            assert share[step] == pytest.approx((x - seen.min()) / np.ptp(seen), rel=1e-12)


def test_river_an_offset_costs_no_digit() -> None:
    scale = ExpandingZScore().apply_to(x=1e9 + np.arange(4.0))["scale"]
    assert scale[-1] == pytest.approx(np.sqrt(1.25), rel=1e-12)


@pytest.mark.parametrize("size", [1e-300, 1e-200, 1e200, 1e300])
def test_sizes_whose_squares_leave_the_range(size: float) -> None:
    x = np.array([1.0, 5.0, 2.0, 8.0, 3.0])
    for cls in (ExpandingZScore, ExpandingMinMax):
        expected = cls().transform(x)
        np.testing.assert_allclose(cls().transform(x * size), expected, rtol=1e-12)


def test_a_constant_is_exactly_zero() -> None:
    for cls in (ExpandingZScore, ExpandingMinMax):
        answer = cls().apply_to(x=[0.1] * 5)
        assert answer["y"].tolist() == [0.0] * 5
        assert answer.flags["constant"].tolist() == [[0, 0]]


def test_a_record_lies_beyond_the_ends_before_it() -> None:
    y = ExpandingMinMax(include_current=False).transform([0.0, 1.0, 3.0, -1.0])
    assert y.tolist() == pytest.approx([NAN, 1.0, 3.0, -1 / 3], nan_ok=True)


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"m2": [[-1.0]]}, "input.state.m2[0][0]"),
        ({"n": [[0.0]]}, "input.state.n"),
        ({"lowest": [[9.0]]}, "input.state.lowest"),
        ({"lowest": [[None]]}, "input.state.lowest"),
        ({"total": [[None]]}, "input.state.total[0][0]"),
    ],
)
def test_k14_a_method_checks_its_own_numbers(changed: dict[str, object], path: str) -> None:
    state = ExpandingZScore().apply_to(x=[1.0, 2.0, 4.0])["state"]
    with pytest.raises(errors.InvalidInput) as caught:
        ExpandingZScore().apply_to(x=[1.0], state={**state, **changed})
    assert caught.value.path == path
