"""Exponentially weighted z-scores against their definition, and where peers go wrong."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Difference, EwmZScore, ExpandingZScore, RollingZScore, errors
from tests.unit.series.causal.samples import NAN, STREAM, in_chunks


def by_definition(x: np.ndarray, alpha: float, *, bias: bool, ignore_na: bool) -> np.ndarray:
    """Return z-scores from weights that stand there one by one, adjusted."""
    y = np.full(len(x), NAN)
    for step in range(len(x)):
        seen = ~np.isnan(x[: step + 1])
        age = np.cumsum(seen[::-1])[::-1] - 1 if ignore_na else np.arange(step, -1, -1)
        w, values = (1 - alpha) ** age[seen], x[: step + 1][seen]
        if not len(values) or np.isnan(x[step]):
            continue
        mean = (w * values).sum() / w.sum()
        variance = (w * (values - mean) ** 2).sum() / w.sum()
        if not bias:
            left = 1 - (w**2).sum() / w.sum() ** 2
            variance = variance / left if left > 1e-12 else NAN
        y[step] = (x[step] - mean) / np.sqrt(variance) if variance > 0 else variance
    return y


@pytest.mark.parametrize("alpha", [0.05, 0.3, 0.9])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("ignore_na", [True, False])
def test_adjusted_weights_are_those_of_the_definition(
    alpha: float, bias: bool, ignore_na: bool
) -> None:
    y = EwmZScore(alpha=alpha, bias=bias, ignore_na=ignore_na).transform(STREAM)
    expected = by_definition(STREAM, alpha, bias=bias, ignore_na=ignore_na)
    np.testing.assert_allclose(y, expected, rtol=1e-10, atol=1e-12)


def test_the_recursion_without_adjustment() -> None:
    mean, variance, expected = 4.0, 0.0, [NAN]
    for x in (1.0, 7.0, 5.0):
        variance = 0.7 * (variance + 0.3 * (x - mean) ** 2)
        mean += 0.3 * (x - mean)
        expected.append((x - mean) / np.sqrt(variance))
    method = EwmZScore(alpha=0.3, adjust=False, bias=True, min_periods=2)
    np.testing.assert_allclose(method.transform([4.0, 1.0, 7.0, 5.0]), expected, rtol=1e-13)


def test_three_spellings_of_one_number() -> None:
    y = EwmZScore(alpha=0.25).transform(STREAM)
    assert EwmZScore(span=7).transform(STREAM).tobytes() == y.tobytes()
    assert EwmZScore(decay=0.75).transform(STREAM).tobytes() == y.tobytes()
    state = EwmZScore(span=7).apply_to(x=[1.0, 2.0])["state"]
    assert EwmZScore(alpha=0.25).apply_to(x=[3.0], state=state)["state"]["step"] == 3


@pytest.mark.parametrize(
    "params", [{}, {"alpha": 0.3, "span": 4}, {"alpha": 0.0}, {"alpha": 1.5}, {"decay": 1.0}]
)
def test_one_number_says_how_fast(params: dict[str, object]) -> None:
    with pytest.raises(errors.InvalidParams):
        EwmZScore(**params).transform([1.0, 2.0])


@pytest.mark.parametrize("cuts", [[1, 2, 3], [4, 4, 9], list(range(1, 13))])
@pytest.mark.parametrize("params", [{}, {"adjust": False}, {"ignore_na": True, "bias": True}])
def test_k14_any_chunks_give_the_same_bits(cuts: list[int], params: dict[str, object]) -> None:
    for current in (True, False):
        method = EwmZScore(alpha=0.3, include_current=current, **params)
        whole, parts = method.apply_to(x=STREAM), in_chunks(method, STREAM, cuts)
        for name in ("y", "loc", "scale"):
            joined = np.concatenate([part[name] for part in parts])
            assert joined.tobytes() == whole[name].tobytes()
        for name, carried in whole["state"].items():
            np.testing.assert_array_equal(parts[-1]["state"][name], carried)


@pytest.mark.parametrize("cls", [EwmZScore, RollingZScore, Difference, ExpandingZScore])
def test_k14_blocks_of_windows_change_no_bit(cls, monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.random.default_rng(7).normal(size=(7, 9, 2))
    x[x > 1] = NAN
    needed = {EwmZScore: {"alpha": 0.3}, RollingZScore: {"window": 3}}.get(cls, {})
    method = cls(**needed)
    whole = method.apply_to(x=x, explain=True)
    monkeypatch.setattr("normalizers.series.base.steps.BLOCK", 40)
    parts = method.apply_to(x=x, explain=True)
    assert parts["y"].tobytes() == whole["y"].tobytes()
    assert parts.explain == whole.explain
    assert {k: v.tolist() for k, v in parts.flags.items()} == {
        k: v.tolist() for k, v in whole.flags.items()
    }
    for name, carried in whole["state"].items():
        np.testing.assert_array_equal(parts["state"][name], carried)


def test_river_981_polars_4301_no_variance_is_negative_or_lost_beside_an_offset() -> None:
    x = 1e8 + np.arange(5.0)
    answer = EwmZScore(alpha=0.3, adjust=False, bias=True).apply_to(x=x)
    mean = variance = 0.0
    for step, value in enumerate(np.arange(5.0)):
        variance = 0.7 * (variance + 0.3 * (value - mean) ** 2) if step else 0.0
        mean = mean + 0.3 * (value - mean) if step else value
    assert answer["scale"][-1] == pytest.approx(np.sqrt(variance), rel=1e-7)
    assert answer["y"][-1] == pytest.approx((4 - mean) / np.sqrt(variance), rel=1e-7)


@pytest.mark.parametrize("spike", [1e9, 1e200, -1e300])
def test_a_spike_is_forgotten(spike: float) -> None:
    rng = np.random.default_rng(8)
    tail = rng.normal(size=6000)
    method = EwmZScore(alpha=0.3)
    seen = method.transform(np.concatenate([[spike], tail]))[1:]
    np.testing.assert_allclose(seen[-500:], method.transform(tail)[-500:], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("size", [1e-200, 1e-300, 1e200, 1e300])
def test_sizes_whose_squares_leave_the_range(size: float) -> None:
    x = np.array([1.0, 5.0, 2.0, 8.0, 3.0])
    method = EwmZScore(alpha=0.3)
    np.testing.assert_allclose(method.transform(x * size), method.transform(x), rtol=1e-10)
    parts = in_chunks(method, x * size, [1, 3])
    joined = np.concatenate([part["y"] for part in parts])
    assert joined.tobytes() == method.transform(x * size).tobytes()


def test_a_constant_is_exactly_zero_and_a_value_that_stays_tends_to_it() -> None:
    answer = EwmZScore(alpha=0.3).apply_to(x=[0.1] * 7)
    assert answer["y"][1:].tolist() == [0.0] * 6
    assert answer.flags["constant"].tolist() == [[0, 0]]
    stays = EwmZScore(alpha=0.3).transform([1.0] + [5.0] * 400)
    assert stays[-1] == 0.0
    assert np.abs(stays[50:]).max() < 1e-2


def test_one_value_alone_has_no_unbiased_deviation() -> None:
    answer = EwmZScore(alpha=0.3).apply_to(x=[4.0, NAN, 5.0])
    assert np.isnan(answer["y"]).tolist() == [True, True, False]
    assert answer.flags["insufficient"].tolist() == [[0, 0]]
    assert EwmZScore(alpha=0.3, bias=True).transform([4.0]).tolist() == [0.0]
    assert EwmZScore(alpha=1.0, bias=True).transform([4.0, 6.0]).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"variance": [[-1.0]]}, "input.state.variance[0][0]"),
        ({"n": [[-1.0]]}, "input.state.n[0][0]"),
        ({"n": [[1.5]]}, "input.state.n[0][0]"),
        ({"evenness": [[1.5]]}, "input.state.evenness[0][0]"),
        ({"weight": [[-0.5]]}, "input.state.weight[0][0]"),
        ({"lowest": [[9.0]]}, "input.state.lowest"),
        ({"mean": [[50.0]]}, "input.state.mean"),
        ({"mean": [1.0]}, "input.state.mean"),
    ],
)
def test_k14_a_method_checks_its_own_numbers(changed: dict[str, object], path: str) -> None:
    method = EwmZScore(alpha=0.3)
    state = method.apply_to(x=[1.0, 2.0, 4.0])["state"]
    with pytest.raises((errors.InvalidInput, errors.IncompatibleState)) as caught:
        method.apply_to(x=[1.0], state={**state, **changed})
    assert caught.value.path == path


def test_a_state_is_bound_to_the_weights() -> None:
    state = EwmZScore(alpha=0.3).apply_to(x=[1.0, 2.0])["state"]
    assert EwmZScore(alpha=0.3, bias=True).apply_to(x=[1.0], state=state)["state"]["step"] == 3
    for params in (
        {"alpha": 0.4},
        {"alpha": 0.3, "adjust": False},
        {"alpha": 0.3, "ignore_na": True},
    ):
        with pytest.raises(errors.IncompatibleState, match="another alpha, adjust, ignore_na"):
            EwmZScore(**params).apply_to(x=[1.0], state=state)


def test_rows_come_back() -> None:
    method = EwmZScore(alpha=0.3)
    answer = method.apply_to(x=STREAM)
    back = method.inverse_transform(answer["y"], loc=answer["loc"], scale=answer["scale"])
    kept = ~np.isnan(answer["y"])
    np.testing.assert_allclose(back[kept], STREAM[kept], rtol=1e-12)
