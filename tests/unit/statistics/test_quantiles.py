import numpy as np
import pytest

from normalizers.errors import FitError, IncompatibleStatistics, InvalidInput, ShapeError
from normalizers.statistics import Quantiles


def test_quantiles_agree_with_numpy_and_ignore_missing_values():
    x = np.random.default_rng(5).integers(0, 50, size=(400, 2)).astype(float)
    x[3, 1] = np.nan
    quantiles = Quantiles().update(x[:100]).update(x[100:])
    p = np.array([0.0, 0.013, 0.5, 0.77, 1.0])
    np.testing.assert_array_equal(quantiles.quantile(p), np.nanquantile(x, p, axis=0))
    assert quantiles.quantile(0.5).shape == (2,)
    assert quantiles.observed.tolist() == [400, 399]


@pytest.mark.parametrize(
    "kind, expected",
    [
        ("strict", [0.0, 0.25]),
        ("weak", [0.25, 1.0]),
        ("mean", [0.125, 0.625]),
        ("rank", [0.25, 0.75]),
    ],
)
def test_share_below_by_kind(kind, expected):
    quantiles = Quantiles().update(np.array([[1.0], [2.0], [2.0], [2.0]]))
    assert quantiles.share_below(np.array([1.0, 2.0]), kind).tolist() == expected
    assert quantiles.share_below(np.array([[2.0]]), kind).shape == (1, 1)


def test_values_outside_the_fit_are_told_apart():
    quantiles = Quantiles().update(np.array([[1.0], [2.0]]))
    x = np.array([0.0, 1.0, 2.0, 3.0, np.nan])
    assert quantiles.outside(x).tolist() == [True, False, False, True, False]
    shares = quantiles.share_below(x)
    assert shares[:4].tolist() == [0.0, 0.25, 0.75, 1.0]
    assert np.isnan(shares[4])


def test_zeros_are_one_value_and_float32_is_widened_exactly():
    quantiles = Quantiles().update(np.array([[-0.0], [0.0], [0.1]], dtype=np.float32))
    values, counts = quantiles.column(0)
    assert values.tolist() == [0.0, float(np.float32(0.1))]
    assert not np.signbit(values[0])
    assert counts.tolist() == [2, 1]


def test_ranks_beyond_the_limit_are_within_the_stated_error():
    x = np.random.default_rng(3).lognormal(size=(20_000, 1))
    sketch = Quantiles(200)
    for part in np.array_split(x, 8):
        sketch = sketch.merge(Quantiles(200).update(part))
    exact = Quantiles().update(x)
    assert len(sketch.values) <= 200
    assert 0 < sketch.rank_error[0] < 0.03 * 20_000
    asked = np.concatenate([x[:500, 0], [0.0, 1e9]])
    bound = sketch.rank_error[0] / sketch.n
    for kind in ("strict", "weak", "mean"):
        off = np.abs(sketch.share_below(asked, kind) - exact.share_below(asked, kind))
        assert off.max() <= bound
    assert sketch.ends() == exact.ends()
    assert sketch.summary()["rank_error"] == sketch.rank_error.tolist()


def test_the_default_limit_is_finer_than_random_sketches():
    # On 2 million values KLL with k = 1000 is off by 2.6e-4 of them.
    parts = np.random.default_rng(4).lognormal(size=(2, 1_000_000, 1))
    sketch = Quantiles().update(parts[0]).update(parts[1])
    assert 0 < sketch.rank_error[0] / sketch.n < 1e-5


def test_columns_are_sketched_one_by_one():
    x = np.column_stack([np.arange(50.0), np.arange(50.0) % 3])
    sketch = Quantiles(10).update(x)
    assert sketch.rank_error[0] > 0
    assert sketch.rank_error[1] == 0
    assert sketch.column(1)[1].tolist() == [17, 17, 16]


def test_frequent_values_stay_and_keep_their_counts():
    x = np.concatenate([np.full(10_000, 5.0), np.arange(100) / 10])[:, None]
    values, counts = Quantiles(20).update(x).column(0)
    assert counts[values == 5.0][0] >= 10_000


@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_the_smallest_limits_keep_both_ends(limit):
    sketch = Quantiles(limit).update(np.arange(1000.0)[:, None])
    assert len(sketch.values) <= max(limit, 3)
    assert [sketch.values[0], sketch.values[-1]] == [0.0, 999.0]
    assert sketch.counts.sum() == 1000
    assert sketch.rank_error[0] <= 1000


def test_posted_values_beyond_the_limit_are_sketched():
    members = Quantiles().update(np.arange(100.0)[:, None]).to_arrays()
    sketch = Quantiles(10).from_arrays(members, "s")
    assert len(sketch.values) <= 10
    assert sketch.n == 100


def test_other_limits_do_not_merge():
    one, other = (Quantiles(limit).update(np.array([[1.0]])) for limit in (5, 6))
    with pytest.raises(IncompatibleStatistics, match="exact_limit is 5 here and 6 there"):
        one.merge(other)


def test_members_round_trip():
    quantiles = Quantiles().update(np.array([[1.0, np.nan], [2.0, np.nan], [1.0, np.nan]]))
    members = quantiles.to_arrays()
    assert members["offsets"].tolist() == [0, 2, 2]
    again = Quantiles().from_arrays({k: v.tolist() for k, v in members.items()}, "s")
    assert again.to_arrays()["counts"].tolist() == [2, 1]
    assert again.constant.tolist() == [False, False]
    assert again.summary()["min"] == [1.0, None]


def test_a_curve_fits_but_does_not_merge():
    curve = Quantiles().from_arrays({"p": [0.0, 0.5, 0.75, 1.0], "v": [0.0, 1.0, 1.0, 3.0]}, "s")
    x = np.array([-1.0, 0.5, 1.0, 2.0, 9.0])
    assert curve.share_below(x, "strict").tolist() == [0.0, 0.25, 0.5, 0.875, 1.0]
    assert curve.share_below(x, "weak").tolist() == [0.0, 0.25, 0.75, 0.875, 1.0]
    assert curve.share_below(x, "mean").tolist() == [0.0, 0.25, 0.625, 0.875, 1.0]
    assert curve.quantile(np.array([0.25, 0.6])).tolist() == [[0.5], [1.0]]
    assert curve.outside(x).tolist() == [True, False, False, False, True]
    assert sorted(curve.to_arrays()) == ["p", "v"]
    assert not curve.is_empty
    with pytest.raises(FitError, match="needs the 'n'"):
        curve.share_below(x, "rank")
    with pytest.raises(IncompatibleStatistics):
        curve.merge(Quantiles().update(np.array([[1.0]])))


def test_a_curve_with_n_gives_mean_ranks():
    curve = Quantiles().from_arrays({"n": 10, "p": [0.0, 1.0], "v": [0.0, 1.0]}, "s")
    assert curve.share_below(np.array([0.0, 0.5]), "rank").tolist() == [0.05, 0.5]


EXACT = {"n": [2], "offsets": [0, 2], "values": [1.0, 2.0], "counts": [1, 1]}


@pytest.mark.parametrize(
    "change, message, path",
    [
        ({"values": [2.0, 1.0]}, "do not ascend", "s.values[0]"),
        ({"values": [1.0, 1.0]}, "do not ascend", "s.values[0]"),
        ({"counts": [0, 2]}, "below 1", "s.counts[0]"),
        ({"n": [3]}, "not the sum", "s.n[0]"),
        ({"rank_error": [-1.0]}, "rank error", "s.rank_error[0]"),
        ({"offsets": [0, 3]}, "offsets", "s.offsets"),
        ({"offsets": [0, 2, 1, 2], "n": [2, 0, 0]}, "descend", "s.offsets[1]"),
        ({"value": [1.0]}, "did you mean 'values'", "s.value"),
    ],
)
def test_wrong_members_are_refused(change, message, path):
    with pytest.raises(InvalidInput, match=message) as caught:
        Quantiles().from_arrays({**EXACT, **change}, "s")
    assert caught.value.path == path


@pytest.mark.parametrize(
    "members, message",
    [
        ({"p": [0.0, 2.0], "v": [0.0, 1.0]}, "within 0..1"),
        ({"n": 3, "p": [], "v": []}, "at least one probability"),
        ({"p": [0.5, 0.5], "v": [0.0, 1.0]}, "do not ascend"),
        ({"p": [0.0, 1.0], "v": [1.0, 0.0]}, "descend"),
        ({"p": [0.0, 1.0], "v": [1.0]}, "shape"),
        ({"p": [0.0, 1.0], "v": [1.0, 2.0], "n": 0}, "at least 1"),
    ],
)
def test_wrong_curves_are_refused(members, message):
    with pytest.raises(InvalidInput, match=message):
        Quantiles().from_arrays(members, "s")


def test_another_number_of_columns_is_refused():
    with pytest.raises(ShapeError):
        Quantiles().update(np.array([[1.0, 2.0]])).share_below(np.array([1.0]))
