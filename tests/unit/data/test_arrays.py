"""The few conversions of arrays that must be done one way."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.data.arrays import Array, as_stored, readonly, string_array

MATRIX = np.arange(6.0).reshape(2, 3)


def test_a_frozen_view_cannot_be_written_to() -> None:
    array = MATRIX.copy()
    view = readonly(array)
    with pytest.raises(ValueError, match="read-only"):
        view[0, 0] = 1.0
    array[0, 0] = 9.0
    assert view[0, 0] == 9.0
    assert array.flags.writeable


@pytest.mark.parametrize(
    "array", [MATRIX.T, MATRIX[:, ::-1], MATRIX.astype(">f8"), np.asarray(3.5), np.zeros((0, 2))]
)
def test_stored_memory_is_contiguous_and_little_endian(array: Array) -> None:
    found = as_stored(array)
    assert found.flags.c_contiguous
    assert found.dtype.str[0] in "<|"
    assert found.shape == array.shape
    np.testing.assert_array_equal(found, array)


def test_strings_keep_what_fixed_width_would_lose() -> None:
    assert string_array(["a\0", "", "é"]).tolist() == ["a\0", "", "é"]
    assert string_array(iter(["a"])).dtype == object
    assert string_array([]).shape == (0,)
    assert string_array(["ab", "cd"]).shape == (2,)
