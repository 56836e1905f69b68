"""Differences, log returns and relative changes, and the way on from their state."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Difference, LogReturn, PctChange, errors
from tests.unit.series.causal.samples import NAN, STREAM, in_chunks

METHODS = [Difference, LogReturn, PctChange]


@pytest.mark.parametrize("cls", METHODS)
@pytest.mark.parametrize("lag", [1, 2, 5, 20])
def test_k14_any_chunks_give_the_same_bits(cls: type[Difference], lag: int) -> None:
    method = cls(lag=lag)
    whole = method.apply_to(x=STREAM)
    for cuts in ([1, 2, 3], [4, 4, 9], list(range(1, 13))):
        parts = in_chunks(method, STREAM, cuts)
        assert np.concatenate([part["y"] for part in parts]).tobytes() == whole["y"].tobytes()
        np.testing.assert_array_equal(parts[-1]["state"]["rows"], whole["state"]["rows"])


@pytest.mark.parametrize("cls", METHODS)
@pytest.mark.parametrize("lag", [1, 3])
def test_what_follows_comes_back_in_any_chunks(cls: type[Difference], lag: int) -> None:
    x = np.random.default_rng(0).random((2, 12, 3)) + 1
    method = cls(lag=lag)
    state = method.apply_to(x=x[:, :5])["state"]
    y = method.apply_to(x=x[:, 5:], state=state)["y"]
    back = method.version_.inverse({"y": y, "state": state})
    np.testing.assert_allclose(back["x"], x[:, 5:], rtol=1e-12)
    first = method.version_.inverse({"y": y[:, :4], "state": state})
    then = method.version_.inverse({"y": y[:, 4:], "state": first["state"]})
    np.testing.assert_allclose(then["x"], x[:, 9:], rtol=1e-12)
    assert then["state"]["step"] == 12


def test_a_lag_beyond_the_rows_makes_nothing_of_its_size() -> None:
    x = np.ones((5000, 2, 1))
    method = Difference(lag=1_000_000)
    answer = method.apply_to(x=x)
    assert np.isnan(answer["y"]).all()
    assert answer["state"]["rows"].shape == (5000, 2, 1)
    back = method.version_.inverse({"y": x, "state": answer["state"]})
    assert np.isnan(back["x"]).all()


def test_nothing_is_filled_with_zeros() -> None:
    answer = Difference(lag=2).apply_to(x=[1.0, 2.0, 4.0, NAN, 9.0])
    assert answer["y"].tolist() == pytest.approx([NAN, NAN, 3.0, NAN, 5.0], nan_ok=True)
    assert answer.flags["insufficient"].tolist() == [[0, 0]]
    assert np.isnan(Difference().transform([1.0, NAN, 4.0, 6.0])).tolist() == [
        True,
        True,
        True,
        False,
    ]
    later = Difference().apply_to(x=[7.0], state=Difference().apply_to(x=[4.0])["state"])
    assert later["y"].tolist() == [3.0]
    assert "insufficient" not in later.flags


def test_masked_values_are_no_values() -> None:
    answer = Difference().apply_to(x=[1.0, 100.0, 4.0, 6.0], mask=[1, 0, 1, 1])
    assert answer["y"].tolist() == pytest.approx([NAN, NAN, NAN, 2.0], nan_ok=True)
    shown = Difference(masked_output="transform").apply_to(x=[1.0, 100.0, 4.0], mask=[1, 0, 1])
    assert shown["y"].tolist() == pytest.approx([NAN, 99.0, NAN], nan_ok=True)


def test_changes_that_follow_nothing_are_refused() -> None:
    with pytest.raises(errors.InvalidInput, match="go on from values") as caught:
        Difference().inverse_transform([1.0, 2.0])
    assert caught.value.path == "input.state"
    state = Difference().apply_to(x=[1.0, 2.0])["state"]
    with pytest.raises(errors.InvalidInput, match="quantiles"):
        Difference().version_.inverse({"y": [1.0], "state": state, "quantiles": [[[[1.0]]]]})
    with pytest.raises(errors.IncompatibleState):
        Difference(lag=2).version_.inverse({"y": [1.0], "state": state})


def test_a_forecast_after_a_missing_tail_is_missing() -> None:
    state = Difference().apply_to(x=[1.0, NAN])["state"]
    back = Difference().inverse_transform([1.0, 2.0], state=state)
    assert np.isnan(back).all()


def test_series_of_unequal_length_go_on_each_from_its_own() -> None:
    method = Difference(lag=2)
    state = method.apply_to(x=[[1.0], [1.0, 2.0, 4.0]], layout="ragged")["state"]
    assert state["rows"].shape == (2, 2, 1)
    answer = method.apply_to(x=[[5.0, 6.0], [9.0]], layout="ragged", state=state)
    assert answer["y"][0].tolist() == pytest.approx([NAN, 5.0], nan_ok=True)
    assert answer["y"][1].tolist() == [7.0]
    y, offsets = [1.0, 1.0, 1.0, 1.0], [0, 1, 4]
    back = method.version_.inverse({"y": y, "offsets": offsets, "state": answer["state"]})
    assert [part.tolist() for part in back["x"]] == [[6.0], [5.0, 10.0, 6.0]]


def test_returns_are_those_of_positive_values() -> None:
    answer = LogReturn().apply_to(x=[1.0, -2.0, 0.0, 3.0, 6.0])
    assert answer["y"].tolist() == pytest.approx([NAN] * 4 + [np.log(2)], nan_ok=True)
    assert answer.flags["out_of_range"].tolist() == [[0, 0]]


def test_pandas_a_change_from_zero_is_missing_and_flagged() -> None:
    answer = PctChange().apply_to(x=[0.0, 0.0, 5.0, 10.0])
    assert answer["y"].tolist() == pytest.approx([NAN, NAN, NAN, 1.0], nan_ok=True)
    assert answer.flags["zero_denominator"].tolist() == [[0, 0]]
    with pytest.raises(errors.InvalidInput, match="from 0"):
        PctChange(zero_denominator="error").transform([0.0, 1.0])


def test_constants_change_by_nothing() -> None:
    for cls in METHODS:
        assert cls().transform([0.1] * 4)[1:].tolist() == [0.0] * 3
