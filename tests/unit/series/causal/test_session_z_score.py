"""Z-scores by the sessions before."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import SessionZScore, errors

NAN = float("nan")
X = np.array([1.0, 3.0, 4.0, 2.0, NAN, 9.0, 5.0, 5.0, 6.0])
DAYS = ["mon", "mon", "tue", "tue", "tue", "wed", "thu", "thu", "thu"]


@pytest.mark.parametrize("cuts", [[1, 2, 3], [2, 5], [4, 4, 7], list(range(1, 9))])
def test_k14_any_chunks_give_the_same_bits(cuts: list[int]) -> None:
    method = SessionZScore(n_sessions=2, min_sessions=1)
    whole = method.apply_to(x=X, sessions=DAYS)
    parts, state = [], {}
    for start, stop in zip([0, *cuts], [*cuts, 9], strict=True):
        parts.append(method.apply_to(x=X[start:stop], sessions=DAYS[start:stop], **state))
        state = {"state": parts[-1]["state"]}
    for name in ("y", "loc", "scale"):
        assert np.concatenate([part[name] for part in parts]).tobytes() == whole[name].tobytes()
    for name, carried in whole["state"].items():
        np.testing.assert_array_equal(parts[-1]["state"][name], carried)


def test_the_sessions_before_are_pooled() -> None:
    answer = SessionZScore(n_sessions=2).apply_to(x=X, sessions=DAYS)
    assert np.isnan(answer["y"][:5]).all()
    pool = np.array([1.0, 3.0, 4.0, 2.0])
    assert answer["loc"][5] == pytest.approx(pool.mean())
    assert answer["scale"][5] == pytest.approx(pool.std())
    later = np.array([4.0, 2.0, 9.0])
    assert answer["scale"][6:].tolist() == pytest.approx([later.std()] * 3)
    assert answer.flags["insufficient"].tolist() == [[0, 0]]


@pytest.mark.parametrize("size", [1e-300, 1e-200, 1e200, 1e300])
def test_sessions_of_any_size(size: float) -> None:
    method = SessionZScore(n_sessions=2, min_sessions=1)
    expected = method.transform(X, sessions=DAYS)
    np.testing.assert_allclose(
        method.transform(X * size, sessions=DAYS), expected, rtol=1e-9, atol=1e-12
    )


def test_constant_sessions_give_the_difference_and_are_flagged() -> None:
    answer = SessionZScore(n_sessions=1).apply_to(x=[0.1] * 3 + [0.1], sessions=["a"] * 3 + ["b"])
    assert answer["y"][3] == 0.0
    assert answer.flags["constant"].tolist() == [[0, 0]]


def test_instruments_are_windows_of_their_own_and_share_the_days() -> None:
    x = np.stack([X, 2 * X + 1])[:, :, None]
    method = SessionZScore(n_sessions=1)
    together = method.transform(x, sessions=DAYS)
    for window in range(2):
        alone = method.transform(x[window, :, 0], sessions=DAYS)
        assert together[window, :, 0].tobytes() == alone.tobytes()


def test_ragged_series_have_sessions_of_their_own() -> None:
    method = SessionZScore(n_sessions=1)
    first = method.apply_to(x=[[1.0, 3.0], [5.0]], sessions=["a", "a", "b"], layout="ragged")
    then = method.apply_to(
        x=[[4.0], [7.0]], sessions=["b", "b"], layout="ragged", state=first["state"]
    )
    assert then["y"][0].tolist() == [2.0]
    assert np.isnan(then["y"][1]).all()
    with pytest.raises(errors.ShapeError, match="2 sessions"):
        method.transform([[1.0, 2.0], [3.0]], sessions=["a", "b"], layout="ragged")


@pytest.mark.parametrize(
    ("params", "fields"),
    [
        ({}, {"sessions": ["a", "a"]}),
        ({"n_sessions": 1, "min_sessions": 2}, {"sessions": ["a", "a"]}),
        ({"n_sessions": 1}, {}),
        ({"n_sessions": 1}, {"sessions": ["a"]}),
    ],
)
def test_what_is_refused(params: dict[str, object], fields: dict[str, object]) -> None:
    with pytest.raises((errors.InvalidParams, errors.InvalidInput)):
        SessionZScore(**params).apply_to(x=[1.0, 2.0], **fields)
