"""Two outputs, statistics or answers: the same bits, or the same numbers within a bound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged

Tree = Any


def assert_identical(one: Tree, other: Tree, where: str = "") -> None:
    """Fail unless both hold the same bits, in the same structure."""
    if isinstance(one, Mapping):
        assert one.keys() == other.keys(), where
        for name in one:
            assert_identical(one[name], other[name], f"{where}.{name}")
    elif isinstance(one, Ragged):
        assert_identical(one.values, other.values, f"{where}.values")
        assert_identical(one.offsets, other.offsets, f"{where}.offsets")
    elif isinstance(one, list | tuple):
        assert len(one) == len(other), where
        for index, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            assert_identical(mine, theirs, f"{where}[{index}]")
    elif isinstance(one, np.ndarray):
        assert (one.dtype, one.shape) == (other.dtype, other.shape), where
        assert _bits(one) == _bits(other), where
    else:
        assert one == other or (one != one and other != other), where


def assert_close(one: Tree, other: Tree, bound: float, where: str = "") -> None:
    """Fail unless numbers agree within `bound` times the largest of their array."""
    if isinstance(one, Mapping):
        assert one.keys() == other.keys(), where
        for name in one:
            assert_close(one[name], other[name], bound, f"{where}.{name}")
    elif isinstance(one, Ragged):
        assert_identical(one.offsets, other.offsets, f"{where}.offsets")
        assert_close(one.values, other.values, bound, f"{where}.values")
    elif isinstance(one, list | tuple):
        assert len(one) == len(other), where
        for index, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            assert_close(mine, theirs, bound, f"{where}[{index}]")
    elif isinstance(one, np.ndarray) and one.dtype.kind == "f":
        _assert_near(one, np.asarray(other), bound, where)
    elif isinstance(one, float):
        _assert_near(np.asarray(one), np.asarray(other), bound, where)
    else:
        assert_identical(one, other, where)


def largest(array: Array) -> float:
    """Return the largest size among the finite numbers, 0 where there is none."""
    return float(np.max(np.abs(array[np.isfinite(array)]), initial=0.0))


def _assert_near(one: Array, other: Array, bound: float, where: str) -> None:
    assert one.shape == other.shape, where
    np.testing.assert_allclose(one, other, rtol=0, atol=bound * largest(one), err_msg=where)


def _bits(array: Array) -> object:
    if array.dtype == object:
        return array.tolist()
    if array.dtype.kind == "f":
        return np.where(np.isnan(array), np.nan, array).astype(array.dtype).tobytes()
    return array.tobytes()
