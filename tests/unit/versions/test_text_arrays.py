from __future__ import annotations

import numpy as np
import pytest

from normalizers.data.arrays import string_array
from normalizers.errors import CorruptVersion
from normalizers.versions.text_arrays import join_text, split_text


@pytest.mark.parametrize(
    "texts",
    [[], [""], ["a", "é\0", "", "日本"], ["trailing\0"]],
    ids=["none", "empty", "odd", "nul"],
)
def test_strings_come_back_as_they_were(texts: list[str]) -> None:
    joined = join_text(dict(split_text("ids", string_array(texts))))
    assert joined["ids"].tolist() == texts


@pytest.mark.parametrize("shape", [(0, 2), (3, 1), (2, 2)])
def test_tables_keep_their_shape(shape: tuple[int, int]) -> None:
    table = string_array(f"k{i}" * i for i in range(shape[0] * shape[1])).reshape(shape)
    stored = dict(split_text("keys", table))
    assert set(stored) == {"keys.utf8", "keys.utf8_offsets"}
    joined = join_text(stored)["keys"]
    assert joined.shape == shape
    assert joined.tolist() == table.tolist()


@pytest.mark.parametrize(
    "offsets", [[0, 9], [1, 2], [], [0, 2, 1, 3], [[0, 1], [2, 3]], [[[0]]]], ids=str
)
def test_offsets_that_lie_are_refused(offsets: list[object]) -> None:
    raw = np.frombuffer(b"abc", dtype=np.uint8)
    with pytest.raises(CorruptVersion):
        join_text({"ids.utf8": raw, "ids.utf8_offsets": np.array(offsets, dtype=np.int64)})


def test_bytes_that_are_no_text_are_refused() -> None:
    raw = np.frombuffer(b"\xff\xfe", dtype=np.uint8)
    with pytest.raises(CorruptVersion, match="UTF-8"):
        join_text({"ids.utf8": raw, "ids.utf8_offsets": np.array([0, 2], dtype=np.int64)})
