import numpy as np
import pytest

from normalizers.data.ragged import Ragged
from normalizers.kernels import segments

LISTS = Ragged.of([[], [3.0, 1.0], [], [5.0], []])


def test_reductions_handle_empty_lists():
    assert segments.counts(LISTS).tolist() == [0, 2, 0, 1, 0]
    assert segments.sums(LISTS).tolist() == [0.0, 4.0, 0.0, 5.0, 0.0]
    np.testing.assert_array_equal(segments.minima(LISTS), [np.nan, 1.0, np.nan, 5.0, np.nan])
    np.testing.assert_array_equal(segments.maxima(LISTS), [np.nan, 3.0, np.nan, 5.0, np.nan])
    assert segments.constant(LISTS).tolist() == [False, False, False, True, False]
    assert segments.sums(Ragged.of([])).tolist() == []
    assert segments.sums(Ragged.of([[], []])).tolist() == [0.0, 0.0]


def test_a_mask_leaves_values_out():
    observed = np.array([True, False, False])
    assert segments.counts(LISTS, observed).tolist() == [0, 1, 0, 0, 0]
    assert segments.sums(LISTS, observed).tolist() == [0.0, 3.0, 0.0, 0.0, 0.0]
    moments = segments.centred_moments(LISTS, observed)
    assert moments.n.tolist() == [0, 1, 0, 0, 0]
    assert moments.mean.tolist()[1] == 3.0


@pytest.mark.parametrize("size", [1e-300, 1e-5, 1.0, 1e5, 1e300])
def test_centred_moments_at_any_size(size):
    moments = segments.centred_moments(Ragged.of([np.array([1.0, 2.0, 4.5]) * size, [size] * 3]))
    np.testing.assert_allclose(moments.mean, [2.5 * size, size], rtol=1e-15)
    np.testing.assert_allclose(moments.std(1), [np.std([1, 2, 4.5], ddof=1) * size, 0], rtol=1e-14)
    assert moments.m2[1] == 0.0
    assert moments.mean[1] == size


def test_a_large_offset_costs_no_digits():
    moments = segments.centred_moments(Ragged.of([np.array([4.0, 7.0, 13.0, 16.0]) + 1e9]))
    np.testing.assert_allclose(moments.std(1) ** 2, [30.0], rtol=1e-12)


def test_std_is_undefined_for_too_few_values():
    std = segments.centred_moments(Ragged.of([[], [1.0], [1.0, 3.0]])).std(ddof=1)
    assert np.isnan(std).tolist() == [True, True, False]


def test_a_lists_numbers_do_not_depend_on_its_neighbours():
    rng = np.random.default_rng(1)
    parts = [rng.normal(size=size) for size in (7, 130, 1, 1000, 33)]
    together = segments.centred_moments(Ragged.of(parts))
    for index, part in enumerate(parts):
        alone = segments.centred_moments(Ragged.of([part]))
        assert alone.mean[0] == together.mean[index]
        assert alone.m2[0] == together.m2[index]


def test_spread_gives_every_value_its_lists_entry():
    assert segments.broadcast(np.arange(5), LISTS).tolist() == [1, 1, 3]
