import numpy as np

from normalizers.kernels.likelihood import bounded_root, softplus


def test_softplus_does_not_overflow():
    assert softplus(np.array([-800.0, 0.0, 800.0])).tolist() == [0.0, np.log(2.0), 800.0]


def test_roots_are_found_within_the_bounds_and_at_them():
    wanted = np.array([-1e9, -3.0, 0.1, 2.5, 1e9])
    ends = np.full(5, 10.0)
    found = bounded_root(lambda x: x - wanted, -ends, ends)
    assert found.tolist() == [-10.0, -3.0, 0.1, 2.5, 10.0]
