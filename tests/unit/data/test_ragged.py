"""Ragged lists as flat values and offsets."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.data.ragged import Ragged, offsets_of

LISTS = [[1.0, 2.0], [], [3.0], []]


def test_parts_are_what_went_in() -> None:
    ragged = Ragged.of(LISTS)
    assert [part.tolist() for part in ragged] == LISTS
    assert ragged.lengths.tolist() == [2, 0, 1, 0]
    assert len(ragged) == 4
    assert ragged.offsets.dtype == np.int64


@pytest.mark.parametrize("parts", [[], [[]], [[], []]])
def test_no_values(parts: list[list[float]]) -> None:
    ragged = Ragged.of(parts)
    assert len(ragged) == len(parts)
    assert ragged.values.shape == (0,)
    assert ragged.part_of_each().tolist() == []
    assert ragged.positions(np.array([], dtype=np.int64)).shape == (0, 2)


def test_where_each_value_stands() -> None:
    ragged = Ragged.of(LISTS)
    assert ragged.part_of_each().tolist() == [0, 0, 2]
    assert ragged.position(2) == (2, 0)
    assert ragged.positions(np.array([0, 1, 2])).tolist() == [[0, 0], [0, 1], [2, 0]]


def test_other_values_of_the_same_parts() -> None:
    ragged = Ragged.of(LISTS)
    other = ragged.with_values(ragged.values * 2)
    assert [part.tolist() for part in other] == [[2.0, 4.0], [], [6.0], []]
    assert ragged.values.tolist() == [1.0, 2.0, 3.0]


def test_dtypes_and_offsets() -> None:
    assert Ragged.of([[1], [0]], bool).values.tolist() == [True, False]
    assert offsets_of([]).tolist() == [0]
    assert offsets_of(np.array([2, 0, 1])).tolist() == [0, 2, 2, 3]
