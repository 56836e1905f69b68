import numpy as np
import pytest

from normalizers.data.arrays import string_array
from normalizers.errors import InvalidInput, NonFiniteError, UnsupportedOperation
from normalizers.statistics import Grouped, Knots

X = np.array([2.0, 1.0, 2.0, -0.0, 0.0, 2.0])
Y = np.array([1.0, 0.0, 0.0, 1.0, 1.0, 1.0])


def test_every_distinct_x_has_its_mean_and_spread():
    knots = Knots().update(X, Y)
    assert knots.x.tolist() == [0.0, 1.0, 2.0]
    assert knots.counts.tolist() == [2, 1, 3]
    assert knots.weight.tolist() == [2.0, 1.0, 3.0]
    assert knots.mean.tolist() == [1.0, 0.0, 2 / 3]
    np.testing.assert_allclose(knots.m2, [0.0, 0.0, 2 / 3], rtol=1e-15)
    assert knots.summary() == {"n": 6, "knots": 3, "range": [0.0, 2.0]}


def test_weights_are_those_of_repeated_rows():
    times = np.array([1, 3, 2, 1, 4, 2])
    weighted = Knots().update(X, Y, times.astype(float))
    repeated = Knots().update(np.repeat(X, times), np.repeat(Y, times))
    for name in ("x", "weight", "mean", "m2"):
        np.testing.assert_allclose(
            weighted.to_arrays()[name], repeated.to_arrays()[name], rtol=1e-14
        )
    assert weighted.n == 6


def test_the_order_of_rows_and_parts_leaves_the_bits_alone():
    rng = np.random.default_rng(0)
    x, y, w = np.round(rng.normal(size=(3, 200)), 1)
    order = rng.permutation(200)
    one, other = (
        Knots().update(x[rows], y[rows], abs(w[rows])) for rows in (order, np.arange(200))
    )
    left, right = Knots().update(x[:90], y[:90]), Knots().update(x[90:], y[90:])
    for pair in ((one, other), (left.merge(right), right.merge(left))):
        mine, theirs = (part.to_arrays() for part in pair)
        assert all(mine[name].tolist() == theirs[name].tolist() for name in mine)


def test_missing_values_and_weights_of_nothing_are_no_rows():
    knots = Knots().update(
        np.array([1.0, np.nan, 1.0, 1.0]),
        np.array([np.nan, 1.0, 1.0, 5.0]),
        np.array([1.0, 1.0, 1.0, 0.0]),
    )
    assert (knots.n, knots.mean.tolist()) == (1, [1.0])
    assert Knots().update(np.array([np.nan]), np.array([1.0])).to_arrays() == {}


def test_pairs_with_counts_are_another_form():
    posted = Knots().from_arrays(
        {"x": [2.0, 1.0, 2.0], "y": [1.0, 0.0, 0.0], "counts": [3, 5, 0]}, "s"
    )
    assert posted.counts.tolist() == [5, 3]
    assert posted.mean.tolist() == [0.0, 1.0]


def test_groups_have_knots_of_their_own():
    grouped = Grouped(Knots()).update(string_array(["b", "a", "b", "a", "a", "b"]), X, Y)
    members = grouped.to_arrays()
    assert members["offsets"].tolist() == [0, 2, 3]
    again = Grouped(Knots()).from_arrays({k: v.tolist() for k, v in members.items()}, "s")
    assert again["a"].x.tolist() == [0.0, 1.0]


def test_rows_cannot_be_subtracted():
    knots = Knots().update(X, Y)
    with pytest.raises(UnsupportedOperation):
        knots.minus(knots)


KNOWN = {"x": [1.0, 2.0], "n": [1, 2], "weight": [1.0, 2.0], "mean": [0.0, 0.5], "m2": [0.0, 0.5]}


@pytest.mark.parametrize(
    "change, path",
    [
        ({"x": [2.0, 1.0]}, "s.x[0]"),
        ({"n": [0, 2]}, "s.n[0]"),
        ({"weight": [0.0, 2.0]}, "s.weight[0]"),
        ({"weight": [1.0, 1e308]}, "s.weight[1]"),
        ({"m2": [0.0, 1e300]}, "s.m2[1]"),
        ({"m2": [-1.0, 0.5]}, "s.m2[0]"),
        ({"m2": [0.5, 0.5]}, "s.m2[0]"),
        ({"mean": [0.0, None]}, "s.mean[1]"),
        ({"mean": [0.0, 1e200]}, "s.mean[1]"),
        ({"mean": [0.0]}, "s.mean"),
        ({"means": [0.0]}, "s.means"),
    ],
)
def test_wrong_members_are_refused(change, path):
    with pytest.raises(InvalidInput) as caught:
        Knots().from_arrays({**KNOWN, **change}, "s")
    assert caught.value.path == path


def test_wrong_rows_are_refused():
    one = np.array([1.0])
    with pytest.raises(NonFiniteError):
        Knots().update(np.array([np.inf]), one)
    with pytest.raises(InvalidInput, match="negative"):
        Knots().update(one, one, -one)
