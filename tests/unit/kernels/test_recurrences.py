import numpy as np
import pytest

from normalizers.kernels.recurrences import linear_recurrence, shifted


def test_a_recurrence_agrees_with_one_step_at_a_time():
    rng = np.random.default_rng(0)
    factors, added, start = rng.random((3, 50)), rng.normal(size=(3, 50)), rng.normal(size=3)
    expected = start
    found = linear_recurrence(factors, added, start)
    for step in range(50):
        expected = factors[:, step] * expected + added[:, step]
        np.testing.assert_allclose(found[:, step], expected, rtol=1e-12)


@pytest.mark.parametrize("size", [1, 3, 17])
def test_going_on_gives_the_bits_of_going_through(size):
    rng = np.random.default_rng(1)
    factors, added = rng.random((2, 60)), rng.normal(size=(2, 60))
    start = rng.normal(size=2)
    whole = linear_recurrence(factors, added, start)
    for first in range(0, 60, size):
        part = slice(first, first + size)
        found = linear_recurrence(factors[:, part], added[:, part], start)
        assert found.tobytes() == np.ascontiguousarray(whole[:, part]).tobytes()
        start = found[:, -1]


def test_a_series_does_not_see_its_neighbours():
    rng = np.random.default_rng(2)
    factors, added, start = rng.random((4, 9)), rng.normal(size=(4, 9)), rng.normal(size=4)
    whole = linear_recurrence(factors, added, start)
    for row in range(4):
        one = slice(row, row + 1)
        alone = linear_recurrence(factors[one], added[one], start[one])
        assert alone.tobytes() == whole[one].tobytes()


@pytest.mark.parametrize("shape", [(0, 5), (2, 0), (0, 0)])
def test_nothing_to_go_along(shape):
    found = linear_recurrence(np.zeros(shape), np.zeros(shape), np.zeros(shape[0]))
    assert found.shape == shape


def test_what_stood_one_step_before():
    assert shifted(np.array([[1.0, 2.0]]), np.array([9.0])).tolist() == [[9.0, 1.0]]
    assert shifted(np.empty((1, 0)), np.array([9.0])).shape == (1, 0)
