import numpy as np
import pytest
from scipy.stats import percentileofscore

from normalizers.errors import InvalidParams
from normalizers.kernels import ecdf

SAMPLE = np.array([1.0, 2.0, 2.0, 2.0, 5.0, 7.0, 7.0])
VALUES, COUNTS = np.unique(SAMPLE, return_counts=True)


@pytest.mark.parametrize("kind", ["strict", "weak", "mean", "rank"])
def test_shares_agree_with_scipy(kind):
    x = np.array([0.0, 1.0, 2.0, 3.0, 7.0, 8.0])
    expected = percentileofscore(SAMPLE, x, kind) / 100
    if kind == "rank":
        absent = ~np.isin(x, SAMPLE)
        expected[absent] = percentileofscore(SAMPLE, x[absent], "strict") / 100
    np.testing.assert_allclose(ecdf.share_below(VALUES, COUNTS, x, kind), expected, rtol=1e-15)


def test_quantiles_agree_with_numpy_bit_for_bit():
    rng = np.random.default_rng(4)
    p = rng.random(50)
    for size in (1, 2, 37):
        sample = rng.normal(size=size)
        values, counts = np.unique(sample, return_counts=True)
        assert ecdf.quantile(values, counts, p).tolist() == np.quantile(sample, p).tolist()


def test_quantiles_at_the_largest_sizes():
    ends = np.array([-1.7e308, 1.7e308])
    assert ecdf.quantile(ends, np.array([1, 1]), np.array([0.5])).tolist() == [0.0]


def test_an_empty_sample_gives_missing_values():
    empty = np.array([])
    assert np.isnan(ecdf.share_below(empty, empty, np.array([1.0]))).all()
    assert np.isnan(ecdf.quantile(empty, empty, np.array([0.5]))).all()


def test_an_unknown_kind_is_refused():
    with pytest.raises(InvalidParams, match="did you mean 'strict'"):
        ecdf.share_below(VALUES, COUNTS, SAMPLE, "strickt")


def test_a_curve_has_the_end_probability_beyond_its_ends():
    p, v = np.array([0.1, 0.9]), np.array([0.0, 8.0])
    shares = ecdf.curve_share(p, v, np.array([-1.0, 0.0, 4.0, 8.0, 9.0, np.nan]))
    np.testing.assert_allclose(shares, [0.1, 0.1, 0.5, 0.9, 0.9, np.nan])
    assert ecdf.curve_quantile(p, v, np.array([0.0, 0.1, 0.5, 1.0])).tolist() == [0, 0, 4.0, 8.0]


def test_rank_on_a_curve_adds_half_a_step_at_a_stored_value_only():
    p, v = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    assert ecdf.curve_share(p, v, np.array([0.0, 0.5]), "rank", 5).tolist() == [0.1, 0.5]
