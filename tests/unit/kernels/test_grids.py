"""Grids from integers: every point is there, and is the nearest float of its share."""

from __future__ import annotations

from fractions import Fraction

import pytest

from normalizers.kernels.grids import multiples, parts_of_one, simplex, simplex_size


@pytest.mark.parametrize(("parts", "points"), [(1, 1), (2, 11), (3, 66), (4, 286)])
def test_every_tuple_is_there_once_in_ascending_order(parts: int, points: int) -> None:
    tuples = [tuple(row) for row in simplex(10, parts).tolist()]
    assert len(tuples) == len(set(tuples)) == simplex_size(10, parts) == points
    assert tuples == sorted(tuples)
    assert all(sum(row) == 10 and min(row) >= 0 for row in tuples)


@pytest.mark.parametrize(
    ("step", "parts"), [(1.0, 1), (0.5, 2), (0.1, 10), (0.05, 20), (0.01, 100), (1 / 3, 3)]
)
def test_steps_that_divide_one(step: float, parts: int) -> None:
    assert parts_of_one(step) == parts


@pytest.mark.parametrize("step", [0.3, 0.15, 2.0, 0.1 + 1e-9])
def test_steps_that_do_not(step: float) -> None:
    assert parts_of_one(step) is None


def test_multiples_are_rounded_once() -> None:
    found = multiples(0.01, 0.01, 0.99)
    assert found is not None
    assert found.tolist() == [float(Fraction(i, 100)) for i in range(1, 100)]


@pytest.mark.parametrize(
    ("step", "first", "last", "expected"),
    [
        (10.0, 10.0, 100.0, [float(i) for i in range(10, 101, 10)]),
        (7.0, 10.0, 30.0, [14.0, 21.0, 28.0]),
        (0.1, 0.01, 0.35, [0.1, 0.2, 0.3]),
        (1000.0, 10.0, 100.0, []),
        (1.5, 0.0, 3.0, None),
    ],
)
def test_multiples_between_two_ends(
    step: float, first: float, last: float, expected: list[float] | None
) -> None:
    found = multiples(step, first, last)
    assert (None if found is None else found.tolist()) == expected
